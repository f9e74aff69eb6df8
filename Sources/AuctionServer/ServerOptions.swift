package import IPAddresses
package import AuctionService
internal import ExactJSON
package import MicroHTTP

/// All settings of the server. Those that an operator has a reason to change have an option, and some follow from others
/// (`deriveBounds`).
package struct ServerOptions: Sendable {
    /// Listening address, event loops, TLS and connection limits.
    package var http = HTTPServerConfiguration()
    /// Threads that decide commands, each those of its rooms; see `RoomService`.
    package var sequencers = 1
    /// Limits of the room service: queues, memory, idempotency keys.
    package var service = ServiceLimits()
    /// Limits on requests and on callers.
    package var limits = RequestLimits()
    /// Limits and intervals of event streams and WebSockets.
    package var streams = StreamOptions()
    /// Which pictures items may have, and how many are stored.
    package var media = MediaOptions()
    /// Which tokens are accepted; can be replaced while the server runs.
    package var identity = Identity()
    /// Bearer token required by /metrics; nil: only loopback clients may read it.
    package var metricsToken: String?
    /// Token of the operator's programs, which has every scope; nil: there are no service tokens, and no feed.
    package var adminToken: String?
    /// Other systems that the server calls.
    package var called = CalledSystems()
    /// Proxies whose `Forwarded` or `X-Forwarded-For` header is trusted to name the client.
    package var trustedProxies: [AddressBlock] = []
    /// Origins whose web pages may make every call, such as `https://shop.example`, besides the server's own; `*` lets every page read
    /// without a token.
    package var allowedOrigins: [String] = []

    package init() {}

    /// Where the events of rooms may be sent.
    package var webhooks: WebhookOptions {
        get { called.webhooks }
        set { called.webhooks = newValue }
    }
    /// The RTC service; nil: there are no calls for it.
    package var voice: VoiceOptions? {
        get { called.voice }
        set { called.voice = newValue }
    }
}

/// Other systems that a server calls.
package struct CalledSystems: Sendable {
    /// Where the events of rooms may be sent.
    package var webhooks = WebhookOptions()
    /// The RTC service; nil: there are no calls for it.
    package var voice: VoiceOptions?

    package init() {}
}

/// Limits and intervals of event streams and WebSockets.
package struct StreamOptions: Sendable {
    /// Concurrent streams of one user; 0: no limit. One that is set holds for an address too.
    package var perUser = 64 { didSet { perAddress = perUser } }
    /// Concurrent streams of one address for callers without a token: by default as a hall needs; 0: no limit.
    package private(set) var perAddress = 256
    /// Unused tickets of all users; beyond it the oldest is evicted.
    package var tickets = 16384
    /// Unused tickets of one user; beyond it the oldest is evicted.
    package var ticketsPerUser = 64
    /// Ticket operations in flight to a shared log; further ones get 503.
    package var pendingTickets = 1000
    /// Bytes buffered for a slow reader; beyond it the stream is closed.
    package var outgoingBytes = 524_288
    /// Seconds between presence notices, which also act as keep-alives.
    package var noticeSeconds = 15.0
    /// Seconds of silence after which a WebSocket client is sent a ping.
    package var pingSeconds = 25.0
    /// The largest frame a WebSocket's client may send, in bytes.
    package var messageBytes = 65536
    /// Commands in flight of one WebSocket; further ones get 503.
    package var pendingCommands = 32

    package init() {}
}

/// Limits on requests and callers; each has a test.
package struct RequestLimits: Sendable {
    /// Nesting depth of arrays and objects in a body.
    package var jsonDepth = 16
    /// Bytes of an uploaded picture.
    package var pictureBytes = 4 << 20
    /// Members of one object in a body, and elements of one array.
    package var jsonMembers = 256
    /// Total number of values in a body: object members and array elements at all levels.
    package var jsonValues = 1024
    /// Bids per second of one user in one room; 0: no limit.
    package var bidsPerSecond = 20
    /// Commands per second of one user, not counting bids and messages; 0: no limit.
    package var commandsPerSecond = 50
    /// New guests per minute and address; 0: no limit. One that is set has no burst unless that is set after it.
    package var guestsPerMinute = 60 { didSet { guestsBurst = guestsPerMinute } }
    /// New guests of one address at once, after a pause, for addresses that many users share: by default as many as come to a hall. Never
    /// fewer than per minute.
    package var guestsBurst = 300
    /// Wrong codes for another device per minute and address; 0: no limit.
    package var wrongCodesPerMinute = 5
    /// Bytes of rooms, items, lots, rules, messages and orders that one address may send within a day to one node, as users may make
    /// themselves guests; 0: no limit. Bids are taken beyond it, and orders that end something, let a member out or protect the room.
    package var textBytesPerAddress = 512 << 20
    /// Open rooms of one host; 0: no limit.
    package var roomsPerUser = 100
    /// Commands in flight; further ones get 503.
    package var pendingCommands = 20000
    /// Target size of a list page: it ends with the row that reaches it. A page of events stays below it unless a single event is
    /// larger.
    package var pageBytes = 262_144
    /// Most bytes of a file of lots.
    package var importBytes = 1_048_576
    /// Seconds a shared log may be unreadable before reads get 503, as other nodes may have written to it.
    package var staleSeconds = 5
    /// Bytes of responses and streams buffered for all readers together; 0: no limit.
    package var responseBytes = 268_435_456

    package init() {}

    var json: JSONLimits { JSONLimits(depth: jsonDepth, members: jsonMembers, values: jsonValues) }
}
