internal import CMicroHTTPDShims

/// Reads a connection's bytes for libmicrohttpd, and scans them before libmicrohttpd parses them.
struct RequestReader {
    private var scanner: RequestScanner
    /// The rest of the scanner's replacement for received bytes, which libmicrohttpd had no room for.
    private var surplus: [UInt8] = []
    /// The request lines that libmicrohttpd has reported.
    private var requestCount = 0
    /// The target of the last request, if it is kept.
    private var lastTarget: RequestTarget?

    /// - Parameter lineLimit: most bytes of a line that are kept until its end arrives.
    init(lineLimit: Int) { scanner = RequestScanner(lineLimit: lineLimit) }

    /// Parses a request's target, unless it is that of the request before, as for a client that bids again.
    @unsafe
    mutating func target(_ text: UnsafePointer<CChar>) -> RequestTarget {
        if let lastTarget, unsafe lastTarget.isEqual(to: text) { return lastTarget }
        let target = unsafe RequestTarget(text)
        lastTarget = target.isKept ? target : nil
        return target
    }

    /// libmicrohttpd has reported a request line.
    mutating func beganRequest() { requestCount += 1 }

    /// The request is over, and libmicrohttpd still has the connection.
    mutating func endedRequest() { scanner.upgradeEnded() }

    /// The fault in the bytes of the request that is being read, so far.
    var fault: String? {
        guard scanner.requestCount <= requestCount else { return nil }  // any fault is in a later, pipelined request
        return scanner.requestCount == requestCount ? scanner.fault : "It is in doubt where the request begins."
    }

    /// Whether bytes after the current request were read already: the client has sent the next one.
    var hasReadAhead: Bool { scanner.requestCount > requestCount || !scanner.isBetweenRequests || !surplus.isEmpty }

    /// Most reads at once after a fault; they drop what they read.
    private static let droppedReads = 16

    /// Reads for libmicrohttpd, with the result that it expects.
    ///
    /// libmicrohttpd takes fewer bytes than it has asked for as a sign that the socket has no more. It then waits for the kernel's next
    /// report. So this returns fewer only if that is true, though the scanner keeps a part of a line until its rest arrives.
    @unsafe
    mutating func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var (passedOn, drops, count) = (surplus, 0, 0)
        guard passedOn.count < buffer.count else { return unsafe fill(buffer, with: passedOn) }
        repeat {
            // SAFETY: the bytes are read and written within the buffer, which is libmicrohttpd's for this call.
            count = unsafe micro_read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return passedOn.isEmpty ? count : unsafe fill(buffer, with: passedOn) }
            let received = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).assumingMemoryBound(to: UInt8.self)
            if let bytes = unsafe scanner.scan(received.span) {
                passedOn += bytes
            } else if passedOn.isEmpty {
                return count  // as usual: nothing to copy
            } else {
                unsafe passedOn.append(contentsOf: received)
            }
            if scanner.isRefused { drops += 1 }
        } while drops < Self.droppedReads && passedOn.count < buffer.count && (passedOn.isEmpty || count == buffer.count)
        return passedOn.isEmpty ? micro_read_nothing() : unsafe fill(buffer, with: passedOn)
    }

    @unsafe
    private mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, with bytes: [UInt8]) -> Int {
        let count = min(bytes.count, buffer.count)
        // SAFETY: as many bytes as fit.
        unsafe buffer.copyBytes(from: bytes[..<count])
        surplus = count < bytes.count ? Array(bytes[count...]) : []
        return count
    }
}
