public import AuctionDomain
public import AuctionService
public import EventLog
public import Logging
public import MicroHTTP

/// The whole server: event loops in front, the room service behind them, one log below.
public final class AuctionServer: Sendable {
    private let http: HTTPServer
    private let service: RoomService
    private let registry: LoopRegistry
    private let shared: SharedParts
    private let loopCount: Int
    /// Nil on a log that is this process's alone.
    private let revocations: RevocationWatch?
    /// The port that is really listened on.
    public var port: UInt16 { http.port }

    /// Binds the address; nothing is served before `start`.
    /// - Parameter secret: what tokens are signed with, at least 32 bytes.
    /// - Throws: `HTTPServerError` if the address cannot be had, `ServerError` if nobody could sign in, or what makes a rulebook
    ///   unsound.
    public init(
        options: ServerOptions, log: any EventLog, secret: [UInt8], rulebook: RoomRulebook, logger: Logger,
        clock: any ServiceClock = SystemClock(), onLogFailure: @escaping @Sendable (EventLogError) -> Void = { _ in }
    ) throws {
        let signer = TokenSigner(secret: secret)
        try options.identity.check(beside: signer)
        let shared = SharedParts(
            options: options, log: log, signer: signer, keyedRoomIDs: KeyedRoomIDs(secret: secret), rulebook: rulebook,
            logger: logger, clock: clock, onLogFailure: onLogFailure)
        let (registry, service) = (shared.registry, shared.service)
        var configuration = options.http
        configuration.responses = shared.responses
        if !shared.proxies.isEmpty {
            configuration.limits.isSharedAddress = { [proxies = shared.proxies] in proxies.isTrusted($0) }
        }
        http = try HTTPServer(configuration: configuration, logger: logger) { loop in
            let handler = LoopHandler(shared: shared, loop: loop)
            registry.register(handler)
            return handler
        }
        self.registry = registry
        self.shared = shared
        let loopCount = options.http.threads
        self.loopCount = loopCount
        self.service = service
        revocations = service.shared.map { log in
            RevocationWatch(log: log, clock: service.clock) { revoked in
                shared.use(revoked)
                for loop in 0..<loopCount { registry.post(to: loop) { $0.identityChanged() } }
            }
        }
        revocations?.list(options.identity.revocations)
        for loop in 0..<options.http.threads { registry.post(to: loop) { $0.measureLag() } }
    }

    /// Loads what is open and moves the ends that an outage ate; returns once everything is served. Until then probes are
    /// answered, and everything that needs the service gets 503.
    public func start() throws {
        try http.start()
        do {
            // Before anybody is let in.
            try revocations?.start()
            try service.start()
        } catch {
            revocations?.stop()
            http.stop(within: 0)
            throw error
        }
    }

    /// From now on other keys, revocations and guests count: for every request, and for the streams and held long-polls that are
    /// open, of which those end at once whose tokens count no more. On a log that nodes share the revocations hold at all of them
    /// within a second.
    /// - Throws: `ServerError` where nobody could sign in; then all stays as it is.
    public func use(_ identity: Identity) throws(ServerError) {
        try identity.check(beside: shared.signer)
        shared.use(identity)
        revocations?.list(identity.revocations)
        for loop in 0..<loopCount { registry.post(to: loop) { $0.identityChanged() } }
    }

    /// Shows another certificate to whoever connects from now on, where the server was started with one.
    public func use(_ tls: TLSIdentity) { http.use(tls) }

    /// Says on /readyz that the server is about to stop, and ends each connection with its next answer. Everything is served as
    /// before, so that whoever spreads the requests has time to notice.
    public func announceStop() {
        for loop in 0..<loopCount { registry.post(to: loop) { $0.isAnnounced = true } }
        http.endConnections()
    }

    /// Refuses new work, finishes what is accepted, answers held long-polls, and closes the log.
    public func stop(within seconds: Double = 10) {
        http.stop(within: seconds)
        shared.sharedTickets?.finish()
        revocations?.stop()
        service.stop()
        registry.clear()
    }
}
