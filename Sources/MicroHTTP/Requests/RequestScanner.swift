internal import Glibc

/// Scans the raw bytes of one connection, request by request, for faults that libmicrohttpd accepts without reporting them: what
/// RFC 9112 forbids and another HTTP implementation could parse differently.
///
/// `HeadValidator` checks the head as libmicrohttpd parsed it; this checks the bytes before parsing. Requests are counted, so that a
/// fault refuses the request that contains it, not an earlier one in the same bytes.
package struct RequestScanner {
    private enum Part {
        case requestLine, header, chunkSize, chunkEnd, trailer
        /// The remaining bytes of a body, or of a chunk.
        case content(Int, isChunk: Bool)
        /// After a fault the rest is not scanned.
        case nothing
    }

    /// Number of requests that have started; the last one may be incomplete.
    package private(set) var requestCount = 0
    /// The fault of the last request; nil if none was found.
    package private(set) var fault: String?
    /// What the caller has to overwrite in the bytes that were scanned last, before libmicrohttpd parses them.
    package private(set) var overwrites: [HeaderOverwrite] = []

    /// Whether no byte was scanned after the last complete request, or none at all.
    var isBetweenRequests: Bool {
        if case .requestLine = part { partialLine.isEmpty && !hasEmptyLineBefore } else { false }
    }

    private var part = Part.requestLine
    /// The beginning of a line whose line break was not received yet.
    private var partialLine: [UInt8] = []
    private let lineLimit: Int
    private var hasEmptyLineBefore = false
    private var contentLength = 0
    private var isChunked = false
    /// Where the line begins in the bytes that are being scanned; nil if it began in earlier ones.
    private var lineOffset: Int?

    /// - Parameter lineLimit: in bytes; scanning ends at a longer line, which exceeds libmicrohttpd's memory as well.
    package init(lineLimit: Int) {
        self.lineLimit = lineLimit
    }

    /// Scans the next bytes, which may be split at any position.
    package mutating func scan(_ bytes: Span<UInt8>) {
        if !overwrites.isEmpty { overwrites = [] }
        var position = 0
        while position < bytes.count {
            switch part {
            case .nothing: return
            case .content(let left, let isChunk):
                let count = min(left, bytes.count - position)
                position += count
                part = count < left ? .content(left - count, isChunk: isChunk) : isChunk ? .chunkEnd : .requestLine
            default:
                guard let end = firstIndex(of: UInt8(ascii: "\n"), in: bytes, from: position) else {
                    let piece = bytes.extracting(position...)
                    if case .header = part { hideCookies(of: piece, at: partialLine.isEmpty ? position : nil) }
                    return keep(piece)
                }
                let piece = bytes.extracting(position..<end)
                lineOffset = partialLine.isEmpty ? position : nil
                position = end + 1
                if partialLine.isEmpty {
                    line(endingIn: piece)
                } else {
                    keep(piece)
                    let whole = partialLine
                    partialLine = []
                    line(endingIn: whole.span)
                }
            }
        }
    }

    private mutating func keep(_ piece: Span<UInt8>) {
        guard partialLine.count + piece.count <= lineLimit else {
            part = .nothing
            partialLine = []
            return
        }
        for index in piece.indices { partialLine.append(piece[index]) }
    }

    /// Handles a line without its line feed.
    private mutating func line(endingIn line: Span<UInt8>) {
        guard line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") else {
            return fail("A line ends in a line feed without a carriage return.")
        }
        let text = line.extracting(..<(line.count - 1))
        guard firstIndex(of: 0, in: text, from: 0) == nil else { return fail("The head, or a chunk's size, has a NUL.") }
        switch part {
        case .requestLine: requestLine(text)
        case .header: header(text)
        case .chunkSize: chunkSize(text)
        case .chunkEnd: if text.isEmpty { part = .chunkSize } else { fail("A chunk is longer than its size.") }
        case .trailer: trailer(text)
        case .content, .nothing: break
        }
    }

    private mutating func fail(_ fault: String) {
        if case .requestLine = part { requestCount += 1 }
        self.fault = fault
        part = .nothing
    }

    // RFC 9112, section 2.2: one empty line before a request is ignored; some clients end a body with it.
    private mutating func requestLine(_ line: Span<UInt8>) {
        if line.isEmpty {
            guard !hasEmptyLineBefore else { return fail("Several empty lines come before the request.") }
            hasEmptyLineBefore = true
            return
        }
        guard let first = firstIndex(of: UInt8(ascii: " "), in: line, from: 0),
            let second = firstIndex(of: UInt8(ascii: " "), in: line, from: first + 1),
            first > 0, second > first + 1, firstIndex(of: UInt8(ascii: " "), in: line, from: second + 1) == nil
        else { return fail("A request line is a method, a target and a version with one space between each.") }
        requestCount += 1
        hasEmptyLineBefore = false
        contentLength = 0
        isChunked = false
        part = .header
    }

    private mutating func header(_ line: Span<UInt8>) {
        guard !line.isEmpty else {
            part = isChunked ? .chunkSize : contentLength > 0 ? .content(contentLength, isChunk: false) : .requestLine
            return
        }
        guard beginsWithName(line) else { return }
        // Only the request's length matters here: `HeadValidator` refuses conflicting values of both headers.
        if isField(line, "content-length") {
            length(line, after: "content-length:".utf8.count)
        } else if isField(line, "transfer-encoding") {
            isChunked = true
        } else {
            hideCookies(of: line, at: lineOffset)
        }
    }

    /// Nothing here reads cookies, and libmicrohttpd would copy and parse them in the memory that the response needs.
    ///
    /// - Parameters:
    ///   - line: A header, or its beginning.
    ///   - offset: Where it begins in the bytes that are being scanned; nil if it began in earlier ones.
    private mutating func hideCookies(of line: Span<UInt8>, at offset: Int?) {
        if let offset, isField(line, "cookie") { overwrites.append(.hiding(at: offset)) }
    }

    private mutating func length(_ line: Span<UInt8>, after nameCount: Int) {
        let value = line.extracting(nameCount...)
        guard let digits = HeaderOverwrite.digits(ofLength: value) else {
            if let lineOffset { overwrites.append(.hiding(at: lineOffset)) }
            return fail("Content-Length is a decimal number.")
        }
        contentLength = decimal(value.extracting(digits))
        if let lineOffset, let overwrite = HeaderOverwrite(length: value, digits: digits, at: lineOffset + nameCount) {
            overwrites.append(overwrite)
        }
    }

    private mutating func trailer(_ line: Span<UInt8>) {
        if line.isEmpty { part = .requestLine } else { _ = beginsWithName(line) }
    }

    private mutating func beginsWithName(_ line: Span<UInt8>) -> Bool {
        switch line[0] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): fail("A header is folded over several lines.")
        case UInt8(ascii: ":"): fail("A header has no name.")
        default: return true
        }
        return false
    }

    private mutating func chunkSize(_ line: Span<UInt8>) {
        guard let chunk = ChunkSize(line) else { return fail("A chunk's size, or its extension, is malformed.") }
        part = chunk.bytes == 0 ? .trailer : .content(chunk.bytes, isChunk: true)
    }
}

/// Whether a line is a field with that name, which is in lower case.
private func isField(_ line: Span<UInt8>, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard line.count > count, line[count] == UInt8(ascii: ":") else { return false }
    // SAFETY: a static string's bytes are never freed, and `index` is below their count.
    for index in 0..<count where unsafe line[index] | 0x20 != name.utf8Start[index] { return false }
    return true
}

/// The number of these digits.
private func decimal(_ digits: Span<UInt8>) -> Int {
    var number = 0
    // Saturates: beyond any limit the value need not be exact.
    for index in digits.indices { number = min(number, Int.max / 16) * 10 + Int(digits[index] - UInt8(ascii: "0")) }
    return number
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
