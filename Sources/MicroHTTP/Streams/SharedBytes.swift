/// Bytes that are encoded once and referenced by everybody they are sent to.
///
/// `@unchecked Sendable`: written in `init`, only read afterwards, freed with the last reference.
@safe
public final class SharedBytes: @unchecked Sendable {
    /// Read-only; valid as long as this object.
    let start: UnsafeRawPointer
    /// How many.
    public let count: Int

    /// Copies the bytes, once.
    public init(_ bytes: [UInt8]) {
        // Safe: the new memory has room for all of them, and is ours until `deinit`. Never of size 0, so never nil.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe memory.copyBytes(from: bytes)
        count = bytes.count
        unsafe start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
    }

    deinit {
        unsafe start.deallocate()
    }
}
