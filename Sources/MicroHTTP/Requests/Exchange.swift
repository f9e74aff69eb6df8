internal import Glibc

/// One request and its response. Used on its loop's thread only.
package final class Exchange {
    enum Phase: Equatable {
        /// The request line was received, the head may be incomplete.
        case head
        /// The body is being received.
        case receiving
        /// The handler is being called.
        case handling
        /// The handler returned in this turn of the loop without a response; unless it responds before, the connection is suspended in the
        /// next turn.
        case waiting(since: UInt64)
        /// The connection is suspended until the response.
        case suspended
        /// A response is queued or being sent.
        case responded
        /// The response is a stream, which `stream` writes.
        case streaming
        /// The response was sent, or the connection ended.
        case ended

        /// Whether the handler has returned without a response so far.
        var isUnanswered: Bool {
            switch self {
            case .waiting, .suspended: true
            default: false
            }
        }
    }

    /// The handler's notes on an exchange.
    package struct Notes {
        /// The index of the matched route.
        package var routeIndex = 0
        /// When the handler was called with the exchange, on a clock of its choice; 0 until then.
        package var beganAt: Int64 = 0
        /// Added to the response, whichever it is: set before it responds. A WebSocket's handshake does not have them.
        package var commonHeaders: SharedHeaders?
    }

    /// A response that may not fit into the kernel's buffers: its size, 0 for a small one; and when it was queued.
    struct Unread {
        var bytes = 0
        var queuedAt: UInt64 = 0
    }

    /// Identifies this exchange on its loop; may be passed to other threads.
    package let id: ExchangeID
    /// The handler's notes.
    package var notes = Notes()

    let connection: Connection
    let target: RequestTarget
    /// Empty until it was received.
    var head = RequestHead()
    /// What was received of the body so far; at most `HTTPLimits.bodyBytes`, or what the handler's `bodyAllowance` admitted.
    var received: [UInt8] = []
    var phase = Phase.head
    var onHangUp: (() -> Void)?
    var unread = Unread()
    /// Set if the body is larger than `HTTPLimits.bodyBytes`, until the exchange has ended.
    var largeBody: IncomingBody?
    /// Set while the response is a stream or a WebSocket.
    var stream: (any LoopStream)?
    /// Set if the request was not received by HTTP.
    let detached: DetachedRequest?

    init(id: ExchangeID, connection: Connection, target: RequestTarget) {
        self.id = id
        self.connection = connection
        self.target = target
        detached = nil
    }

    init(id: ExchangeID, connection: Connection, detached: DetachedRequest) {
        self.id = id
        self.connection = connection
        self.detached = detached
        (target, received) = (detached.target, detached.body)
        head = RequestHead(detached.method, detached.headers)
        phase = .suspended
    }

    /// The request's method; `get` until the head was received.
    package var method: HTTPMethod { head.method }

    /// The complete body.
    package var body: [UInt8] { content?.bytes ?? received }

    /// Whether the body has any bytes.
    package var hasBody: Bool { !(content?.isEmpty ?? received.isEmpty) }

    /// The number of bytes that were received of the body, or of the message that the content is a part of.
    package var receivedCount: Int { content?.receivedCount ?? received.count }

    /// The content that the handler has read already; nil for a body that was received by HTTP.
    package var content: (any ReadContent)? { detached?.content }

    /// The path as sent, percent-encoded, without the query.
    package var path: String { target.path }

    /// Whether the path has the same bytes as a text.
    package func hasPath(_ text: String) -> Bool {
        let (path, text) = (target.path.utf8Span.span, text.utf8Span.span)
        guard path.count == text.count else { return false }
        // SAFETY: both have `path.count` bytes, which live for the call.
        return unsafe path.withUnsafeBytes { path in
            unsafe text.withUnsafeBytes { text in
                guard let one = path.baseAddress, let other = text.baseAddress else { return false }
                return unsafe memcmp(one, other, path.count) == 0
            }
        }
    }

    /// The part of the target after the `?`, as sent; nil without a `?`.
    package var query: String? { target.query }

    /// The loop that owns this exchange.
    package var loop: EventLoop { connection.core.loop }

    /// What the handler knows of the client from earlier requests on the same connection.
    package var memo: AnyObject? {
        get { connection.memo }
        set { connection.memo = newValue }
    }

    /// The client's address: numeric, no port.
    package var remoteAddress: String { connection.remoteAddress }

    /// The network that the connection counts towards; nil for a shared address, and for a request that was not received by HTTP.
    package var connectionNetwork: ClientNetwork? { connection.peer?.key }

    /// The refusal for long-lived responses; nil if one may begin. A tenth of the connections is reserved for short requests, of the
    /// server's and of this client's address. The refusal is set once only that tenth is left.
    package var capacityRefusal: RequestRefusal? {
        let budget = connection.core.admission.budget
        if budget.isNearlyFull { return .nearlyFull(limit: budget.limits.connections) }
        if let peer = connection.peer, budget.isNearlyFull(peer) {
            return .addressNearlyFull(limit: budget.limits.connectionsPerAddress)
        }
        return nil
    }

    /// Whether the connection is encrypted by this server itself.
    package var isEncrypted: Bool { connection.core.daemons.isEncrypted }

    /// Sends the response. A second response, or one after the connection ended, is logged and ignored.
    package func respond(_ response: Response) {
        if detached != nil { return connection.core.exchanges.respondDetached(self, response) }
        connection.core.exchanges.respond(response, to: self)
    }

    /// Sends a response whose encoded bytes many exchanges share.
    package func respond(_ response: SharedResponse) {
        if detached != nil { return connection.core.exchanges.respondDetached(self, response.response) }
        connection.core.exchanges.respond(response, to: self)
    }

    /// For long polls: once the client closes its side, the exchange ends without a response and `onHangUp` is called. Without
    /// this, an exchange gets its response even if the client has closed its sending side, which HTTP allows. The client's next bytes
    /// wait until the requests of ordinary connections were read.
    package func watchHangUp(_ onHangUp: @escaping () -> Void) {
        guard phase == .handling || phase.isUnanswered else { return }
        self.onHangUp = onHangUp
        connection.setLowPriority(true)
        if phase == .suspended, detached == nil { connection.watchHangUp() }
    }
}
