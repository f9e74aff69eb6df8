/// Bytes that are encoded once and referenced by everybody they are sent to.
///
/// `@unchecked Sendable`: written in `init`, only read afterwards, freed with the last reference.
@safe
public final class SharedBytes: @unchecked Sendable {
    /// Read-only; valid as long as this object. The bytes lie between the size and the line breaks that make them a chunk of a
    /// chunked body, so that either is sent from the same memory.
    private let memory: UnsafeRawPointer
    private let headCount: Int
    /// How many.
    public let count: Int
    private let budget: ResponseBudget?

    /// Copies the bytes, once.
    /// - Parameter budget: where they count for as long as this object lives.
    public init(_ bytes: [UInt8], in budget: ResponseBudget? = nil) {
        let head = (String(bytes.count, radix: 16) + "\r\n").utf8
        let size = head.count + bytes.count + 2
        // Safe: the new memory has room for the three parts, and is ours until `deinit`. Never of size 0, so never nil.
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

    /// Where they begin, as a chunk or bare; valid as long as this object.
    @unsafe
    func start(_ isFramed: Bool) -> UnsafeRawPointer { isFramed ? unsafe memory : unsafe memory + headCount }

    /// A copy of them.
    package var bytes: [UInt8] {
        // Safe: within the memory, which lives as long as this object.
        unsafe Array(UnsafeRawBufferPointer(start: start(false), count: count))
    }

    /// How many there are from there.
    func size(_ isFramed: Bool) -> Int { isFramed ? headCount + count + 2 : count }
}
