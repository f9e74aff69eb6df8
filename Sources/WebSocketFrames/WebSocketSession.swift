/// A server's side of one WebSocket after its handshake: what to answer, when to ask whether the peer lives, how it ends.
///
/// A value without I/O: bytes and times go in (milliseconds of one monotonic clock), actions come out.
public struct WebSocketSession: Sendable {
    /// The times and sizes of a session.
    public struct Options: Sendable {
        /// The largest message a client may send, in bytes.
        public var messageLimit = 65536
        /// After so long without a byte from the peer it is asked whether it lives.
        public var pingMilliseconds: UInt64 = 25_000
        /// How long the peer may take to answer that, with anything.
        public var pongMilliseconds: UInt64 = 20_000
        /// How long the peer may take to answer a close frame.
        public var closeMilliseconds: UInt64 = 5_000

        /// The defaults.
        public init() {}
    }

    /// What the owner of the socket does now, in order.
    public enum Action: Hashable, Sendable {
        /// Hand it to the application.
        case deliver(Message)
        /// A whole frame.
        case send([UInt8])
        /// The close frame: no message may follow it.
        case sendClose([UInt8])
        /// The session is over: nothing more is sent once what is queued has gone out; then the connection is closed.
        case finish
        /// The peer is silent or does not close: close the connection without waiting for anything.
        case abort
    }

    private enum State {
        case open
        /// Probed since the last byte.
        case probing
        /// We sent a close frame and wait for the peer's.
        case closing
        case over
    }

    private let options: Options
    private var reader: FrameReader
    private var state = State.open
    private var events: [ClientEvent] = []
    /// When `tick` has something to do.
    public private(set) var deadline: UInt64
    /// How it ended, from whichever side spoke first; nil while open, and where the peer just vanished.
    public private(set) var closeStatus: CloseStatus?

    /// A session that begins now, after the handshake.
    public init(options: Options, now: UInt64) {
        self.options = options
        reader = FrameReader(messageLimit: options.messageLimit)
        deadline = now + options.pingMilliseconds
    }

    /// Whether messages may still be sent.
    public var isOpen: Bool {
        switch state {
        case .open, .probing: true
        case .closing, .over: false
        }
    }

    /// Bytes of the peer.
    public mutating func receive(_ bytes: Span<UInt8>, now: UInt64) -> [Action] {
        if isOpen {
            state = .open
            deadline = now + options.pingMilliseconds
        }
        reader.read(bytes, into: &events)
        var actions: [Action] = []
        for event in events { handle(event, &actions) }
        events.removeAll(keepingCapacity: true)
        return actions
    }

    private mutating func handle(_ event: ClientEvent, _ actions: inout [Action]) {
        switch event {
        case .message(let message):
            // Whoever was sent a close frame is not listened to any more.
            if isOpen { actions.append(.deliver(message)) }
        case .ping(let payload):
            if isOpen { actions.append(.send(ServerFrame.pong(payload))) }
        case .pong: break
        case .close(let status):
            // An answer of the same code, unless this is the answer already.
            if isOpen { actions.append(.sendClose(ServerFrame.close(CloseStatus(status.code)))) }
            end(status, &actions)
        case .violation(let violation):
            let status = CloseStatus(violation.code, violation.reason)
            if isOpen { actions.append(.sendClose(ServerFrame.close(status))) }
            end(status, &actions)
        }
    }

    private mutating func end(_ status: CloseStatus, _ actions: inout [Action]) {
        closeStatus = closeStatus ?? status
        state = .over
        actions.append(.finish)
    }

    /// Begins the closing handshake; again it does nothing.
    public mutating func close(_ status: CloseStatus, now: UInt64) -> [Action] {
        guard isOpen else { return [] }
        closeStatus = status
        state = .closing
        deadline = now + options.closeMilliseconds
        return [.sendClose(ServerFrame.close(status))]
    }

    /// To be called when the deadline has passed.
    public mutating func tick(now: UInt64) -> [Action] {
        guard now >= deadline else { return [] }
        switch state {
        case .open:
            state = .probing
            deadline = now + options.pongMilliseconds
            return [.send(ServerFrame.ping())]
        case .probing, .closing:
            state = .over
            deadline = .max
            return [.abort]
        case .over:
            deadline = .max
            return []
        }
    }
}
