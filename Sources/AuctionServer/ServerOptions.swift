public import AuctionService
internal import ExactJSON
public import MicroHTTP

/// Everything that an operator can set; `auction-room serve --help` lists it.
public struct ServerOptions: Sendable {
    public var http = HTTPServerConfiguration()
    public var service = ServiceLimits()
    public var limits = RequestLimits()
    public var streams = StreamOptions()
    /// Whose tokens count; may be replaced while the server runs.
    public var identity = Identity()
    /// What /metrics asks for; nil: it is open to this machine only.
    public var metricsToken: String?
    /// Proxies whose `Forwarded` or `X-Forwarded-For` says who the client is.
    public var trustedProxies: [AddressBlock] = []

    public init() {}
}

/// Bounds and times of event streams and WebSockets.
public struct StreamOptions: Sendable {
    /// Streams of one user at once, or of one address for callers without a token; 0: no limit.
    public var perUser = 64
    /// Tickets of everybody that were given and not yet used; beyond it the oldest goes.
    public var tickets = 16384
    /// Tickets of one user that were given and not yet used; beyond it the oldest goes.
    public var ticketsPerUser = 64
    /// Tickets on their way to or from a log that nodes share; more are answered 503.
    public var pendingTickets = 1000
    /// What may wait for a reader that is slow, in bytes.
    public var outgoingBytes = 524_288
    /// How often every subscriber is told who watches, which also shows that the connection lives.
    public var noticeSeconds = 15.0
    /// After so long without a word a WebSocket's client is asked whether it lives.
    public var pingSeconds = 25.0
    /// The largest frame a WebSocket's client may send, in bytes.
    public var messageBytes = 65536
    /// Commands of one WebSocket whose answer is on its way; more are answered 503.
    public var pendingCommands = 32
    /// Web pages that may open a WebSocket besides those of this server itself: `https://shop.example`.
    public var allowedOrigins: [String] = []

    public init() {}
}

/// What callers may ask for; each has an option and a test.
public struct RequestLimits: Sendable {
    /// Levels of arrays and objects in a body.
    public var jsonDepth = 16
    /// Members of one object in a body, and elements of one array.
    public var jsonMembers = 256
    /// Values in a body: members, elements, and what these contain.
    public var jsonValues = 1024
    /// Per user and room; 0: no limit.
    public var bidsPerSecond = 20
    /// Other commands than bids and messages, per user; 0: no limit.
    public var commandsPerSecond = 50
    /// Per address; 0: no limit.
    public var guestsPerMinute = 60
    /// Open rooms of one host; 0: no limit.
    public var roomsPerUser = 100
    /// Commands on their way; more are answered 503.
    public var pendingCommands = 20000
    /// A page of a list ends with the row that reaches so many bytes; a page of events has no more, unless one alone has.
    public var pageBytes = 262_144
    /// Seconds for which it may be unknown what other nodes wrote; what is read then is answered 503.
    public var staleSeconds = 5
    /// Bytes of answers and streams that wait for their readers, all together; 0: no limit.
    public var responseBytes = 268_435_456

    public init() {}

    var json: JSONLimits { JSONLimits(depth: jsonDepth, members: jsonMembers, values: jsonValues) }
}
