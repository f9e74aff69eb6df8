/// Immutable bytes that are encoded once and shared by all connections that send them.
///
/// `@unchecked Sendable`: written in `init`, only read afterwards, freed with the last reference.
@safe
package final class SharedBytes: @unchecked Sendable {
    /// Read-only; valid as long as this object. Holds the bytes with the size line before and the line break after them, so that
    /// they can be sent bare, or as a chunk of a chunked body, from the same memory.
    private let memory: UnsafeRawPointer
    private let headCount: Int
    /// Number of bytes, without the chunk's framing.
    package let count: Int
    private let budget: ResponseBudget?

    /// Copies the bytes.
    /// - Parameter budget: counts them as pending for as long as this object exists.
    package init(_ bytes: [UInt8], in budget: ResponseBudget? = nil) {
        let head = (String(bytes.count, radix: 16) + "\r\n").utf8
        let size = head.count + bytes.count + 2
        // SAFETY: the new memory fits the three parts and is owned until `deinit`. Never of size 0, so never nil.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        unsafe memory.copyBytes(from: head)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[head.count...]).copyBytes(from: bytes)
        unsafe memory[size - 2] = 13
        unsafe memory[size - 1] = 10
        headCount = head.count
        count = bytes.count
        self.budget = budget
        unsafe self.memory = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)  // proven: size over 0
        budget?.add(size)
    }

    deinit {
        unsafe memory.deallocate()
        budget?.remove(headCount + count + 2)
    }

    /// Pointer to the bytes, framed as a chunk or bare; valid as long as this object.
    @unsafe
    func start(_ isFramed: Bool) -> UnsafeRawPointer { isFramed ? unsafe memory : unsafe memory + headCount }

    /// A copy of the bytes, without the chunk's framing.
    package var bytes: [UInt8] { bytes(in: 0..<count) }

    /// A copy of some of them.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        // SAFETY: within the memory, which is valid as long as this object.
        return unsafe Array(UnsafeRawBufferPointer(start: start(false) + range.lowerBound, count: range.count))
    }

    /// Number of bytes from `start`, framed as a chunk or bare.
    func size(_ isFramed: Bool) -> Int { isFramed ? headCount + count + 2 : count }
}
