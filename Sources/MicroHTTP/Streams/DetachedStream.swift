package import WebSocketFrames

/// A stream or WebSocket whose client is in this process: what is sent to it is kept until the client takes it.
package final class DetachedStream: MessageSocket {
    /// How the answer to a request becomes a stream.
    package struct Opening {
        /// 101 or 200.
        package let status: Int
        package let headers: [(name: String, value: String)]
        /// Of a WebSocket; nil for a stream of server-sent events.
        let webSocket: WebSocketSession.Options?
        let outgoingLimit: Int
        /// What a reader is sent for whom more would wait; nil: the stream is cut.
        let overflow: CloseStatus?
    }

    package var onMessage: ((Message) -> Void)?
    package var onEnd: (() -> Void)?
    package var onDrained: (() -> Void)?
    /// Whether the client takes what is sent at once.
    package var isReading = true {
        didSet { if isReading { drain() } }
    }
    /// What the client has taken and not yet asked for.
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

    /// Whether this is a WebSocket.
    package var isWebSocket: Bool { session != nil }
    package var isOpen: Bool { !hasEnded }
    package var bufferedBytes: Int { waiting.count }
    /// When `tick` has something to do.
    package var deadline: UInt64 { hasEnded ? .max : session?.deadline ?? .max }

    package func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        guard waiting.count + bytes.count <= opening.outgoingLimit else {
            waiting = []
            if let overflow = opening.overflow { close(overflow) } else { end() }
            return
        }
        if isReading { taken += bytes.bytes } else { waiting += bytes.bytes }
    }

    package func close(_ status: CloseStatus) {
        guard isOpen else { return }
        guard var session else { return end() }
        let actions = session.close(status, now: loop.milliseconds)
        self.session = session
        perform(actions)
    }

    package func handle(_ request: DetachedRequest) { loop.handle(request, from: address) }

    /// Bytes that the client sends; a stream of server-sent events takes none.
    package func receive(_ bytes: [UInt8]) {
        guard isOpen, var session else { return }
        let actions = session.receive(bytes.span, now: loop.milliseconds)
        self.session = session
        perform(actions)
    }

    /// To be called when the deadline has passed.
    package func tick() {
        guard isOpen, var session else { return }
        let actions = session.tick(now: loop.milliseconds)
        self.session = session
        perform(actions)
    }

    /// The client is gone without a word.
    package func hangUp() { end() }

    /// What the client has received since it asked last.
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
