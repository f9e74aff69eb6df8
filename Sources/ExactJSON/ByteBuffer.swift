/// A growing buffer of bytes without the checks of an array at every append: uniqueness, and a count in memory. Responses and events
/// are appended to it in pieces of a few bytes.
///
/// The only unsafe code of this target. Invariant: `0 <= count <= capacity`, and `base` is where `storage` has its bytes, at least
/// `capacity`, of which the first `count` are initialized.
@safe
@usableFromInline
struct ByteBuffer: ~Copyable {
    // An object, which the runtime allocates by `malloc`: for memory from `UnsafeMutablePointer.allocate` it calls `posix_memalign`, which
    // takes several times as long and never reuses a block that its thread has just freed.
    private var storage: ManagedBuffer<Void, UInt8>
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// Number of bytes.
    @usableFromInline var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        unsafe (storage, base) = Self.allocate(self.capacity)
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    @inlinable @inline(__always)
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

    /// Appends a literal.
    @inlinable @inline(__always)
    mutating func append(_ literal: StaticString) {
        let more = literal.utf8CodeUnitCount
        if capacity - count < more { grow(by: more) }
        // SAFETY: there is room for `more` bytes, and a literal is not part of this buffer.
        unsafe (base + count).initialize(from: literal.utf8Start, count: more)
        count += more
    }

    /// Appends the name of a member between quotation marks, after a comma if one is due, and a colon.
    ///
    /// Inlined with the name, so that its bytes are constants of the instructions: half of a response is names of members.
    @inlinable @inline(__always)
    mutating func appendName(_ name: StaticString, afterComma hasComma: Bool) {
        let length = name.utf8CodeUnitCount
        if capacity - count < length + 4 { grow(by: length + 4) }
        // SAFETY: there is room for a comma, two quotation marks, a colon and the name, which is not part of this buffer.
        unsafe base[count] = UInt8(ascii: ",")
        if hasComma { count += 1 }
        unsafe base[count] = UInt8(ascii: "\"")
        unsafe (base + count + 1).initialize(from: name.utf8Start, count: length)
        unsafe base[count + length + 1] = UInt8(ascii: "\"")
        unsafe base[count + length + 2] = UInt8(ascii: ":")
        count += length + 3
    }

    /// Appends a text between quotation marks, or nothing if it needs escapes.
    /// - Returns: Whether it was appended.
    mutating func appendQuoted(_ text: String) -> Bool {
        // In place without calls into the standard library, which `utf8Span` needs for each text. On Linux every string is contiguous; another
        // one is written as if it needed escapes.
        unsafe text.utf8.withContiguousStorageIfAvailable { source in
            let length = source.count
            if capacity - count < length + 2 { grow(by: length + 2) }
            guard let start = source.baseAddress else { return false }
            let target = unsafe base + count + 1
            var (place, escapes) = (0, UInt64(0))
            // SAFETY: eight bytes from `place`, or the last eight, are within the text, and there is room for a copy of it.
            while place + 8 <= length {
                let word = unsafe UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self)
                unsafe UnsafeMutableRawPointer(target + place).storeBytes(of: word, as: UInt64.self)
                escapes |= Self.escapes(in: word)
                place += 8
            }
            if place < length, length >= 8 {
                let word = unsafe UnsafeRawPointer(start + length - 8).loadUnaligned(as: UInt64.self)
                unsafe UnsafeMutableRawPointer(target + length - 8).storeBytes(of: word, as: UInt64.self)
                escapes |= Self.escapes(in: word)
            } else if place < length {
                var word: UInt64 = 0x2020_2020_2020_2020
                while place < length {
                    unsafe target[place] = start[place]
                    word = unsafe word << 8 | UInt64(start[place])
                    place += 1
                }
                escapes |= Self.escapes(in: word)
            }
            guard escapes == 0 else { return false }
            unsafe base[count] = UInt8(ascii: "\"")
            unsafe target[length] = UInt8(ascii: "\"")
            count += length + 2
            return true
        } ?? false
    }

    /// Not 0 if one of the eight bytes is a control character, a quotation mark or a backslash.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        // A byte below the number that is subtracted borrows, which sets its highest bit.
        return ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
    }

    /// Appends bytes that were appended before.
    mutating func append(copyOf range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)  // proven: the writer's own marks
        let more = range.count
        if capacity - count < more { grow(by: more) }
        // SAFETY: the range is of initialized bytes, and there is room behind them for as many.
        unsafe (base + count).initialize(from: base + range.lowerBound, count: more)
        count += more
    }

    /// Appends the lowest `count` bytes of a word, the most significant first; `count` is 8 at most.
    @inlinable @inline(__always)
    mutating func append(lowest count: Int, of word: UInt64) {
        if capacity - self.count < 8 { grow(by: 8) }
        // SAFETY: there is room for eight bytes, of which `count` are kept.
        unsafe UnsafeMutableRawPointer(base + self.count).storeBytes(
            of: (word &<< UInt64(64 - 8 * count)).bigEndian, as: UInt64.self)
        self.count += count
    }

    /// Appends bytes between quotation marks, with one check of the capacity.
    mutating func appendQuoted(_ bytes: Span<UInt8>) {
        let length = bytes.count
        if capacity - count < length + 2 { grow(by: length + 2) }
        // SAFETY: there is room for the bytes and two quotation marks, and the span is not part of this buffer.
        unsafe base[count] = UInt8(ascii: "\"")
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe (base + count + 1).initialize(from: start, count: length) }
        }
        unsafe base[count + length + 1] = UInt8(ascii: "\"")
        count += length + 2
    }

    @usableFromInline
    mutating func grow(by more: Int) {
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
