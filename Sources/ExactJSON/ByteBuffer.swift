/// A growing buffer of bytes without the checks of an array at every append: uniqueness, and a count in memory. Responses and events
/// are appended to it in pieces of a few bytes.
///
/// The only unsafe code of this target. Invariant: `0 <= count <= capacity`, and `base` is where `storage` has its bytes, at least
/// `capacity`, of which the first `count` are initialized.
@safe
struct ByteBuffer: ~Copyable {
    // An object, which the runtime allocates by `malloc`: for memory from `UnsafeMutablePointer.allocate` it calls `posix_memalign`, which
    // takes several times as long and never reuses a block that its thread has just freed.
    private var storage: ManagedBuffer<Void, UInt8>
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Number of bytes.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        unsafe (storage, base) = Self.allocate(self.capacity)
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        // SAFETY: `count` is less than `capacity`.
        unsafe base[count] = byte
        count += 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
        let more = bytes.count
        if capacity - count < more { grow(by: more) }
        // SAFETY: there is room for `more` bytes, and the span is not part of this buffer.
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe (base + count).initialize(from: start, count: more) }
        }
        count += more
    }

    /// Appends the name of a member between quotation marks, after a comma if one is due, and a colon.
    mutating func appendName(_ name: String, afterComma hasComma: Bool) {
        // In place without calls into the standard library, which `utf8Span` needs for each text: half of a response is names of members.
        let isDone: Void? = unsafe name.utf8.withContiguousStorageIfAvailable { source in
            if capacity - count < source.count + 4 { grow(by: source.count + 4) }
            // SAFETY: there is room for a comma, two quotation marks, a colon and the name, which is not part of this buffer.
            if hasComma {
                unsafe base[count] = UInt8(ascii: ",")
                count += 1
            }
            unsafe base[count] = UInt8(ascii: "\"")
            if let start = source.baseAddress { unsafe (base + count + 1).initialize(from: start, count: source.count) }
            unsafe base[count + source.count + 1] = UInt8(ascii: "\"")
            unsafe base[count + source.count + 2] = UInt8(ascii: ":")
            count += source.count + 3
        }
        // A string from elsewhere (on Linux there is none) gets contiguous first.
        if isDone == nil {
            if hasComma { append(UInt8(ascii: ",")) }
            appendQuoted(name.utf8Span.span, Span())
            append(UInt8(ascii: ":"))
        }
    }

    /// Appends two parts between quotation marks, with one check of the capacity.
    mutating func appendQuoted(_ first: Span<UInt8>, _ second: Span<UInt8>) {
        let (head, tail) = (first.count, second.count)
        let more = head + tail + 2
        if capacity - count < more { grow(by: more) }
        // SAFETY: there is room for `more` bytes, and the spans are not part of this buffer.
        unsafe base[count] = UInt8(ascii: "\"")
        unsafe first.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe (base + count + 1).initialize(from: start, count: head) }
        }
        unsafe second.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe (base + count + 1 + head).initialize(from: start, count: tail) }
        }
        unsafe base[count + more - 1] = UInt8(ascii: "\"")
        count += more
    }

    private mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let (moved, start) = unsafe Self.allocate(larger)
        unsafe start.initialize(from: base, count: count)
        unsafe (storage, base) = (moved, start)
        capacity = larger
    }

    private static func allocate(_ capacity: Int) -> (ManagedBuffer<Void, UInt8>, UnsafeMutablePointer<UInt8>) {
        let storage = ManagedBuffer<Void, UInt8>.create(minimumCapacity: capacity) { _ in }
        // SAFETY: an object does not move, and the buffer keeps it as long as the pointer to its bytes.
        return unsafe (storage, storage.withUnsafeMutablePointerToElements { unsafe $0 })
    }
}
