internal import AuctionClientCore

/// Parses one HTTP/1.1 response as its bytes arrive (RFC 9112, sections 4 and 6). The requests have `Connection: close`, so the end of the
/// connection is the end of a body of unknown length.
struct ResponseParser {
    enum Part: Equatable {
        case head(HTTPHead)
        case body([UInt8])
        case end
    }

    private enum Length {
        case bytes(Int)
        case chunked
        case untilClose
    }

    private enum State {
        case head
        case body(left: Int)
        case chunkSize
        case chunk(left: Int)
        /// The line break after a chunk.
        case chunkEnd
        /// After the last chunk.
        case trailer
        case untilClose
        case ended
    }

    /// The most bytes of status line and headers together, and of a chunk's size line.
    static let headLimit = 65536

    private var state = State.head
    private var pending: [UInt8] = []

    /// What the bytes complete.
    /// - Throws: `.interrupted` for what is no HTTP response.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(TransportError) -> [Part] {
        pending.append(contentsOf: bytes)
        var parts: [Part] = []
        while let part = try next() { if part != .body([]) { parts.append(part) } }
        return parts
    }

    /// The end of the connection.
    /// - Throws: `.interrupted` if the response is not complete.
    mutating func finish() throws(TransportError) -> [Part] {
        switch state {
        case .ended: return []
        case .untilClose:
            state = .ended
            return [.end]
        default: throw .interrupted("the connection ended before the response")
        }
    }

    private mutating func next() throws(TransportError) -> Part? {
        switch state {
        case .head: return try readHead()
        case .body(let left):
            guard left > 0 else { return end() }
            guard let taken = take(atMost: left) else { return nil }
            state = .body(left: left - taken.count)
            return .body(taken)
        case .chunkSize:
            guard let line = try line() else { return nil }
            guard let size = Int(line.prefix { $0 != ";" }.filter { $0 != " " }, radix: 16), size >= 0 else {
                throw .interrupted("a chunk without a size")
            }
            state = size == 0 ? .trailer : .chunk(left: size)
            return .body([])
        case .chunk(let left):
            guard let taken = take(atMost: left) else { return nil }
            state = taken.count == left ? .chunkEnd : .chunk(left: left - taken.count)
            return .body(taken)
        case .chunkEnd:
            guard try line() != nil else { return nil }
            state = .chunkSize
            return .body([])
        case .trailer:
            guard let line = try line() else { return nil }
            return line.isEmpty ? end() : .body([])
        case .untilClose: return take(atMost: .max).map { .body($0) }
        case .ended: return nil
        }
    }

    private mutating func end() -> Part {
        state = .ended
        return .end
    }

    private mutating func take(atMost count: Int) -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        let taken = Array(pending.prefix(count))
        pending.removeFirst(taken.count)
        return taken
    }

    /// A line without its end; nil until it is complete.
    private mutating func line() throws(TransportError) -> String? {
        guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else {
            guard pending.count <= Self.headLimit else { throw .interrupted("a line that is too long") }
            return nil
        }
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        return text.hasSuffix("\r") ? String(text.dropLast()) : text
    }

    private mutating func readHead() throws(TransportError) -> Part? {
        let mark = Array("\r\n\r\n".utf8)
        guard let end = pending.firstRange(of: mark) else {
            guard pending.count <= Self.headLimit else { throw .interrupted("a head that is too long") }
            return nil
        }
        let lines = String(decoding: pending[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        pending.removeFirst(end.upperBound)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status) else {
            throw .interrupted("the response is not HTTP")
        }
        let headers = lines.dropFirst().compactMap { line -> HTTPHeader? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return HTTPHeader(String(line[..<colon]), String(value))
        }
        let head = HTTPHead(status: status, headers: headers)
        // An informational response precedes the real one.
        guard status >= 200 else { return .body([]) }
        switch Self.length(of: head) {
        case .bytes(let count): state = .body(left: count)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
        return .head(head)
    }

    private static func length(of head: HTTPHead) -> Length {
        if head.status == 204 || head.status == 304 { return .bytes(0) }
        if head.header("Transfer-Encoding")?.lowercased() == "chunked" { return .chunked }
        return head.header("Content-Length").flatMap { Int($0) }.map { .bytes(max(0, $0)) } ?? .untilClose
    }
}
