/// The server's protocol state of one WebSocket after its handshake: replies, keep-alive pings and the closing handshake.
///
/// A value without I/O: takes bytes and times (milliseconds of one monotonic clock), and returns actions.
package struct WebSocketSession: Sendable {
    /// The timeouts and size limits of a session.
    package struct Options: Sendable {
        /// The largest message a client may send, in bytes.
        package var messageLimit = 65536
        /// Time without a byte from the peer after which it is pinged.
        package var pingMilliseconds: UInt64 = 25_000
        /// Time for the peer to send any byte after a ping.
        package var pongMilliseconds: UInt64 = 20_000
        /// Time for the peer to reply to a close frame.
        package var closeMilliseconds: UInt64 = 5_000
        /// Messages and control frames that are processed at once. Each may be answered, so many small ones would delay everything else.
        package var eventsPerTurn = 16

        /// The defaults.
        package init() {}
    }

    /// An action that the owner of the socket must perform, in the order returned.
    package enum Action: Hashable, Sendable {
        /// Pass the message to the application.
        case deliver(Message)
        /// Send an encoded frame.
        case send([UInt8])
        /// Send the encoded close frame; no message may follow it.
        case sendClose([UInt8])
        /// The session has ended: send what is queued, then close the connection.
        case finish
        /// The peer did not respond to a ping or a close frame in time: close the connection at once.
        case abort
    }

    private enum State {
        case open
        /// A ping was sent, and no byte was received since.
        case probing
        /// A close frame was sent, the peer's is pending.
        case closing
        case ended
    }

    private let options: Options
    private var reader: FrameReader
    private var state = State.open
    private var events: [ClientEvent] = []
    /// Received bytes that are still to be processed.
    private var unread: [UInt8] = []
    /// When `tick` must be called, in milliseconds of the same clock; `.max`: never.
    package private(set) var deadline: UInt64

    /// A session that starts at `now`, after the handshake.
    package init(options: Options, now: UInt64) {
        self.options = options
        reader = FrameReader(messageLimit: options.messageLimit)
        deadline = now + options.pingMilliseconds
    }

    /// Whether messages may still be sent.
    package var isOpen: Bool {
        switch state {
        case .open, .probing: true
        case .closing, .ended: false
        }
    }

    /// Whether bytes were received that are still to be processed, by `proceed`. Until then the owner should receive no more, because they
    /// are kept here.
    package var hasUnread: Bool { !unread.isEmpty }
    /// Bytes that the frame still needs of which the beginning was processed; 0 between frames.
    package var expectedBytes: Int { reader.remaining }

    /// Processes bytes received from the peer, up to `Options.eventsPerTurn` messages and control frames.
    package mutating func receive(_ bytes: Span<UInt8>, now: UInt64) -> [Action] {
        if isOpen {
            state = .open
            deadline = now + options.pingMilliseconds
        }
        let count = hasUnread ? 0 : reader.read(bytes, into: &events, limit: options.eventsPerTurn)
        for index in count..<bytes.count { unread.append(bytes[index]) }
        return takeActions()
    }

    /// Processes as much again of what was received before.
    package mutating func proceed() -> [Action] {
        let bytes = unread
        let count = reader.read(bytes.span, into: &events, limit: options.eventsPerTurn)
        unread = Array(bytes[count...])
        return takeActions()
    }

    private mutating func takeActions() -> [Action] {
        var actions: [Action] = []
        for event in events { handle(event, &actions) }
        events.removeAll(keepingCapacity: true)
        return actions
    }

    private mutating func handle(_ event: ClientEvent, _ actions: inout [Action]) {
        switch event {
        case .message(let message):
            // Messages received after the server's own close frame are ignored.
            if isOpen { actions.append(.deliver(message)) }
        case .ping(let payload):
            if isOpen { actions.append(.send(ServerFrame.pong(payload))) }
        case .pong: break
        case .close(let status): end(CloseStatus(status.code), &actions)
        case .violation(let violation): end(CloseStatus(violation.code, violation.reason), &actions)
        }
    }

    /// Ends the session with a close frame, unless the server has sent its own before.
    private mutating func end(_ status: CloseStatus, _ actions: inout [Action]) {
        if isOpen { actions.append(.sendClose(ServerFrame.close(status))) }
        state = .ended
        actions.append(.finish)
    }

    /// Begins the closing handshake; does nothing if it has begun.
    package mutating func close(_ status: CloseStatus, now: UInt64) -> [Action] {
        guard isOpen else { return [] }
        state = .closing
        deadline = now + options.closeMilliseconds
        return [.sendClose(ServerFrame.close(status))]
    }

    /// Sends a ping or aborts once `deadline` has passed; does nothing before.
    package mutating func tick(now: UInt64) -> [Action] {
        guard now >= deadline else { return [] }
        switch state {
        case .open:
            state = .probing
            deadline = now + options.pongMilliseconds
            return [.send(ServerFrame.ping())]
        case .probing, .closing:
            state = .ended
            deadline = .max
            return [.abort]
        case .ended:
            deadline = .max
            return []
        }
    }
}
