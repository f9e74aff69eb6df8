/// JSON in one of the forms that its writers choose from: without whitespace between its tokens and without escapes that can be left out.
package enum CompactJSON {
    /// The text in that form, and an empty object as no text at all, as a frame without members has it; nil if that is the text itself.
    /// If the text is no JSON within the limits, only its whitespace is removed. The time is linear in its length.
    package static func bytes(of text: [UInt8], limits: JSONLimits) -> [UInt8]? {
        guard text.contains(where: { isWhitespace($0) || $0 == UInt8(ascii: "\\") }) || text.elementsEqual("{}".utf8) else {
            return nil
        }
        let compact = withoutWhitespace(text)
        if compact.elementsEqual("{}".utf8) { return [] }
        let result = compact.contains(UInt8(ascii: "\\")) ? rewritten(compact, limits) ?? compact : compact
        return result == text ? nil : result
    }

    private static func withoutWhitespace(_ text: [UInt8]) -> [UInt8] {
        var isInString = false
        var isEscaped = false
        return text.filter { byte in
            guard isInString else {
                isInString = byte == UInt8(ascii: "\"")
                return !isWhitespace(byte)
            }
            let isEnd = !isEscaped && byte == UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            isInString = !isEnd
            return true
        }
    }

    /// The same value as `JSONWriter` writes it, which a frame's members are written by; nil if the text is no JSON within the limits.
    private static func rewritten(_ text: [UInt8], _ limits: JSONLimits) -> [UInt8]? {
        guard let value = try? JSONReader.read(text, limits: limits) else { return nil }
        var writer = JSONWriter(reserving: text.count)
        writer.value(value)
        return writer.bytes
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
