/// Appends JSON to a buffer, without spaces and in the order of the calls: the same calls make the same bytes.
///
/// The writer inserts commas; the caller must alternate names and values. Names must not need escapes, except in `foreignName`.
package struct JSONWriter: ~Copyable {
    private var buffer: ByteBuffer
    private var needsComma = false

    package init(reserving capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

    /// A copy of the UTF-8 bytes written so far.
    package var bytes: [UInt8] { buffer.bytes }
    /// Number of bytes written so far.
    package var count: Int { buffer.count }

    /// Appends an object; `members` writes its names and values.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Begins an object that `endObject` closes.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Begins an object with members that were written by another writer, which did not close their object.
    package mutating func beginObject(with members: [UInt8]) {
        separate()
        buffer.append(members.span)
    }

    /// Closes the object that `beginObject` began.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Appends an array; `elements` writes its values.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        elements(&self)
        close(UInt8(ascii: "]"))
    }

    /// Appends the name of the next member, without escaping. For names defined by the program; debug builds assert that the name
    /// needs no escapes.
    package mutating func name(_ name: String) {
        assert(!Self.needsEscapes(name.utf8Span.span), "a member's name is written without escapes: \(name)")
        buffer.appendName(name, afterComma: needsComma)
        needsComma = false
    }

    /// Appends the name of the next member, escaped; for names that come from input.
    package mutating func foreignName(_ name: String) {
        string(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends `null`.
    package mutating func null() { raw("null") }
    /// Appends `true` or `false`.
    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Appends a decimal integer.
    package mutating func int(_ value: Int) {
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
    package mutating func string(_ value: String) {
        let text = value.utf8Span.span
        guard Self.needsEscapes(text) else { return plainString(text) }
        separate()
        buffer.append(UInt8(ascii: "\""))
        for index in text.indices { appendEscaped(text[index]) }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a string with these bytes, which must be UTF-8 that needs no escapes (not checked).
    package mutating func plainString(_ text: Span<UInt8>) {
        separate()
        buffer.appendQuoted(text, Span())
    }

    /// Appends a string with the bytes of both parts, which must be UTF-8 that needs no escapes (not checked).
    package mutating func plainString(_ prefix: Span<UInt8>, _ rest: Span<UInt8>) {
        separate()
        buffer.appendQuoted(prefix, rest)
    }

    /// Appends a value that is already JSON (not checked).
    package mutating func raw(_ json: String) {
        separate()
        buffer.append(json.utf8Span.span)
    }

    /// Appends the bytes of a value that is already JSON (not checked).
    package mutating func raw(_ json: [UInt8]) {
        separate()
        buffer.append(json.span)
    }

    private static func needsEscapes(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
        }
        return false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    /// Appends a comma if a value precedes; a value follows.
    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.append("\\\"".utf8Span.span)
        case UInt8(ascii: "\\"): buffer.append("\\\\".utf8Span.span)
        case 0x0A: buffer.append("\\n".utf8Span.span)
        case 0x0D: buffer.append("\\r".utf8Span.span)
        case 0x09: buffer.append("\\t".utf8Span.span)
        case 0..<0x20:
            let digits = "0123456789abcdef".utf8Span.span
            buffer.append("\\u00".utf8Span.span)
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 15)])
        default: buffer.append(byte)
        }
    }
}

extension JSONWriter {
    /// Appends a member with a string value, or `null` for nil.
    package mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Appends a member with an integer value, or `null` for nil.
    package mutating func member(_ name: String, _ value: Int?) {
        self.name(name)
        if let value { int(value) } else { null() }
    }

    /// Appends a member with a boolean value, or `null` for nil.
    package mutating func member(_ name: String, _ value: Bool?) {
        self.name(name)
        if let value { bool(value) } else { null() }
    }

    /// Appends a member with an array of strings.
    package mutating func member(_ name: String, strings: some Sequence<String>) {
        member(name, array: { array in for text in strings { array.string(text) } })
    }

    /// Appends a member whose value `write` appends, or `null` for nil.
    @inlinable
    package mutating func member<Value>(_ name: String, _ value: Value?, _ write: (Value, inout JSONWriter) -> Void) {
        self.name(name)
        self.value(value, write)
    }

    /// Appends the value that `write` appends, or `null` for nil.
    @inlinable
    package mutating func value<Value>(_ value: Value?, _ write: (Value, inout JSONWriter) -> Void) {
        if let value { write(value, &self) } else { null() }
    }

    /// Appends a member with an object value; `members` writes its names and values.
    package mutating func member(_ name: String, object members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// Appends a member with an array value; `elements` writes its values.
    package mutating func member(_ name: String, array elements: (inout JSONWriter) -> Void) {
        self.name(name)
        array(elements)
    }
}
