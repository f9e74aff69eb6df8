package import AuctionDomain
package import AuctionService
package import EventLog
package import Logging
package import MicroHTTP

/// The complete server: event loops accept requests, the room service handles commands, one event log stores the results.
package final class AuctionServer: Sendable {
    private let http: HTTPServer
    private let service: RoomService
    private let registry: LoopRegistry
    private let shared: SharedParts
    private let loopCount: Int
    /// Nil if the log is not shared with other nodes.
    private let revocations: RevocationThread?
    private let erasures: ErasureWatch
    /// Nil if archived rooms are kept for ever.
    private let retention: RoomRetention?
    /// The port the server listens on, also if port 0 was requested.
    package var port: UInt16 { http.port }

    /// Binds the address; serves nothing before `start`.
    /// - Parameters:
    ///   - secret: key for signing tokens, at least 32 bytes.
    ///   - onLogFailure: called once when the log fails for good; nothing more is acknowledged afterwards.
    /// - Throws: `HTTPServerError` if the address cannot be bound, `ServerError` if the identity configuration leaves no way to
    ///   sign in, or the error that makes the rulebook invalid.
    package init(
        options: ServerOptions, log: any EventLog, secret: [UInt8], rulebook: RoomRulebook, logger: Logger,
        clock: any ServiceClock = SystemClock(), onLogFailure: @escaping @Sendable (EventLogError) -> Void = { _ in }
    ) throws {
        let signer = TokenSigner(secret: secret)
        try options.identity.check(beside: signer, signsInUsers: options.adminToken != nil)
        let shared = SharedParts(
            options: options, log: log, signer: signer, keyedRoomIDs: KeyedRoomIDs(secret: secret),
            providerKeys: try ProviderKeys(of: options.identity, clock: clock, logger: logger), rulebook: rulebook,
            logger: logger, clock: clock, onLogFailure: onLogFailure)
        let (registry, service) = (shared.registry, shared.service)
        var configuration = options.http
        configuration.responses = shared.responses.budget
        if let isShared = shared.origins.isShared { configuration.limits.isSharedAddress = isShared }
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
        erasures = ErasureWatch(shared)
        retention = RoomRetention(shared, logger: logger)
        revocations = service.shared.map { log in
            RevocationThread(log: log, clock: service.clock) { revoked in
                shared.access.use(revoked)
                for loop in 0..<loopCount { registry.post(to: loop) { $0.identityChanged() } }
            }
        }
        revocations?.list(options.identity.revocations.ends)
        for loop in 0..<options.http.threads { registry.post(to: loop) { $0.measureLag() } }
    }

    /// Loads open rooms and extends deadlines that expired during the outage; returns once every request is served. Until then only
    /// probes are answered, and requests that need the service get 503.
    package func start() throws {
        Routes.prepareFiles()
        try http.start()
        // Not before: a start that fails for its options or its address says that in one line.
        shared.log.starting()
        do {
            // Revocations must be loaded before the first token is accepted.
            try revocations?.start()
            try shared.operators.start(isShared: service.isShared)
            try erasures.read()
            try service.start()
            shared.operators.voice?.start(service, shared.operators.users)
            erasures.start()
            retention?.start()
            shared.access.providerKeys?.start { [registry, loopCount] source, _ in
                // Those of providers that users sign in with are looked up when a token is exchanged.
                guard case .url = source else { return }
                for loop in 0..<loopCount { registry.post(to: loop) { $0.identityChanged() } }
            }
        } catch {
            retention?.stop()
            erasures.stop()
            shared.operators.stop()
            revocations?.stop()
            http.stop(within: 0)
            throw error
        }
    }

    /// Replaces keys, revocations and the guest setting for all requests. Open streams and held long-polls whose tokens are no
    /// longer valid are closed at once. On a shared log the revocations apply on all nodes within a second.
    /// - Throws: `ServerError` if the new configuration would leave no way to sign in; the current one then stays in effect.
    package func use(_ identity: Identity) throws(ServerError) {
        try identity.check(beside: shared.access.signer, signsInUsers: shared.operators.tokens.isOn)
        shared.access.use(identity)
        revocations?.list(identity.revocations.ends)
        for loop in 0..<loopCount { registry.post(to: loop) { $0.identityChanged() } }
    }

    /// Replaces the token of the operator's file; without one at the start there are no service tokens, and this has no effect.
    package func use(adminToken: String) { shared.operators.tokens.use(fileToken: adminToken, at: shared.clock.now().wall) }

    /// Uses another certificate for new connections; has no effect if the server was started without TLS.
    package func use(_ tls: TLSIdentity) { http.use(tls) }

    /// Makes /readyz report that the server is about to stop, and closes each connection after its next response. Requests are
    /// still served, so that load balancers have time to notice.
    package func announceStop() {
        for loop in 0..<loopCount { registry.post(to: loop) { $0.announceStop() } }
        http.endConnections()
    }

    /// Refuses new requests, completes accepted ones, answers held long-polls, and closes the log.
    /// - Parameter seconds: how long to wait for responses in flight.
    package func stop(within seconds: Double = 10) {
        retention?.stop()
        erasures.stop()
        shared.operators.stop()
        // First, as requests may wait for keys.
        shared.access.providerKeys?.stop()
        http.stop(within: seconds)
        shared.tickets.inLog?.finish()
        revocations?.stop()
        service.stop()
        registry.clear()
    }
}
