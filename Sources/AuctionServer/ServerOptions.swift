public import AuctionService
public import MicroHTTP

/// Everything that an operator can set; `auction-room serve --help` lists it.
public struct ServerOptions: Sendable {
    public var http = HTTPServerConfiguration()
    public var service = ServiceLimits()
    public var limits = RequestLimits()

    public init() {}
}

/// What callers may ask for; each has an option and a test.
public struct RequestLimits: Sendable {
    /// Levels of arrays and objects in a body.
    public var jsonDepth = 16
    /// Per user and room; 0: no limit.
    public var bidsPerSecond = 20
    /// Per address; 0: no limit.
    public var guestsPerMinute = 60
    /// Open rooms of one host; 0: no limit.
    public var roomsPerUser = 100
    /// Commands on their way; more are answered 503.
    public var pendingCommands = 20000

    public init() {}
}
