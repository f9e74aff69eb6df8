internal import CMicroHTTPDShims
internal import Glibc

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

    /// The refusal for long-lived responses, once only the tenth of the connections that is reserved for short requests is left, of
    /// the server or of this client's address; nil below that.
    package var capacityRefusal: RequestRefusal? {
        let budget = connection.core.budget
        if budget.isNearlyFull { return .nearlyFull(limit: budget.limits.connections) }
        if let peer = connection.peer, budget.isNearlyFull(peer) {
            return .addressNearlyFull(limit: budget.limits.connectionsPerAddress)
        }
        return nil
    }

    /// Whether the connection is encrypted by this server itself.
    package var isEncrypted: Bool { connection.core.isEncrypted }

    /// Whether the client asked for the connection to be closed after the response (RFC 9112, section 9.6).
    var requestsClose: Bool {
        headers("Connection").flatMap { $0.split(separator: ",") }.contains { option in
            String(option.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }).lowercased() == "close"
        }
    }

    /// The first value of a header; the name is case-insensitive. Nil if it is absent, or once the response is sent.
    package func header(_ name: String) -> String? {
        guard phase != .ended, !connection.isTakenOver || detached != nil else { return nil }
        // Not bound to a name, which would copy it.
        if detached != nil { return detached?.header(name) }
        // SAFETY: the connection keeps its headers until the exchange ends, and the value is copied.
        guard let value = unsafe name.withCString({ unsafe micro_header(connection.handle, $0) }) else { return nil }
        return unsafe text(ofField: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Every value of a header, in the order sent; the name is case-insensitive. Empty once the response is sent.
    package func headers(_ name: String) -> [String] {
        guard phase != .ended, !connection.isTakenOver || detached != nil else { return [] }
        if let detached { return detached.headers(name) }
        var values = HeaderValues(name: name)
        values.collect(from: connection)
        return values.found
    }

    /// Sends the response. A second response, or one after the connection ended, is logged and ignored.
    package func respond(_ response: Response) {
        if detached != nil { return connection.core.respondDetached(self, response) }
        connection.core.respond(response, to: self)
    }

    /// Sends a response whose encoded bytes many exchanges share.
    package func respond(_ response: SharedResponse) {
        if detached != nil { return connection.core.respondDetached(self, response.response) }
        connection.core.respond(response, to: self)
    }

    /// For long polls: once the client closes its side, the exchange ends without a response and `onHangUp` is called. Without
    /// this, an exchange gets its response even if the client has closed its sending side, which HTTP allows. What the client sends
    /// next waits until the requests of ordinary connections were read.
    package func watchHangUp(_ onHangUp: @escaping () -> Void) {
        guard phase == .handling || phase == .waiting || phase == .suspended else { return }
        self.onHangUp = onHangUp
        connection.setLowPriority(true)
        if phase == .suspended, detached == nil { connection.core.watch(connection) }
    }
}

/// Collects the values of one header name.
private struct HeaderValues {
    let name: String
    var found: [String] = []

    mutating func collect(from connection: Connection) {
        // SAFETY: the enumeration ends before the call returns, and the values are copied.
        unsafe withUnsafeMutablePointer(to: &self) { values in
            unsafe micro_each_header(
                connection.handle,
                { context, name, nameSize, value, valueSize in
                    guard let values = unsafe context?.assumingMemoryBound(to: HeaderValues.self), let name = unsafe name
                    else { return 0 }
                    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
                    if unsafe isSameName(bytes, values.pointee.name) {
                        let value = unsafe text(ofField: UnsafeRawBufferPointer(start: value, count: valueSize))
                        unsafe values.pointee.found.append(value)
                    }
                    return 1
                }, values)
        }
    }
}

/// A header's value as text, without the white space after it.
@unsafe
private func text(ofField bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: withoutBlanksAfter(bytes), as: UTF8.self)
}

/// A header's value without the white space after it, which HTTP allows (RFC 9110, section 5.5) and libmicrohttpd keeps.
@unsafe
func withoutBlanksAfter(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = value.count
    while end > 0, unsafe isBlank(value[end - 1]) { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: value.prefix(end))
}

/// Whether a byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// Compares a header's name with `name`, ignoring the case of ASCII letters.
@unsafe
func isSameName(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
    guard bytes.count == name.utf8.count else { return false }
    let other = name.utf8Span.span
    for index in other.indices where unsafe asciiLowercase(bytes[index]) != asciiLowercase(other[index]) { return false }
    return true
}

/// Compares two names of headers, ignoring the case of ASCII letters.
func isSameName(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    let (one, other) = (one.utf8Span.span, other.utf8Span.span)
    for index in one.indices where asciiLowercase(one[index]) != asciiLowercase(other[index]) { return false }
    return true
}

private func asciiLowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}
