/// JSON without whitespace between its tokens.
package enum CompactJSON {
    /// The text without whitespace outside of strings, and an empty object as no text at all, as a frame without members has it; nil if
    /// that is the text itself. The text need not be JSON; the time is linear in its length.
    package static func bytes(of text: [UInt8]) -> [UInt8]? {
        guard text.contains(where: isWhitespace) || text.elementsEqual("{}".utf8) else { return nil }
        var isInString = false
        var isEscaped = false
        let compact = text.filter { byte in
            guard isInString else {
                isInString = byte == UInt8(ascii: "\"")
                return !isWhitespace(byte)
            }
            let isEnd = !isEscaped && byte == UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            isInString = !isEnd
            return true
        }
        if compact.elementsEqual("{}".utf8) { return [] }
        return compact.count == text.count ? nil : compact
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
