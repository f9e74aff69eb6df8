/// A strict reader of RFC 8259 JSON: duplicate names (unless allowed), excess structure, bad UTF-8 and trailing text are errors.
///
/// Takes time and memory linear in the number of bytes, for any input.
package struct JSONReader {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var index = 0
    private var depth = 0
    private var values = 0

    private init(_ bytes: [UInt8], _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads exactly one value of a document written by this program or by an operator.
    /// - Parameter maximumDepth: maximum nesting of arrays and objects.
    package static func read(_ bytes: [UInt8], maximumDepth: Int = 16) throws(JSONError) -> JSONValue {
        try read(bytes, limits: .trusted(depth: maximumDepth))
    }

    /// Reads exactly one value of a document from a client. A byte-order mark before it is skipped (RFC 8259, section 8.1).
    /// - Throws: `malformed`, `duplicateName`, `tooDeep` or `tooMany`.
    package static func read(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes, limits)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.malformed("nothing more after the value", "不应再有内容") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        guard let byte = peek else { throw malformed("a value", "应为一个值") }
        values += 1
        guard values <= limits.values else {
            let most = limits.values
            throw JSONError(
                .tooMany, "The JSON has more than \(limits.values) values; leave some out.",
                "JSON 中的值超过 \(most) 个,请减少。")
        }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try enter()
        var members: [JSONMember] = []
        var names = MemberNames()
        skipSpace()
        if take(UInt8(ascii: "}")) { return leave(.object(members)) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw malformed("a member's name in quotes", "应为带引号的字段名") }
            guard members.count < limits.members else {
                let most = limits.members
                throw JSONError(
                    .tooMany, "An object has more than \(limits.members) members; leave some out.",
                    "对象的字段超过 \(most) 个,请减少。")
            }
            let name = try string()
            guard limits.allowsRepeatedNames || names.insert(name, after: members) else {
                let name = name.excerpt
                throw JSONError(
                    .duplicateName, field: name, "The name \"\(name)\" stands twice in one object; send it once.",
                    "同一对象中 \"\(name)\" 出现了两次,请只保留一次。")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else {
                throw malformed("':' after the name \"\(name.excerpt)\"", "字段名 \"\(name.excerpt)\" 之后应为 ':'")
            }
            skipSpace()
            members.append(JSONMember(name: name, value: try value(of: name)))
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "}")) else { throw malformed("',' or '}'", "应为 ',' 或 '}'") }
            return leave(.object(members))
        }
    }

    /// The value of a member. A name that stands twice below it is named by its path, such as `rules.startingPrice`.
    private mutating func value(of name: String) throws(JSONError) -> JSONValue {
        do throws(JSONError) { return try value() } catch { throw error.below(name.excerpt) }
    }

    /// An element of an array, likewise: the path of a name below it begins with its index, such as `[0].from`.
    private mutating func element(_ index: Int) throws(JSONError) -> JSONValue {
        do throws(JSONError) { return try value() } catch { throw error.below("[\(index)]") }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return leave(.array(elements)) }
        while true {
            guard elements.count < limits.members else {
                let most = limits.members
                throw JSONError(
                    .tooMany, "An array has more than \(limits.members) elements; leave some out.",
                    "数组的元素超过 \(most) 个,请减少。")
            }
            elements.append(try element(elements.count))
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "]")) else { throw malformed("',' or ']'", "应为 ',' 或 ']'") }
            return leave(.array(elements))
        }
    }

    private mutating func literal(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in text.utf8 { guard take(byte) else { throw malformed("'\(text)'", "应为 '\(text)'") } }
        return value
    }

    private mutating func number() throws(JSONError) -> String {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard digits() > 0 else { throw malformed("a value", "应为一个值") } }
        if take(UInt8(ascii: ".")) { guard digits() > 0 else { throw malformed("a digit after '.'", "小数点之后应为数字") } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw malformed("a digit in the exponent", "指数中应为数字") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        return index - start
    }

    private mutating func enter() throws(JSONError) {
        index += 1
        depth += 1
        guard depth <= limits.depth else {
            let most = limits.depth
            throw JSONError(
                .tooDeep, "The JSON is nested deeper than \(limits.depth) levels; flatten it.",
                "JSON 嵌套超过 \(most) 层,请减少层数。")
        }
    }

    private mutating func leave(_ value: JSONValue) -> JSONValue {
        depth -= 1
        return value
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private func malformed(_ expected: String, _ chinese: @autoclosure @escaping @Sendable () -> String) -> JSONError {
        let (place, isEnd) = (index, index >= bytes.count)
        let found = isEnd ? "the end (byte \(place))" : "byte \(place)"
        return JSONError(
            .malformed, "The body is not valid JSON: expected \(expected) at \(found).",
            (isEnd ? "末尾(第 \(place) 字节)处" : "第 \(place) 字节处") + chinese() + "。")
    }
}

