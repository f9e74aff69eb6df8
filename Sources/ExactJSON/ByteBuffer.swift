/// A growing buffer of bytes without the checks of an array at every append: uniqueness, and a count in memory. Responses and events
/// are appended to it in pieces of a few bytes.
///
/// The only unsafe code of this target. Invariant: `0 <= count <= capacity`, and `capacity` bytes are allocated at `base`, of
/// which the first `count` are initialized.
@safe
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Number of bytes.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit { unsafe base.deallocate() }

    /// A copy of the bytes.
    var bytes: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        // Safe: `count` is less than `capacity`.
        unsafe base[count] = byte
        count += 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
        let more = bytes.count
        if capacity - count < more { grow(by: more) }
        // Safe: there is room for `more` bytes, and the span is not part of this buffer.
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe (base + count).initialize(from: start, count: more) }
        }
        count += more
    }

    /// Appends at most `limit` bytes, which `write` appends to its span.
    mutating func append(atMost limit: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        if capacity - count < limit { grow(by: limit) }
        // Safe: there is room for `limit` bytes, and `write` cannot keep its span.
        let room = unsafe UnsafeMutableBufferPointer(start: base + count, count: limit)
        var span = unsafe OutputSpan(buffer: room, initializedCount: 0)
        write(&span)
        count += unsafe span.finalize(for: room)
    }

    private mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }
}
