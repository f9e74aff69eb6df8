internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Glibc
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// Dependencies that all event loops of a server share.
final class SharedParts: Sendable {
    let options: ServerOptions
    let service: RoomService
    let access: Access
    let clock: any ServiceClock
    let roomRepresentation: RoomRepresentation
    let limits: CallerLimits
    let responses: ResponseMemory
    let tickets: NodeTickets
    let registry: LoopRegistry
    let metrics: ServerMetrics
    let log: RequestLog
    let origins: RequestOrigins

    /// - Parameter readerThreads: 0 for a stepped service; see `RoomService`.
    init(
        options: ServerOptions, log: any EventLog, signer: TokenSigner, keyedRoomIDs: KeyedRoomIDs,
        providerKeys: ProviderKeys? = nil, rulebook: RoomRulebook, logger: Logger, clock: any ServiceClock,
        readerThreads: Int = 2,
        onLogFailure: @escaping @Sendable (EventLogError) -> Void
    ) {
        registry = LoopRegistry(loopCount: options.http.threads)
        roomRepresentation = RoomRepresentation(rulebook: rulebook)
        metrics = ServerMetrics(options: options, rulebook: rulebook, startedAt: clock.now().wall)
        let service = RoomService(
            log: log, rulebook: rulebook,
            encoder: CountingResponseEncoder(metrics: metrics.service, next: HTTPResponseEncoder(room: roomRepresentation)),
            limits: options.service, clock: clock, port: registry,
            observer: ServerObserver(metrics: metrics.service, logger: logger, clock: clock, onLogFailure: onLogFailure),
            sequencers: options.sequencers, readerThreads: readerThreads)
        self.service = service
        origins = RequestOrigins(options)
        self.log = RequestLog(logger, clock: clock, origins: origins)
        self.options = options
        let tail = FeedTail(of: log, clock: clock)
        let feed = FeedWatch(tail, clock: clock)
        let operators = OperatorParts(
            tokens: ServiceTokens(log: log, fileToken: options.adminToken, at: clock.now().wall),
            users: UserRestrictions(log: log) { [registry] in registry.postToAll { $0.identityChanged() } },
            feed: feed,
            webhooks: Webhooks(options.webhooks, tail, clock: clock, logger: logger) { feed.wroteNotice() },
            voice: options.voice.map { Voice(LiveKitTransport($0), clock: clock, logger: logger) })
        access = Access(signer, keyedRoomIDs, options.identity, operators, providerKeys)
        self.clock = clock
        limits = CallerLimits(options)
        responses = ResponseMemory(limit: options.limits.responseBytes)
        tickets = NodeTickets(options.streams, service)
    }

    /// A verifier with the current keys and revocations.
    var verifier: TokenVerifier { access.verifier }

    /// What the operator's programs use.
    var operators: OperatorParts { access.operators }

    var rulebook: RoomRulebook { roomRepresentation.rulebook }
}

/// What a server has for its operator's programs.
struct OperatorParts: Sendable {
    let tokens: ServiceTokens
    let users: UserRestrictions
    let feed: FeedWatch
    let webhooks: Webhooks
    /// Nil without an RTC service.
    let voice: Voice?

    /// - Parameter isShared: Whether other nodes write to the log too.
    func start(isShared: Bool) throws(EventLogError) {
        try users.start(isRepeated: isShared)
        guard tokens.isOn else { return }
        try tokens.start()
        feed.start()
        webhooks.start()
    }

    /// Answers readers of the feed that wait, and writes what webhooks have got.
    func stop() {
        voice?.stop()
        webhooks.stop()
        feed.stop()
        tokens.stop()
        users.stop()
    }
}

/// The keys of a server, and the tokens that it accepts.
final class Access: Sendable {
    let signer: TokenSigner
    let keyedRoomIDs: KeyedRoomIDs
    let operators: OperatorParts
    /// The keys that are fetched; nil if none are.
    let providerKeys: ProviderKeys?
    let erased = ErasedUsers()
    private let identity: Mutex<Identity>
    private let revoked = Mutex(SharedRevocations())

    init(
        _ signer: TokenSigner, _ keyedRoomIDs: KeyedRoomIDs, _ identity: Identity, _ operators: OperatorParts,
        _ providerKeys: ProviderKeys?
    ) {
        self.signer = signer
        self.operators = operators
        self.keyedRoomIDs = keyedRoomIDs
        self.providerKeys = providerKeys
        self.identity = Mutex(identity)
    }

