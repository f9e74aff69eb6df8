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

    /// Copies the bytes, once.
    public init(_ bytes: [UInt8]) {
        let head = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
        let whole = head + bytes + [13, 10]
        // Safe: the new memory has room for all of them, and is ours until `deinit`. Never of size 0, so never nil.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: whole.count, alignment: 1)
        unsafe memory.copyBytes(from: whole)
        headCount = head.count
        count = bytes.count
        unsafe self.memory = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)  // proven: size over 0
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Where they begin, as a chunk or bare; valid as long as this object.
    @unsafe
    func start(_ isFramed: Bool) -> UnsafeRawPointer { isFramed ? unsafe memory : unsafe memory + headCount }

    /// How many there are from there.
    func size(_ isFramed: Bool) -> Int { isFramed ? headCount + count + 2 : count }
}
