/// Where a server listens, with how many event loops, and what it bounds.
public struct HTTPServerConfiguration: Sendable {
    /// A numeric address or a name that resolves to one of this machine's.
    public var host = "127.0.0.1"
    /// 0 takes any free port; `HTTPServer.port` says which.
    public var port: UInt16 = 8080
    /// Event loops, each with its own thread and daemon.
    public var threads = 1
    /// What clients may ask of the server.
    public var limits = HTTPLimits()
    /// Bounds what waits for readers, all together.
    public var responses = ResponseBudget(limit: 0)
    /// Nil: plain HTTP.
    public var tls: TLSIdentity?

    /// The defaults.
    public init() {}
}

/// What a client may ask of the server before any application code looks at it.
public struct HTTPLimits: Sendable {
    /// A longer body gets 413.
    public var bodyBytes = 65536
    /// The whole head: request line and headers. A longer one gets 431, or 414 if the target alone is too long.
    public var headerBytes = 4096
    /// For the head and again for the body, in seconds from their start, however they drip.
    public var requestSeconds = 10.0
    /// For taking a whole answer, in seconds, however slowly it is read; streams have bounds of their own.
    public var answerSeconds = 30.0
    /// What the kernel may keep for a client that does not read, doubled by Linux for its own bookkeeping. Left to itself it
    /// grows to megabytes for each connection.
    public var sendBufferBytes = 65_536
    /// How long a kept-alive connection may be silent between requests.
    public var idleSeconds = 75.0
    /// All loops together. Above it a connection that sent nothing, or else one that is idle, is closed for a new one, and if there
    /// is none, 503 is answered.
    public var connections = 16000
    /// How many bits of an IPv6 address make one client, wherever something is limited per address.
    public var addressPrefix6 = 64
    /// Of one client address; 0: no limit. Above it its own silent or idle connections are closed, and if there are none, 503 is
    /// answered.
    public var connectionsPerAddress = 8000
    /// Connections of which no whole head came yet, all loops together; 0: no limit of their own. Above it the oldest is closed.
    public var silentConnections = 4000
    /// Addresses that many clients share, as a trusted proxy's: not limited by address.
    public var isSharedAddress: (@Sendable (IPAddress) -> Bool)?

    /// The defaults.
    public init() {}

    /// Space for refusals above `connections`; beyond it a new connection is closed unanswered.
    var refusableConnections: Int { connections + max(64, connections / 16) }

    /// libmicrohttpd's memory per connection: the head as it came, its table of headers, and the answer's head.
    var connectionMemoryBytes: Int { max(2 * headerBytes, 4096) }

    /// A longer query gets 414: libmicrohttpd keeps a record of each parameter in the connection's memory, and a request that
    /// exhausts it is neither answered nor closed.
    public var queryParameters: Int { connectionMemoryBytes / 128 }

    var requestMilliseconds: UInt64 { HTTPLimits.milliseconds(requestSeconds) }

    var answerMilliseconds: UInt64 { HTTPLimits.milliseconds(answerSeconds) }

    // The first byte of a next request is not seen, only its complete line: so both times together.
    var idleMilliseconds: UInt64 { HTTPLimits.milliseconds(idleSeconds + requestSeconds) }

    private static func milliseconds(_ seconds: Double) -> UInt64 {
        UInt64(max(1, min(seconds * 1000, 1e12)))  // proven: bounded
    }
}
