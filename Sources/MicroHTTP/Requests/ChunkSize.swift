/// The line before a chunk: its size and extensions, by the grammar of RFC 9112, section 7.1.
///
/// Extensions are ignored, but a malformed one is refused: another parser may read it as a line's end or as a size.
struct ChunkSize {
    let bytes: Int
    let hasExtension: Bool

    /// - Parameter line: without its line break. Nil if it is malformed.
    init?(_ line: Span<UInt8>) {
        var position = 0
        guard let size = ChunkSize.size(line, &position) else { return nil }
        hasExtension = position < line.count
        while position < line.count {
            guard ChunkSize.skip(UInt8(ascii: ";"), line, &position), ChunkSize.skipToken(line, &position) else { return nil }
            guard ChunkSize.skip(UInt8(ascii: "="), line, &position) else { continue }
            guard ChunkSize.skipToken(line, &position) || ChunkSize.skipQuotedString(line, &position) else { return nil }
        }
        bytes = size
    }

    /// Fifteen digits exceed any body limit and cannot overflow.
    private static func size(_ line: Span<UInt8>, _ position: inout Int) -> Int? {
        var size = 0
        while position < line.count, let digit = PercentEncoding.hexValue(line[position]) {
            guard position < 15 else { return nil }
            size = size << 4 | Int(digit)
            position += 1
        }
        return position > 0 ? size : nil
    }

    /// Skips the byte and the white space around it; leaves `position` unchanged if the byte is absent.
    private static func skip(_ byte: UInt8, _ line: Span<UInt8>, _ position: inout Int) -> Bool {
        let found = whiteSpaceEnd(line, from: position)
        guard found < line.count, line[found] == byte else { return false }
        position = whiteSpaceEnd(line, from: found + 1)
        return true
    }

    private static func skipToken(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
        let start = position
        while position < line.count, isTokenByte(line[position]) { position += 1 }
        return position > start
    }

    private static func skipQuotedString(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
        guard position < line.count, line[position] == UInt8(ascii: "\"") else { return false }
        position += 1
        while position < line.count, !isControlByte(line[position]) {
            let byte = line[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard position < line.count, !isControlByte(line[position]) else { return false }
            position += 1
        }
        return false
    }

    private static func whiteSpaceEnd(_ line: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < line.count, isBlank(line[end]) { end += 1 }
        return end
    }
}
