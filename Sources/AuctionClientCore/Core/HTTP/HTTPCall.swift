/// A request to the service, without the address of the server.
public struct HTTPCall: Hashable, Sendable {
    /// Such as `GET`.
    public var method: String
    /// From the slash on, with the query: `/v1/rooms/room_1/events?after=7`.
    public var target: String
    /// In the order in which they are sent.
    public var headers: [HTTPHeader]
    /// The body; nil for none.
    public var body: [UInt8]?
    /// The longest time without a byte of the response before the transport may give up.
    public var timeout: Duration
    /// The most bytes of the body of the response. A transport ends a longer one with `responseTooLarge`.
    public var responseLimit: Int

    /// A call from its parts.
    package init(
        method: String, target: String, headers: [HTTPHeader], body: [UInt8]?, timeout: Duration, responseLimit: Int
    ) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
        (self.timeout, self.responseLimit) = (timeout, responseLimit)
    }

    /// The value of a header, by its name in any case; nil if it is not there.
    public func header(_ name: String) -> String? { headers.first(named: name) }
}

/// A header of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
    /// In any case: names are compared without regard to it.
    public var name: String
    /// The value, without the line break.
    public var value: String

    /// A header from name and value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The value of the first header with this name, in any case.
    func first(named name: String) -> String? {
        first { $0.name.count == name.count && $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Status and headers of a response.
public struct HTTPHead: Hashable, Sendable {
    /// Such as 200.
    public var status: Int
    /// In any order.
    public var headers: [HTTPHeader]

    /// A head from its parts.
    public init(status: Int, headers: [HTTPHeader] = []) {
        self.status = status
        self.headers = headers
    }

    /// The value of a header, by its name in any case; nil if it is not there.
    public func header(_ name: String) -> String? { headers.first(named: name) }

    /// The media type without parameters, in lower case.
    var mediaType: String {
        let value = header("Content-Type") ?? ""
        let type = value.prefix { $0 != ";" }.lowercased()
        return String(type.filter { $0 != " " })
    }

    var isSuccess: Bool { (200...299).contains(status) }
}

/// A whole response.
public struct HTTPResponse: Hashable, Sendable {
    /// Status and headers.
    public var head: HTTPHead
    /// The whole body.
    public var body: [UInt8]

    /// A response from its parts.
    public init(head: HTTPHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The body as JSON; nil if it is none, or says that it is something else.
    var json: JSONValue? { head.mediaType == "application/json" ? JSONValue(readable: body) : nil }
}

/// Why a request got no whole response.
public enum TransportError: Error, Hashable, Sendable {
    /// The request was certainly not sent: no network, no such host, connection refused. What the system says.
    case notSent(String)
    /// What the app configured cannot be the address of a service, so nothing was sent and no further attempt is made. The address.
    case invalidAddress(String)
    /// The connection ended, or the time ran out; the request may have been carried out. What the system says.
    case interrupted(String)
    /// The response has more bytes than `HTTPCall.responseLimit`.
    case responseTooLarge(limit: Int)
    /// The stream delivered faster than it was read.
    case tooManyPendingBytes(limit: Int)
    /// The caller cancelled it.
    case cancelled
}
