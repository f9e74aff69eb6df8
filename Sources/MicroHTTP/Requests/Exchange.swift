/// One request and its response. Used on its loop's thread only.
package final class Exchange {
    enum Phase {
        /// The request line was received, the head may be incomplete.
        case head
        /// The body is being received.
        case receiving
        /// The handler is being called.
        case handling
        /// The handler returned without a response; unless it responds before, the connection is suspended in the next turn.
        case waiting
        /// The connection is suspended until the response.
        case suspended
        /// A response is queued or being sent.
        case responded
        /// The response is a stream, which `stream` writes.
        case streaming
        /// The response was sent, or the connection ended.
        case ended
    }

    /// Identifies this exchange on its loop; may be passed to other threads.
    package let id: ExchangeID
    /// The request's method; `get` until the head was received.
    package internal(set) var method = HTTPMethod.get
    /// The path as sent, percent-encoded, without the query.
    package let path: String
    /// The part of the target after the `?`, as sent; nil without a `?`.
    package let query: String?
    /// The complete body; at most `HTTPLimits.bodyBytes`, or what the handler's `bodyAllowance` admitted.
    package internal(set) var body: [UInt8] = []
    /// For the handler: the index of the matched route.
    package var routeIndex = 0
    /// For the handler: when it was called with the exchange, on a clock of its choice; 0 until then.
    package var beganAt: Int64 = 0
    /// Added to the response, whichever it is: set by the handler before it responds. A WebSocket's handshake does not have them.
    package var commonHeaders: SharedHeaders?

    let connection: Connection
    let targetBytes: Int
    /// Number of the query's parts.
    let parameterCount: Int
    let isTargetPrintable: Bool
    let targetAuthority: String?
    let targetForm: RequestTarget.Form
    var phase = Phase.head
    /// The loop's turn in which the handler was called.
    var handledTurn: UInt64 = 0
    var onHangUp: (() -> Void)?
    var isVersion10 = false
    /// The size of a response that may not fit into the kernel's buffers, 0 for a small one; and when it was queued.
    var pendingBytes = 0
    var respondedAt: UInt64 = 0
    /// Set if the body is larger than `HTTPLimits.bodyBytes`, until the exchange has ended.
    var largeBody: IncomingBody?
    /// Set while the response is a stream or a WebSocket.
    var stream: (any LoopStream)?
    /// Set if the request was not received by HTTP.
    let detached: DetachedRequest?

    init(id: ExchangeID, connection: Connection, target: RequestTarget) {
        self.id = id
        self.connection = connection
        path = target.path
        query = target.query
        targetBytes = target.byteCount
        parameterCount = target.parameterCount
        isTargetPrintable = target.isPrintable
        targetAuthority = target.authority
        targetForm = target.form
        detached = nil
    }

    /// - Parameter target: set if the request's head is validated like one received by HTTP.
    init(id: ExchangeID, connection: Connection, detached: DetachedRequest, target: RequestTarget? = nil) {
        self.id = id
        self.connection = connection
        self.detached = detached
        method = detached.method
        path = detached.path
        query = detached.query
        body = detached.body
        targetBytes = target?.byteCount ?? 0
        parameterCount = target?.parameterCount ?? 0
        isTargetPrintable = target?.isPrintable ?? true
        targetAuthority = target?.authority
        targetForm = target?.form ?? .origin
        phase = .suspended
    }

    /// The loop that owns this exchange.
    package var loop: EventLoop { connection.core.loop }

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
        guard phase == .handling || phase == .waiting || phase == .suspended else { return }
        self.onHangUp = onHangUp
        connection.setLowPriority(true)
        if phase == .suspended, detached == nil { connection.watchHangUp() }
    }
}
