/// A subscriber: its socket, and the parser of its stream.
final class LoadSubscriber {
    private enum Body {
        /// The head of the response has not been received.
        case none
        case frames
        case chunks
        /// Without framing, until the connection ends.
        case plain
        case responses
    }

    let descriptor: Int32
    /// Whether nothing is read from it once it is open, to simulate a slow client.
    let isStalled: Bool
    private(set) var isOpen = false
    var isGone = false
    private let target: StreamTarget
    private var body: Body
    private var head: [UInt8] = []
    private var scanner: MarkerScanner
    private var frames = FrameDecoder()
    private var chunks = ChunkDecoder()
    private var responses = ResponseReader()

    init(_ target: StreamTarget, stalled: Bool) throws(LoadFailure) {
        self.target = target
        scanner = target.scanner
        isStalled = stalled
        body = target.transport == .longPoll ? .responses : .none
        descriptor = try LoadSocket.open(port: target.port, receiveBytes: stalled ? 4096 : nil)
        guard LoadSocket.send(target.subscription, to: descriptor) else { throw LoadFailure("a request was not taken") }
        // A held long-poll receives no response yet.
        isOpen = target.transport == .longPoll
    }

    /// Parses received bytes.
    ///
    /// - Parameter found: the numbers of messages in them are appended to it.
    func received(_ bytes: Span<UInt8>, _ found: inout [Int]) throws(LoadFailure) {
        switch body {
        case .none: try opened(bytes, &found)
        case .frames: follow(frames: bytes, from: 0, &found)
        case .chunks:
            chunks.feed(bytes, from: 0, &scanner, into: &found)
            if chunks.isClosed { isGone = true }
        case .plain: scanner.scan(bytes, bytes.indices, into: &found)
        case .responses: poll(bytes, &found)
        }
    }

    private func opened(_ bytes: Span<UInt8>, _ found: inout [Int]) throws(LoadFailure) {
        for at in bytes.indices { head.append(bytes[at]) }
        // A copy, because without the checks of exclusive access the compiler allows no span of a variable to be kept.
        let head = head
        guard let answer = ResponseHead(head.span) else { return }
        guard answer.status == (target.transport == .webSocket ? 101 : 200) else {
            throw LoadFailure("a subscriber was answered \(String(decoding: head.prefix(600), as: UTF8.self))")
        }
        isOpen = true
        body = target.transport == .webSocket ? .frames : answer.isChunked ? .chunks : .plain
        let rest = Array(head[answer.bodyStart...])
        self.head = []
        if !rest.isEmpty { try received(rest.span, &found) }
    }

    private func follow(frames bytes: Span<UInt8>, from start: Int, _ found: inout [Int]) {
        frames.feed(bytes, from: start, &scanner, into: &found)
        if frames.isClosed { isGone = true }
        while frames.pings > 0 {
            frames.pings -= 1
            // An empty pong, masked with zeros. It lacks the ping's payload, but suffices as a keep-alive.
            _ = LoadSocket.send([0x8A, 0x80, 0, 0, 0, 0], to: descriptor)
        }
    }

    private func poll(_ bytes: Span<UInt8>, _ found: inout [Int]) {
        var numbers: [Int] = []
        var next: [UInt8]?
        var scanner = target.scanner
        var isRefused = false
        let target = target
        responses.feed(bytes) { answer, head in
            if head.status >= 400 { isRefused = true }
            scanner.scan(answer, head.bodyStart..<answer.count, into: &numbers)
            next = target.nextPoll(after: answer, head)
        }
        if let next, !LoadSocket.send(next, to: descriptor) { isGone = true }
        if isRefused { isGone = true }
        found += numbers
    }
}
