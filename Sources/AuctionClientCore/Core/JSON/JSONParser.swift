/// Why a text is not JSON that this library reads.
public enum JSONError: Error, Hashable, Sendable {
    /// Not JSON, at this offset in bytes.
    case malformed(at: Int)
    /// More levels of arrays and objects than the parser's bound.
    case tooDeep
}

/// Reads one JSON value from bytes. The caller bounds the number of bytes, the parser the depth.
struct JSONParser {
    /// Levels of arrays and objects; the service sends fewer than ten.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position: Int

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
    }

    /// The value of a whole text; white space around it is allowed, anything else is not.
    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.malformed }
        return value
    }

    static func parse(_ text: String) throws(JSONError) -> JSONValue { try parse(Array(text.utf8)) }

    private var malformed: JSONError { .malformed(at: position) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard take(byte) else { throw malformed }
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw malformed }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw malformed }
    }

    /// Moves to the next quote, backslash or control character.
    private mutating func skipPlain() {
        // The variable is local, because this loop is most of the work.
        var next = position
        while next < bytes.count, bytes[next] != 0x22, bytes[next] != 0x5C, bytes[next] >= 0x20 { next += 1 }
        position = next
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        skipPlain()
        let plain = String(decoding: bytes[start..<position], as: UTF8.self)
        if take(UInt8(ascii: "\"")) { return plain }
        return try escapedString(after: plain)
    }

    private mutating func escapedString(after plain: String) throws(JSONError) -> String {
        var text = plain
        while true {
            let start = position
            skipPlain()
            text += String(decoding: bytes[start..<position], as: UTF8.self)
            if take(UInt8(ascii: "\"")) { return text }
            guard take(UInt8(ascii: "\\")) else { throw malformed }
            text.unicodeScalars.append(try escape())
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = current else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw malformed
        }
    }

    /// A surrogate without its partner becomes U+FFFD.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { return "\u{FFFD}" }
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw malformed }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension JSONValue {
    /// The value of a whole text; nil if it cannot be read, and the reason is of no use.
    init?(readable bytes: [UInt8]) {
        do throws(JSONError) { self = try JSONParser.parse(bytes) } catch { return nil }
    }
}
