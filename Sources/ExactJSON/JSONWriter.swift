/// Appends JSON to a byte array, without spaces and in the order of the calls: the same calls make the same bytes.
///
/// The writer inserts commas; the caller must alternate names and values. Names must not need escapes, except in `foreignName`.
package struct JSONWriter: Sendable {
    /// UTF-8 bytes written so far.
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    package init(reserving capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Appends an object; `members` writes its names and values.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Begins an object that `endObject` closes.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
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
        assert(!Self.needsEscapes(name), "a member's name is written without escapes: \(name)")
        let (count, separated) = (name.utf8.count, needsComma)
        let start = bytes.count
        // One growth and one pass, because names make up most of the output.
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "\""), count: count + (separated ? 4 : 3)))
        var span = bytes.mutableSpan
        var index = start
        if separated {
            span[index] = UInt8(ascii: ",")
            index += 1
        }
        index += 1
        let text = name.utf8Span.span
        for offset in 0..<count { span[index + offset] = text[offset] }
        span[index + count + 1] = UInt8(ascii: ":")
        needsComma = false
    }

    /// Appends the name of the next member, escaped; for names that come from input.
    package mutating func foreignName(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends `null`.
    package mutating func null() { raw("null") }
    /// Appends `true` or `false`.
    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Appends a decimal integer.
    package mutating func int(_ value: Int) {
        separate()
        needsComma = true
        appendDecimal(value)
    }

    /// Appends a string with quotes, escaped where RFC 8259 requires it.
    package mutating func string(_ value: String) {
        separate()
        needsComma = true
        bytes.append(UInt8(ascii: "\""))
        if Self.needsEscapes(value) {
            for byte in value.utf8 { appendEscaped(byte) }
        } else {
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a string whose content `write` appends; those bytes must be UTF-8 that needs no escapes (not checked).
    package mutating func plainString(_ write: (inout [UInt8]) -> Void) {
        separate()
        needsComma = true
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a value that is already JSON (not checked).
    package mutating func raw(_ json: String) {
        separate()
        needsComma = true
        bytes.append(contentsOf: json.utf8)
    }

    /// Appends the bytes of a value that is already JSON (not checked).
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        needsComma = true
        bytes.append(contentsOf: json)
    }

    private static func needsEscapes(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
        }
        return false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func appendDecimal(_ value: Int) {
        guard value < 0 || value > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(value)) }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        bytes[start...].reverse()
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
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
