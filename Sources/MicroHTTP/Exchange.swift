internal import CMicroHTTPDShims

/// One request and its answer. It lives on its loop, and so do its methods.
public final class Exchange {
    enum Phase {
        /// The request line is there; the head may not be.
        case head
        /// The body is coming.
        case receiving
        /// The handler is being called.
        case handling
        /// The handler returned without an answer; the connection is suspended in the next turn, unless the answer comes before.
        case waiting
        /// The connection is suspended.
        case held
        /// An answer is on its way.
        case answered
        /// The answer is a stream, which `stream` writes.
        case streaming
        /// The answer was sent, or the connection ended.
        case gone
    }

    /// Names this exchange on its loop, also from other threads.
    public let id: ExchangeID
    /// `GET`, `POST`, …
    public internal(set) var method = HTTPMethod.get
    /// As sent, still percent-encoded, without the query.
    public let path: String
    /// What followed the `?`, as sent.
    public let query: String?
    /// The whole body; at most `HTTPLimits.bodyBytes`.
    public internal(set) var body: [UInt8] = []
    /// For the handler.
    public var userInfo: AnyObject?
    /// For the handler: which of its routes this is.
    public var routeIndex = 0
    /// For the handler: when it got the exchange, on a clock of its own; 0 until then.
    public var beganAt: Int64 = 0

    let connection: Connection
    let targetBytes: Int
    let isTargetPrintable: Bool
    let targetAuthority: String?
    let targetForm: RequestTarget.Form
    var phase = Phase.head
    var onHangUp: (() -> Void)?
    var isVersion10 = false
    /// Of an answer that does not fit into the kernel's buffers: its bytes, and when it was given.
    var heldBytes = 0
    var answeredAt: UInt64 = 0
    /// Set while the answer is a stream or a WebSocket.
    var stream: (any LoopStream)?
    /// Set where the request did not come by HTTP.
    let detached: DetachedRequest?

    init(id: ExchangeID, connection: Connection, target: RequestTarget) {
        self.id = id
        self.connection = connection
        path = target.path
        query = target.query
        targetBytes = target.byteCount
        isTargetPrintable = target.isPrintable
        targetAuthority = target.authority
        targetForm = target.form
        detached = nil
    }

    /// - Parameter target: of a request whose head was read as one that came by HTTP.
    init(id: ExchangeID, connection: Connection, detached: DetachedRequest, target: RequestTarget? = nil) {
        self.id = id
        self.connection = connection
        self.detached = detached
        method = detached.method
        path = detached.path
        query = detached.query
        body = detached.body
        targetBytes = target?.byteCount ?? 0
        isTargetPrintable = target?.isPrintable ?? true
        targetAuthority = target?.authority
        targetForm = target?.form ?? .origin
        phase = .held
    }

    /// The loop that owns this exchange.
    public var loop: EventLoop { connection.core.loop }

    /// The client's address: numeric, no port.
    public var remoteAddress: String { connection.remoteAddress }

    /// Why a long-lived answer should be refused, as so many connections are taken, of all or of this client's address, that the
    /// tenth that is kept for short requests is touched; nil where it may live.
    public var crowding: RequestRefusal? {
        let budget = connection.core.budget
        if budget.isCrowded { return .crowded(limit: budget.limits.connections) }
        if let peer = connection.peer, budget.isCrowded(peer) {
            return .crowdedAddress(limit: budget.limits.connectionsPerAddress)
        }
        return nil
    }

    /// Whether the connection is encrypted by this server itself.
    public var isEncrypted: Bool { connection.core.isEncrypted }

    /// The first value of a header, whatever the case of its name; nil once the answer is sent.
    public func header(_ name: String) -> String? {
        guard phase != .gone else { return nil }
        if let detached { return detached.headers(name).first }
        // Safe: the connection keeps its headers until the exchange is gone, and the value is copied.
        guard let value = unsafe name.withCString({ unsafe micro_header(connection.handle, $0) }) else { return nil }
        return unsafe String(cString: value)
    }

    /// Every value of a header, in the order sent.
    public func headers(_ name: String) -> [String] {
        guard phase != .gone else { return [] }
        if let detached { return detached.headers(name) }
        var values = HeaderValues(name: name)
        values.collect(from: connection)
        return values.found
    }

    /// Answers, once: a second answer is logged and ignored, as is one that comes after the connection ended.
    public func respond(_ response: Response) {
        if detached != nil { return connection.core.answerDetached(self, response) }
        connection.core.respond(response, to: self)
    }

    /// Answers with bytes that many exchanges share.
    public func respond(_ response: SharedResponse) {
        if detached != nil { return connection.core.answerDetached(self, response.response) }
        connection.core.respond(response, to: self)
    }

    /// For requests that wait long: once the client closes its side, the exchange ends unanswered and `onHangUp` is called.
    /// Without it an exchange is answered even if the client has closed its sending side, which HTTP allows.
    public func watchHangUp(_ onHangUp: @escaping () -> Void) {
        guard phase == .handling || phase == .waiting || phase == .held else { return }
        self.onHangUp = onHangUp
        if phase == .held, detached == nil { connection.core.watch(connection) }
    }
}

/// Collects the values of one header name.
private struct HeaderValues {
    let name: String
    var found: [String] = []

    mutating func collect(from connection: Connection) {
        // Safe: the visit ends before the call returns, and what C shows is copied.
        unsafe withUnsafeMutablePointer(to: &self) { values in
            unsafe micro_each_header(
                connection.handle,
                { context, name, nameSize, value, valueSize in
                    guard let values = unsafe context?.assumingMemoryBound(to: HeaderValues.self), let name = unsafe name
                    else { return 0 }
                    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
                    if unsafe isSameName(bytes, values.pointee.name) {
                        let text = unsafe UnsafeRawBufferPointer(start: value, count: valueSize)
                        unsafe values.pointee.found.append(String(decoding: text, as: UTF8.self))
                    }
                    return 1
                }, values)
        }
    }
}

/// Whether a header's name is that name, in any case; names are ASCII.
@unsafe
func isSameName(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
    guard bytes.count == name.utf8.count else { return false }
    let other = name.utf8Span.span
    for index in other.indices where unsafe asciiLowercase(bytes[index]) != asciiLowercase(other[index]) { return false }
    return true
}

private func asciiLowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}