// Plain objects.
extension JSONReader {
    /// Reads an object of whole numbers and of texts in ASCII without escapes, and builds no tree of it.
    /// - Parameter take: Takes a member's name and value; false if it does not expect them.
    /// - Returns: False for any other text, be it JSON or not, of which `take` may have got a part: `read` is to read it.
    package static func readPlain(
        _ bytes: [UInt8], _ take: (_ name: String, _ value: String, _ isText: Bool) -> Bool
    ) -> Bool {
        var reader = JSONReader(bytes, JSONLimits())
        reader.skipSpace()
        guard reader.take(UInt8(ascii: "{")) else { return false }
        repeat {
            reader.skipSpace()
            guard let name = reader.plainText() else { return false }
            reader.skipSpace()
            guard reader.take(UInt8(ascii: ":")) else { return false }
            reader.skipSpace()
            let isText = reader.peek == UInt8(ascii: "\"")
            guard let value = isText ? reader.plainText() : reader.plainNumber(), take(name, value, isText)
            else { return false }
            reader.skipSpace()
        } while reader.take(UInt8(ascii: ","))
        guard reader.take(UInt8(ascii: "}")) else { return false }
        reader.skipSpace()
        return reader.index == bytes.count
    }

    private mutating func plainText() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = index
        while let byte = peek, byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") {
            index += 1
            if byte == UInt8(ascii: "\"") { return try? text(bytes.span.extracting(start..<index - 1)) }
        }
        return nil
    }

    private mutating func plainNumber() -> String? {
        let start = index
        guard peek != UInt8(ascii: "0"), digits() > 0 else { return nil }
        return try? text(bytes.span.extracting(start..<index))
    }
}

// Strings.
extension JSONReader {
    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let text = try text(bytes.span.extracting(start..<index))
                index += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw malformed("control characters to be escaped in strings", "字符串中的控制字符须转义") }
            index += 1
        }
        throw malformed("a closing quote", "应为结束引号")
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped.span)
            case UInt8(ascii: "\\"): try escape(to: &unescaped)
            case 0..<0x20:
                index -= 1
                throw malformed("control characters to be escaped in strings", "字符串中的控制字符须转义")
            default: unescaped.append(byte)
            }
        }
        throw malformed("a closing quote", "应为结束引号")
    }

    /// Appends the UTF-8 bytes that an escape denotes.
    private mutating func escape(to unescaped: inout [UInt8]) throws(JSONError) {
        guard let byte = peek else { throw malformed("an escape", "应为转义字符") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            unescaped.append(contentsOf: UTF8.encode(try unicodeEscape()) ?? UTF8.encodedReplacementCharacter)
        default:
            index -= 1
            throw malformed("one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", "应为 \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u 之一")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let unit = try fourHexDigits()
        var scalar = UInt32(unit)
        if unit & 0xFC00 == 0xD800 {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw malformed("the second half of a surrogate pair", "应为代理对的后一半")
            }
            let low = try fourHexDigits()
            guard low & 0xFC00 == 0xDC00 else { throw malformed("the second half of a surrogate pair", "应为代理对的后一半") }
            scalar = 0x10000 + ((UInt32(unit) & 0x3FF) << 10 | (UInt32(low) & 0x3FF))
        }
        guard let scalar = Unicode.Scalar(scalar) else { throw malformed("the first half of a surrogate pair", "应为代理对的前一半") }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = hex(byte) else { throw malformed("four hexadecimal digits", "应为四个十六进制数字") }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private func hex(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private func text(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        guard let utf8 = try? UTF8Span(validating: bytes) else {
            let place = index
            throw JSONError(
                .malformed, "The body is not valid UTF-8 in the string before byte \(place).", chineseOfUTF8(before: place))
        }
        return String(copying: utf8)
    }
}

private func chineseOfUTF8(before index: Int) -> String { "第 \(index) 字节之前的字符串不是有效的 UTF-8。" }

extension JSONError {
    /// The same error of a document in which the text is the value of `step`, a member or an element.
    fileprivate func below(_ step: String) -> JSONError {
        guard code == .duplicateName, let field else { return self }
        return JSONError(
            code, field: field.utf8.first == UInt8(ascii: "[") ? step + field : step + "." + field, detail, chinese)
    }
}