    /// How users sign in with providers.
    var signIn: SignInOptions { identity.withLock { $0.signIn } }
    var acceptsGuests: Bool { identity.withLock { $0.acceptsGuests } }

    /// Fetches the keys of the operator's provider if a token that was refused names one that is not known.
    func fetchKeys(for token: Substring) {
        guard let providerKeys, let url = identity.withLock({ $0.keysURL }), let id = SignedToken(String(token))?.keyID,
            providerKeys.keys(of: .url(url))?.key(named: id) == nil
        else { return }
        _ = providerKeys.refresh(.url(url))
    }

    /// A verifier with the current keys and revocations.
    var verifier: TokenVerifier {
        var identity = identity.withLock { $0 }
        if let keys = identity.keysURL.flatMap({ providerKeys?.keys(of: .url($0)) }) {
            identity.provider = identity.provider?.using(keys)
        }
        return TokenVerifier(
            signer: signer, identity: identity, revoked: revoked.withLock { $0 }, left: erased.users,
            restricted: operators.users.current)
    }

    /// When a token counts as issued: now, or when an operator has ended the user's tokens, which is up to a second later, as tokens name whole
    /// seconds.
    func issueTime(of user: UserID, at now: Timestamp) -> Timestamp {
        max(now, operators.users.current[user]?.tokenEnd?.own ?? now)
    }

    func use(_ identity: Identity) { self.identity.withLock { $0 = identity } }
    func use(_ revoked: SharedRevocations) { self.revoked.withLock { $0 = revoked } }
}

/// What responses hold in memory for clients that have not read them yet.
struct ResponseMemory: Sendable {
    /// The bytes of all responses.
    let budget: ResponseBudget
    /// Pictures that are being sent.
    let pictures: SharedPictures

    init(limit: Int) {
        budget = ResponseBudget(limit: limit)
        pictures = SharedPictures(budget: budget, responseBytes: limit)
    }
}

/// Random seeds from the kernel, fetched many at a time: one system call for 32 commands.
struct SeedSource {
    private var seeds = [UInt64](repeating: 0, count: 32)
    private var used = 32
    /// Replaces the kernel's random numbers in reproducible runs.
    private let fixed: (@Sendable () -> UInt64)?

    init(fixed: (@Sendable () -> UInt64)? = nil) { self.fixed = fixed }

    mutating func next() -> UInt64 {
        if let fixed { return fixed() }
        if used == seeds.count {
            unsafe seeds.withUnsafeMutableBytes { bytes in
                // SAFETY: the buffer lives for the call and has 256 bytes, the maximum of getentropy.
                if let start = bytes.baseAddress {
                    let result = unsafe getentropy(start, bytes.count)
                    precondition(result == 0, "the kernel gives random bytes")  // proven: not a client's
                }
            }
            used = 0
        }
        defer { used += 1 }
        return seeds[used]
    }

    /// 128 bits.
    mutating func nextWide() -> UInt128 { UInt128(next()) << 64 | UInt128(next()) }
}

/// Request ids: the client's X-Request-Id if it is valid, else one that is unique in the process.
struct RequestIDs {
    /// The latest id: "req_" and a number of eleven digits to base 36. Fifteen bytes, because a longer string would be allocated. Other
    /// loops and processes begin at other random numbers, and none counts so far that it would reach another's.
    private var text: InlineArray<15, UInt8>

    init(seed: UInt64) {
        text = InlineArray(repeating: UInt8(ascii: "0"))
        for (index, byte) in "req_".utf8.enumerated() { text[index] = byte }
        var rest = seed
        for index in 4..<text.count {
            text[index] = Self.digits[Int(rest % 36)]
            rest /= 36
        }
    }

    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    mutating func id(of exchange: Exchange) -> String {
        if let own = exchange.header("X-Request-Id"), (1...128).contains(own.utf8.count),
            own.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        {
            return own
        }
        return next()
    }

    /// An id that no request had.
    mutating func next() -> String {
        count()
        // Never without bytes: they are ASCII.
        guard let utf8 = try? UTF8Span(validating: text.span) else { return "" }
        return String(copying: utf8)
    }

    private mutating func count() {
        for index in (4..<text.count).reversed() {
            switch text[index] {
            case UInt8(ascii: "9"): text[index] = UInt8(ascii: "a")
            case UInt8(ascii: "z"):
                text[index] = UInt8(ascii: "0")
                continue
            default: text[index] += 1
            }
            return
        }
    }
}
