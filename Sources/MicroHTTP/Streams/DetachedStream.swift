package import WebSocketFrames

/// A stream or WebSocket whose client is in this process: sent bytes are kept until the client takes them.
package final class DetachedStream: MessageSocket {
    /// The parameters of a response that is a stream or a WebSocket.
    package struct Opening {
        /// 101 for a WebSocket, 200 for server-sent events.
        package let status: Int
        /// In order; names may repeat.
        package let headers: [(name: String, value: String)]
        /// The options of a WebSocket; nil for a stream of server-sent events.
        let webSocket: WebSocketSession.Options?
        let outgoingLimit: Int
        /// The close status for a reader that exceeds `outgoingLimit`; nil: the stream ends without one.
        let overflow: CloseStatus?
    }

    /// Called with each complete message of the client.
    package var onMessage: ((Message) -> Void)?
    /// Called once, when the stream takes no more bytes.
    package var onEnd: (() -> Void)?
    /// Called when the client has read all buffered bytes after it resumed reading.
    package var onDrained: (() -> Void)?
    /// Whether the client reads sent bytes at once; if false, they are buffered.
    package var isReading = true {
        didSet { if isReading { drain() } }
    }
    /// Bytes that the client has received and `take` has not returned yet.
    private var taken: [UInt8] = []
    private var waiting: [UInt8] = []
    private unowned let loop: DetachedLoop
    private let address: String
    private let opening: Opening
    private var session: WebSocketSession?
    private var hasEnded = false

    init(_ opening: Opening, on loop: DetachedLoop, from address: String) {
        self.loop = loop
        self.address = address
        self.opening = opening
        session = opening.webSocket.map { WebSocketSession(options: $0, now: loop.milliseconds) }
    }

    /// Whether this is a WebSocket rather than a stream of server-sent events.
    package var isWebSocket: Bool { session != nil }
    /// Whether the stream still takes bytes.
    package var isOpen: Bool { !hasEnded }
    /// Bytes that wait for a client that does not read.
    package var bufferedBytes: Int { waiting.count }
    /// When `tick` must be called, in milliseconds of the loop's clock; `.max`: never.
    package var deadline: UInt64 { hasEnded ? .max : session?.deadline ?? .max }

    /// Sends in order; beyond the limit of buffered bytes the stream is closed instead.
    package func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        guard waiting.count + bytes.count <= opening.outgoingLimit else {
            waiting = []
            if let overflow = opening.overflow { close(overflow) } else { end() }
            return
        }
        if isReading { taken += bytes.bytes } else { waiting += bytes.bytes }
    }

    /// Begins the closing handshake of a WebSocket; ends a stream of server-sent events.
    package func close(_ status: CloseStatus) {
        guard isOpen else { return }
        guard var session else { return end() }
        let actions = session.close(status, now: loop.milliseconds)
        self.session = session
        perform(actions)
    }

    /// Creates an exchange of a request in a message, and passes it to the loop's handler.
    package func handle(_ request: DetachedRequest) { loop.handle(request, from: address) }

    /// Receives bytes from the client; a stream of server-sent events ignores them.
    package func receive(_ bytes: [UInt8]) {
        guard isOpen, var session else { return }
        let actions = session.receive(bytes.span, now: loop.milliseconds)
        self.session = session
        perform(actions)
        while proceed() {}
    }

    /// Processes more of what was received; false if there was no more.
    private func proceed() -> Bool {
        guard isOpen, var session, session.hasUnread else { return false }
        let actions = session.proceed()
        self.session = session
        perform(actions)
        return true
    }

    /// To be called when the deadline has passed.
    package func tick() {
        guard isOpen, var session else { return }
        let actions = session.tick(now: loop.milliseconds)
        self.session = session
        perform(actions)
    }

    /// Simulates that the client disconnects without a close frame.
    package func hangUp() { end() }

    /// The bytes that the client has received since the last call.
    package func take() -> [UInt8] {
        defer { taken = [] }
        return taken
    }

    private func drain() {
        guard !waiting.isEmpty else { return }
        taken += waiting
        waiting = []
        if isOpen { onDrained?() }
    }

    private func perform(_ actions: [WebSocketSession.Action]) {
        for action in actions {
            switch action {
            case .deliver(let message): if isOpen { onMessage?(message) }
            case .send(let frame): send(SharedBytes(frame))
            case .sendClose(let frame):
                send(SharedBytes(frame))
                end()
            case .finish, .abort: end()
            }
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        let end = onEnd
        (onEnd, onMessage, onDrained) = (nil, nil, nil)
        end?()
    }
}
