internal import Glibc

/// Scans the raw bytes of one connection, request by request, before libmicrohttpd parses them: for what RFC 9112 forbids and another
/// HTTP implementation could parse differently, and for what the versions of libmicrohttpd read differently or answer themselves.
///
/// libmicrohttpd gets whole lines only, without cookies, chunk extensions and trailers. In place of a faulty line it gets the end of the request,
/// so that the request reaches `Exchanges`, which refuses it, after the responses to earlier ones. `HeadValidator` checks what can be seen
/// in the head as libmicrohttpd parsed it.
package struct RequestScanner {
    private enum Part {
        case requestLine, header, chunkSize, chunkEnd, trailer
        /// The remaining bytes of a body, or of a chunk.
        case content(Int, isChunk: Bool)
        /// After the head of a request that asks for another protocol, until its response.
        case upgrade(hasBytes: Bool)
        /// After a line that is longer than libmicrohttpd's memory: it is passed on, and libmicrohttpd refuses it.
        case unscanned
        /// After a fault the rest is dropped.
        case refused
    }

    /// Most bytes of cookies in a request. They are dropped as they come, and count nowhere else.
    package static let cookieLimit = 65_536
    private static let tooManyCookies = "The cookies have more than \(cookieLimit) bytes."

    /// Number of requests that have started; the last one may be incomplete.
    package private(set) var requestCount = 0
    /// The fault of the last request; nil if none was found.
    package private(set) var fault: String?

    /// Whether no byte was scanned after the last complete request, or none at all.
    var isBetweenRequests: Bool {
        switch part {
        case .requestLine: partialLine.isEmpty && !hasEmptyLineBefore
        case .upgrade(let hasBytes): !hasBytes
        default: false
        }
    }

    /// Whether the rest of what the client sends is dropped.
    var isRefused: Bool { if case .refused = part { true } else { false } }

    private var part = Part.requestLine
    /// The beginning of a line whose line break was not received yet. libmicrohttpd has not got it either.
    private var partialLine: [UInt8] = []
    private let lineLimit: Int
    private var hasEmptyLineBefore = false
    private var contentLength = 0
    /// Bytes of cookies of the request that are dropped.
    private var cookieBytes = 0
    private var isChunked = false
    private var asksForUpgrade = false
    /// What libmicrohttpd gets in place of the bytes that are being scanned, up to `copied`; nil as long as it gets them as they are.
    private var rewritten: [UInt8]?
    private var copied = 0

    /// - Parameter lineLimit: in bytes; scanning ends at a longer line, which exceeds libmicrohttpd's memory as well.
    package init(lineLimit: Int) {
        self.lineLimit = lineLimit
    }

    /// Scans the next bytes, which may be split at any position.
    ///
    /// - Returns: What libmicrohttpd is to read in their place; nil if it may read the bytes as they are.
    package mutating func scan(_ bytes: Span<UInt8>) -> [UInt8]? {
        copied = 0
        var position = 0
        while position < bytes.count {
            switch part {
            case .refused: position = replace(position..<bytes.count, of: bytes, with: [])
            case .unscanned: position = bytes.count
            case .upgrade:
                part = .upgrade(hasBytes: true)
                position = bytes.count
            case .content(let left, let isChunk):
                let count = min(left, bytes.count - position)
                position += count
                part = count < left ? .content(left - count, isChunk: isChunk) : isChunk ? .chunkEnd : .requestLine
            default: position = scanLine(bytes, from: position)
            }
        }
        guard rewritten != nil else { return nil }
        copy(bytes, upTo: bytes.count)
        let result = rewritten
        rewritten = nil
        return result
    }

    /// The response to a request that asked for an upgrade was sent, and the protocol is still HTTP.
    mutating func upgradeEnded() {
        guard case .upgrade(let hasBytes) = part else { return }
        part = .requestLine
        // libmicrohttpd has these bytes, and nothing has scanned them.
        if hasBytes { _ = fail("A request follows one that asks for an upgrade, before its response.") }
    }

    /// Takes the bytes in that range out of what libmicrohttpd gets, and puts others there; returns the end of the range.
    private mutating func replace(_ range: Range<Int>, of bytes: Span<UInt8>, with others: [UInt8]) -> Int {
        copy(bytes, upTo: range.lowerBound)
        rewritten?.append(contentsOf: others)
        copied = range.upperBound
        return range.upperBound
    }

    private mutating func copy(_ bytes: Span<UInt8>, upTo end: Int) {
        var copy = rewritten ?? []
        rewritten = nil
        copy.reserveCapacity(bytes.count)
        for index in copied..<end { copy.append(bytes[index]) }
        rewritten = copy
        copied = end
    }

    /// Scans one line, or its beginning; returns the position after it.
    private mutating func scanLine(_ bytes: Span<UInt8>, from position: Int) -> Int {
        guard let end = firstIndex(of: UInt8(ascii: "\n"), in: bytes, from: position) else {
            return withhold(position..<bytes.count, of: bytes)
        }
        let next = end + 1
        if partialLine.isEmpty {
            guard let other = line(endingIn: bytes.extracting(position..<end)) else { return next }
            return replace(position..<next, of: bytes, with: other)
        }
        _ = withhold(position..<next, of: bytes)
        // Otherwise the line is too long.
        guard !partialLine.isEmpty else { return next }
        let whole = partialLine
        partialLine = []
        let passedOn = line(endingIn: whole.span.extracting(..<(whole.count - 1))) ?? whole
        rewritten?.append(contentsOf: passedOn)
        return next
    }

    /// Keeps a part of a line until the line is complete.
    private mutating func withhold(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int {
        for index in range { partialLine.append(bytes[index]) }
        _ = replace(range, of: bytes, with: [])
        if case .header = part, isField(partialLine.span, "cookie") { shortenCookies() }
        guard partialLine.count > lineLimit || cookieBytes > Self.cookieLimit else { return range.upperBound }
        let long = partialLine
        partialLine = []
        let passedOn: [UInt8]
        switch part {
        case .header where cookieBytes > Self.cookieLimit: passedOn = fail(Self.tooManyCookies)
        case .requestLine, .header: (part, passedOn) = (.unscanned, long)
        default: passedOn = fail("A chunk's extension, or a trailer, is too long.")
        }
        rewritten?.append(contentsOf: passedOn)
        return range.upperBound
    }

    /// Nothing here reads cookies. Browsers send more of them than a head may have, so of a part of their line only the name is kept, and what
    /// decides whether the line is valid: control characters, once each, and the last two bytes.
    private mutating func shortenCookies() {
        let name = "cookie:".utf8.count
        guard partialLine.count > name + 2 else { return }
        var kept = Array(partialLine[..<name])
        for byte in partialLine[name...].dropLast(2) where isControlByte(byte) && !kept.contains(byte) { kept.append(byte) }
        kept += partialLine.suffix(2)
        cookieBytes += partialLine.count - kept.count
        partialLine = kept
    }

    /// Drops a line of cookies: libmicrohttpd would copy and parse them in the memory that the response needs.
    private mutating func cookies(_ value: Span<UInt8>) -> [UInt8] {
        for index in value.indices where isControlByte(value[index]) {
            return fail("A header's value has a control character.")
        }
        cookieBytes += value.count
        return cookieBytes > Self.cookieLimit ? fail(Self.tooManyCookies) : []
    }

    /// Handles a line without its line feed. Returns what libmicrohttpd gets in its place; nil if it gets the line.
    private mutating func line(endingIn line: Span<UInt8>) -> [UInt8]? {
        guard line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") else {
            return fail("A line ends in a line feed without a carriage return.")
        }
        let text = line.extracting(..<(line.count - 1))
        guard firstIndex(of: 0, in: text, from: 0) == nil else { return fail("The head, or a chunk's size, has a NUL.") }
        switch part {
        case .requestLine: return requestLine(text)
        case .header: return header(text)
        case .chunkSize: return chunkSize(text)
        case .chunkEnd:
            guard text.isEmpty else { return fail("A chunk is longer than its size.") }
            part = .chunkSize
            return nil
        case .trailer: return trailer(text)
        case .content, .upgrade, .unscanned, .refused: return nil
        }
    }

    /// Returns the rest of the request for libmicrohttpd.
    private mutating func fail(_ fault: String) -> [UInt8] {
        let rest =
            switch part {
            case .requestLine: "GET / HTTP/1.1\r\n\r\n"
            case .chunkSize: "0\r\n\r\n"
            case .chunkEnd: "\r\n0\r\n\r\n"
            default: "\r\n"
            }
        if case .requestLine = part { requestCount += 1 }
        self.fault = fault
        part = .refused
        return Array(rest.utf8)
    }

    // RFC 9112, section 2.2: one empty line before a request is ignored; some clients end a body with it.
    private mutating func requestLine(_ line: Span<UInt8>) -> [UInt8]? {
        if line.isEmpty {
            guard !hasEmptyLineBefore else { return fail("Several empty lines come before the request.") }
            hasEmptyLineBefore = true
            return []
        }
        guard let first = firstIndex(of: UInt8(ascii: " "), in: line, from: 0), first > 0,
            let second = firstIndex(of: UInt8(ascii: " "), in: line, from: first + 1), second > first + 1,
            isVersion(line.extracting((second + 1)...)), isToken(line.extracting(..<first))
        else { return fail("A request line is a method, a target and a version with one space between each.") }
        // Without a branch for each byte, as a target has some sixty.
        var control: UInt8 = 0
        for index in first + 1..<second { control |= line[index] < 0x20 || line[index] == 0x7F ? 1 : 0 }
        guard control == 0 else { return fail("The target has a control character.") }
        requestCount += 1
        hasEmptyLineBefore = false
        (contentLength, cookieBytes) = (0, 0)
        (isChunked, asksForUpgrade) = (false, false)
        part = .header
        return nil
    }

    private mutating func header(_ line: Span<UInt8>) -> [UInt8]? {
        guard !line.isEmpty else {
            if isChunked {
                part = .chunkSize
            } else if contentLength > 0 {
                part = .content(contentLength, isChunk: false)
            } else {
                part = asksForUpgrade ? .upgrade(hasBytes: false) : .requestLine
            }
            return nil
        }
        if let fault = nameFault(line) { return fail(fault) }
        // Only the request's length matters here: `HeadValidator` refuses repeated and conflicting headers.
        if isField(line, "content-length") {
            return length(line, valueRange(line, after: "content-length:".utf8.count))
        } else if isField(line, "transfer-encoding") {
            let coding = valueRange(line, after: "transfer-encoding:".utf8.count)
            guard coding.count == 7, hasPrefix(line.extracting(coding), "chunked") else {
                return fail("The only Transfer-Encoding understood is chunked.")
            }
            isChunked = true
            // libmicrohttpd compares the value with the blanks after it, which are no part of it.
            return coding.upperBound == line.count ? nil : Array("Transfer-Encoding: chunked\r\n".utf8)
        } else if isField(line, "upgrade") {
            asksForUpgrade = true
        } else if isField(line, "cookie") {
            return cookies(line.extracting("cookie:".utf8.count...))
        }
        return nil
    }

    /// - Parameter digits: the value of Content-Length. libmicrohttpd does not accept whitespace after it, which HTTP allows, and to what
    ///   it cannot parse it responds itself.
    private mutating func length(_ line: Span<UInt8>, _ digits: Range<Int>) -> [UInt8]? {
        var length = 0
        for index in digits {
            guard isDigit(line[index]) else { return fail("Content-Length is a decimal number.") }
            // Saturates: beyond any limit the value need not be exact.
            length = min(length, Int.max / 16) * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard !digits.isEmpty else { return fail("Content-Length is a decimal number.") }
        contentLength = length
        let isParsable = digits.count < 19 && digits.upperBound == line.count
        return isParsable ? nil : Array("Content-Length: \(length)\r\n".utf8)
    }

    private mutating func trailer(_ line: Span<UInt8>) -> [UInt8]? {
        if line.isEmpty {
            part = .requestLine
            return nil
        }
        return nameFault(line).map { fail($0) } ?? []
    }

    /// What is wrong before the value of a header or a trailer.
    private func nameFault(_ line: Span<UInt8>) -> String? {
        if isBlank(line[0]) { return "A header is folded over several lines." }
        for index in line.indices where !isTokenByte(line[index]) {
            if line[index] != UInt8(ascii: ":") { return "A header's name is no token." }
            return index == 0 ? "A header has no name." : nil
        }
        return "A header has no colon."
    }

    private mutating func chunkSize(_ line: Span<UInt8>) -> [UInt8]? {
        guard let chunk = ChunkSize(line) else { return fail("A chunk's size, or its extension, is malformed.") }
        part = chunk.bytes == 0 ? .trailer : .content(chunk.bytes, isChunk: true)
        // libmicrohttpd 1.0.1 takes the line feed after an extension for the chunk's first byte.
        return chunk.hasExtension ? Array("\(String(chunk.bytes, radix: 16))\r\n".utf8) : nil
    }
}

private func isToken(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where !isTokenByte(bytes[index]) { return false }
    return true
}

/// Whether bytes are the version of a request line, whatever its number.
private func isVersion(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == 8, bytes[6] == UInt8(ascii: "."), isDigit(bytes[5]), isDigit(bytes[7]) else { return false }
    return bytes[0] == UInt8(ascii: "H") && bytes[1] == UInt8(ascii: "T") && bytes[2] == UInt8(ascii: "T")
        && bytes[3] == UInt8(ascii: "P") && bytes[4] == UInt8(ascii: "/")
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

/// Where the value of a header is, between spaces and tabs, after a name and a colon of `nameCount` bytes.
private func valueRange(_ line: Span<UInt8>, after nameCount: Int) -> Range<Int> {
    var (start, end) = (nameCount, line.count)
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    return start..<end
}

/// Whether a line is a field with that name, which is in lower case.
private func isField(_ line: Span<UInt8>, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    return line.count > count && line[count] == UInt8(ascii: ":") && hasPrefix(line, name)
}

/// Whether the bytes, of which there are enough, begin with that text in upper or lower case.
private func hasPrefix(_ bytes: Span<UInt8>, _ text: StaticString) -> Bool {
    // SAFETY: a static string's bytes are never freed, and `index` is below their count.
    for index in 0..<text.utf8CodeUnitCount where unsafe bytes[index] | 0x20 != text.utf8Start[index] { return false }
    return true
}

private func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    // SAFETY: the search stays between `start` and the buffer's end, during the call.
    unsafe bytes.withUnsafeBufferPointer { buffer in
        guard start < buffer.count, let base = buffer.baseAddress,
            let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
