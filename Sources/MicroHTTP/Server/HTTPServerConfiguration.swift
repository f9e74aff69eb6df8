package import IPAddresses

/// A server's address, its number of event loops and its limits.
package struct HTTPServerConfiguration: Sendable {
    /// A numeric address of this machine, or a name that resolves to one.
    package var host = "127.0.0.1"
    /// 0 lets the system assign a free port, which `HTTPServer.port` returns.
    package var port: UInt16 = 8080
    /// Event loops, each with its own thread and daemon.
    package var threads = 1
    /// Limits on what clients may send and occupy.
    package var limits = HTTPLimits()
    /// Bounds the memory of all responses and streams that clients have not read yet.
    package var responses = ResponseBudget(limit: 0)
    /// The certificate and key; nil for plain HTTP.
    package var tls: TLSIdentity?

    /// The defaults.
    package init() {}
}

/// Limits that the server enforces before any application code handles a request.
package struct HTTPLimits: Sendable {
    /// Largest request body in bytes; a larger one gets 413.
    package var bodyBytes = 65536
    /// Bytes of the bodies in reception that are larger than `bodyBytes`, all loops together. A user and a network may each have a quarter.
    /// Beyond it such a request gets 503. The arrays that they are received in may take up to twice as much.
    package var largeBodiesBytes = 67_108_864
    /// Time to receive such a body, in seconds from its start, regardless of progress.
    package var largeBodySeconds = 60.0
    /// Largest request head in bytes: request line and headers. A larger one gets 431, or 414 if the target alone is too long.
    package var headerBytes = 4096
    /// Time to receive the head, and again to receive the body, in seconds from their start, regardless of progress.
    package var requestSeconds = 10.0
    /// Time for the client to read a whole response, in seconds, regardless of progress; streams have limits of their own.
    package var responseSeconds = 30.0
    /// The socket's send buffer in bytes, doubled by Linux for its own bookkeeping. Without a limit Linux grows it to megabytes for
    /// each connection that does not read.
    package var sendBufferBytes = 65_536
    /// How long a kept-alive connection may be idle between requests, in seconds.
    package var idleSeconds = 75.0
    /// Open connections of all loops together. Above it each new one closes one without a complete request head, or else an idle one. If
    /// there is none, the new one gets 503.
    package var connections = 16000
    /// Leading bits of an IPv6 address that identify one client for all limits per address.
    package var addressPrefix6 = 64
    /// Open connections of one client address; 0: no limit. Above it that address' own connections without a request head, or else
    /// idle ones, are closed; if there are none, the new one gets 503.
    package var connectionsPerAddress = 8000
    /// Connections of one client address within a second that are refused, or take the place of a silent one of that address. Beyond it
    /// the address' new ones are closed without a response for the rest of that second. 0: no limit.
    package var displacedPerAddress = 100
    /// Connections without a complete request head so far, all loops together; 0: no limit. Above it the oldest is closed.
    package var silentConnections = 4000
    /// Whether an address is shared by many clients, such as a trusted proxy's, and therefore exempt from limits per address.
    package var isSharedAddress: (@Sendable (IPAddress) -> Bool)?

    /// The defaults.
    package init() {}

    /// Limits with at most so many connections that they fit into `descriptors`, with everything else that the process opens. At the
    /// descriptor limit a server can neither accept connections nor write to its log.
    func fitting(descriptors: Int, threads: Int) -> HTTPLimits {
        // Each loop also keeps sockets that are being closed; the rest is for the log, its readers and the loops themselves.
        let reserve = min(128 + LingeringSockets.capacity * threads, descriptors / 4)
        let available = descriptors - reserve
        var limits = self
        limits.connections = max(1, min(connections, available - 64, available - available / 17))
        return limits
    }

    /// `connections` plus those accepted only to be refused; beyond it a new connection is closed without a response.
    var refusableConnections: Int { connections + max(64, connections / 16) }

    /// libmicrohttpd's memory per connection in bytes: the received head, its table of headers, and the response's head.
    var connectionMemoryBytes: Int { max(2 * headerBytes, 4096) }

    /// The part of that memory for the request. Without room for the response's head libmicrohttpd closes the connection instead of
    /// responding, after the handler has carried the request out.
    var requestMemoryBytes: Int { connectionMemoryBytes - min(1536, connectionMemoryBytes / 4) }

    /// The part of that memory for libmicrohttpd's record of one header, parameter or cookie, besides the text.
    static let recordBytes = 64

    /// Most parameters of a query; more get 414. libmicrohttpd records each parameter in the connection's memory, and neither
    /// responds to nor closes a request that exhausts it.
    package var queryParameters: Int { connectionMemoryBytes / 128 }
}
