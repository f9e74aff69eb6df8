/// Appends JSON to a buffer, without spaces and in the order of the calls: the same calls make the same bytes.
///
/// Public and inlinable, as generic code of another module is specialized, and a literal's bytes are known, only then.
/// The writer inserts commas; the caller must alternate names and values. Names are literals that need no escapes; `foreignName` writes others.
public struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: ByteBuffer
    @usableFromInline var needsComma = false

    public init(reserving capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

    /// A copy of the UTF-8 bytes written so far.
    public var bytes: [UInt8] { buffer.bytes }
    /// Number of bytes written so far.
    public var count: Int { buffer.count }

    /// Appends an object; `members` writes its names and values.
    @inlinable public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Begins an object that `endObject` closes.
    @inlinable public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Begins an object with members that were written by another writer, which did not close their object.
    public mutating func beginObject(with members: [UInt8]) {
        separate()
        buffer.append(members.span)
    }

    /// Closes the object that `beginObject` began.
    @inlinable public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Appends an array; `elements` writes its values.
    @inlinable public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        elements(&self)
        close(UInt8(ascii: "]"))
    }

    /// Appends the name of the next member, a literal without characters that need escapes.
    @inlinable @inline(__always)
    public mutating func name(_ name: StaticString) {
        buffer.appendName(name, afterComma: needsComma)
        needsComma = false
    }

    /// Appends the name of the next member, escaped; for names that come from input.
    public mutating func foreignName(_ name: String) {
        string(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends the members that `write` writes; returns where they are, for `members(at:)`.
    @inlinable @inline(__always)
    public mutating func marking(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
        let start = needsComma ? count + 1 : count
        write(&self)
        return start..<count
    }

    /// Appends members that were written before, to another object of the same document.
    public mutating func members(at range: Range<Int>) {
        separate()
        buffer.append(copyOf: range)
    }

    /// Appends `null`.
    @inlinable public mutating func null() { literal("null") }
    /// Appends `true` or `false`.
    @inlinable public mutating func bool(_ value: Bool) { if value { literal("true") } else { literal("false") } }

    /// Appends a decimal integer.
    public mutating func int(_ value: Int) {
        separate()
        var reversed = InlineArray<20, UInt8>(repeating: 0)
        var (rest, count) = (value.magnitude, 0)
        repeat {
            reversed[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            count += 1
        } while rest > 0
        if value < 0 { buffer.append(UInt8(ascii: "-")) }
        for index in stride(from: count - 1, through: 0, by: -1) { buffer.append(reversed[index]) }
    }

    /// Appends a string with quotes, escaped where RFC 8259 requires it.
    public mutating func string(_ value: String) {
        separate()
        if buffer.appendQuoted(value) { return }
        let text = value.utf8Span.span
        buffer.append(UInt8(ascii: "\""))
        for index in text.indices { appendEscaped(text[index]) }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a string with these bytes, which must be UTF-8 that needs no escapes (not checked).
    public mutating func plainString(_ text: Span<UInt8>) {
        separate()
        buffer.appendQuoted(text)
    }

    /// Appends a string of an opening, a literal with its quotation mark, and of bytes in words, the most significant first: the lowest `count`
    /// of the first word and all of the others. They must be UTF-8 that needs no escapes (not checked).
    @inlinable @inline(__always)
    public mutating func plainString(
        _ opening: StaticString, lowest count: Int, of first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64? = nil
    ) {
        separate()
        buffer.append(opening)
        buffer.append(lowest: count, of: first)
        buffer.append(lowest: 8, of: second)
        buffer.append(lowest: 8, of: third)
        if let fourth { buffer.append(lowest: 8, of: fourth) }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a value that is already JSON (not checked).
    public mutating func raw(_ json: String) {
        separate()
        buffer.append(json.utf8Span.span)
    }

    /// Appends the bytes of a value that is already JSON (not checked).
    public mutating func raw(_ json: [UInt8]) {
        separate()
        buffer.append(json.span)
    }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    @inlinable @inline(__always)
    mutating func literal(_ literal: StaticString) {
        separate()
        buffer.append(literal)
    }

    /// Appends a comma if a value precedes; a value follows.
    @inlinable @inline(__always)
    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.append("\\\"")
        case UInt8(ascii: "\\"): buffer.append("\\\\")
        case 0x0A: buffer.append("\\n")
        case 0x0D: buffer.append("\\r")
        case 0x09: buffer.append("\\t")
        case 0..<0x20:
            let digits = "0123456789abcdef".utf8Span.span
            buffer.append("\\u00")
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 15)])
        default: buffer.append(byte)
        }
    }
}

extension JSONWriter {
    /// Appends a member with a string value, or `null` for nil.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Appends a member with an integer value, or `null` for nil.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Int?) {
        self.name(name)
        if let value { int(value) } else { null() }
    }

    /// Appends a member with a boolean value, or `null` for nil.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Bool?) {
        self.name(name)
        if let value { bool(value) } else { null() }
    }

    /// Appends a member with a foreign name and a string.
    public mutating func foreignMember(_ name: String, _ value: String) {
        foreignName(name)
        string(value)
    }

    /// Appends a member with a foreign name and an integer.
    public mutating func foreignMember(_ name: String, _ value: Int) {
        foreignName(name)
        int(value)
    }

    /// Appends a member with an array of strings.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, strings: some Sequence<String>) {
        member(name, array: { array in for text in strings { array.string(text) } })
    }

    /// Appends a member whose value `write` appends, or `null` for nil.
    @inlinable @inline(__always)
    public mutating func member<Value>(_ name: StaticString, _ value: Value?, _ write: (Value, inout JSONWriter) -> Void) {
        self.name(name)
        self.value(value, write)
    }

    /// Appends the value that `write` appends, or `null` for nil.
    @inlinable @inline(__always)
    public mutating func value<Value>(_ value: Value?, _ write: (Value, inout JSONWriter) -> Void) {
        if let value { write(value, &self) } else { null() }
    }

    /// Appends a member with an object value; `members` writes its names and values.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// Appends a member with an array value; `elements` writes its values.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, array elements: (inout JSONWriter) -> Void) {
        self.name(name)
        array(elements)
    }
}
