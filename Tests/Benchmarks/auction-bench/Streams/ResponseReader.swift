/// The parts of a response's head that the load generator needs.
struct ResponseHead {
    private(set) var status = 0
    private(set) var bodyStart = 0
    private(set) var contentLength = 0
    private(set) var isChunked = false
    /// Positions of these headers' values; empty if absent.
    private(set) var lastModified = 0..<0
    private(set) var etag = 0..<0

    /// Nil if the head is incomplete.
    init?(_ bytes: Span<UInt8>) {
        var line = 0
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "\n") else {
                at += 1
                continue
            }
            if at <= line + 1 {
                bodyStart = at + 1
                return
            }
            if line == 0 {
                status = Self.number(bytes, 9..<min(12, at))
            } else {
                header(bytes, line..<(at - 1))
            }
            at += 1
            line = at
        }
        return nil
    }

    private mutating func header(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }) else { return }
        var start = colon + 1
        while start < line.upperBound, bytes[start] == 0x20 { start += 1 }
        let value = start..<max(start, line.upperBound)
        // Four header names, recognized by their length, first and last letter.
        switch (colon - line.lowerBound, bytes[line.lowerBound] | 0x20, bytes[colon - 1] | 0x20) {
        case (14, UInt8(ascii: "c"), UInt8(ascii: "h")): contentLength = Self.number(bytes, value)
        case (17, UInt8(ascii: "t"), UInt8(ascii: "g")): isChunked = true
        case (13, UInt8(ascii: "l"), UInt8(ascii: "d")): lastModified = value
        case (4, UInt8(ascii: "e"), UInt8(ascii: "g")): etag = value
        default: break
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var number = 0
        for at in range where bytes[at] >= 0x30 && bytes[at] <= 0x39 { number = number * 10 + Int(bytes[at] - 0x30) }
        return number
    }
}

/// Splits a stream of bytes into complete responses.
struct ResponseReader {
    private var carry: [UInt8] = []

    /// - Parameter answered: called with the bytes of each complete response.
    mutating func feed(_ bytes: Span<UInt8>, _ answered: (Span<UInt8>, ResponseHead) -> Void) {
        if carry.isEmpty {
            keep(bytes, from: Self.take(bytes, answered))
        } else {
            for at in bytes.indices { carry.append(bytes[at]) }
            let whole = carry
            carry = []
            keep(whole.span, from: Self.take(whole.span, answered))
        }
    }

    private mutating func keep(_ bytes: Span<UInt8>, from start: Int) {
        for at in start..<bytes.count { carry.append(bytes[at]) }
    }

    private static func take(_ bytes: Span<UInt8>, _ answered: (Span<UInt8>, ResponseHead) -> Void) -> Int {
        var start = 0
        while start < bytes.count {
            let rest = bytes.extracting(start..<bytes.count)
            guard let head = ResponseHead(rest) else { break }
            let end = head.bodyStart + head.contentLength
            guard end <= rest.count else { break }
            answered(rest.extracting(0..<end), head)
            start += end
        }
        return start
    }
}
