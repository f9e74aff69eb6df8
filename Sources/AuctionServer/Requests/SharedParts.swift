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
    let limiters: RateLimiters
    let pending: PendingCommands
    let streamBudget: StreamBudget
    /// Response bytes buffered for clients that have not read them yet.
    let responses: ResponseBudget
    /// Pictures that are being sent.
    let pictures: SharedPictures
    /// Tickets of this node, issued on one loop and redeemed on any; empty on a shared log, which stores tickets itself.
    let tickets: Mutex<TicketStore>
    /// Users whose call to link a guest is in progress at this node.
    let linkingUsers = Mutex<Set<UserID>>([])
    /// Nil if the log is not shared.
    let sharedTickets: SharedTickets?
    let registry: LoopRegistry
    let metrics: ServerMetrics
    let logger: Logger
    let refusedLogins = LineLimit(perSecond: 10)
    let proxies: TrustedProxies
    let crossOrigin: CrossOrigin
    /// Monotonic time of the last call of `report` that wrote a line.
    private let reportedAt = Atomic<Int64>(-1_000_000_000)

    /// - Parameter readerThreads: 0 for a stepped service; see `RoomService`.
    init(
        options: ServerOptions, log: any EventLog, signer: TokenSigner, keyedRoomIDs: KeyedRoomIDs,
        rulebook: RoomRulebook, logger: Logger, clock: any ServiceClock, readerThreads: Int = 2,
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
        self.logger = logger
        proxies = TrustedProxies(options.trustedProxies)
        crossOrigin = CrossOrigin(options.allowedOrigins)
        self.options = options
        access = Access(signer, keyedRoomIDs, options.identity)
        self.clock = clock
        limiters = RateLimiters(options)
        pending = PendingCommands(limit: options.limits.pendingCommands)
        streamBudget = StreamBudget(
            limits: .init(user: options.streams.perUser, network: options.streams.perAddress),
            proxiedLimit: options.http.limits.connectionsPerAddress)
        responses = ResponseBudget(limit: options.limits.responseBytes)
        pictures = SharedPictures(budget: responses, responseBytes: options.limits.responseBytes)
        tickets = Mutex(TicketStore(limits: .init(total: options.streams.tickets, perUser: options.streams.ticketsPerUser)))
        sharedTickets = service.shared.map { log in
            SharedTickets(
                log: log, clock: service.clock, perUser: options.streams.ticketsPerUser,
                pendingLimit: options.streams.pendingTickets)
        }
    }

    /// A verifier with the current keys and revocations.
    var verifier: TokenVerifier { access.verifier }

    /// Logs a failure of the log or the pictures with the request that met it, at most one a second.
    func report(_ error: EventLogError, of requestID: String) {
        let (now, last) = (clock.now().monotonic, reportedAt.load(ordering: .relaxed))
        guard error.code != .busy, now - last >= 1_000_000_000,
            reportedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        logger.error("a request failed", metadata: ["requestId": "\(requestID)", "error": "\(error)"])
    }

    var rulebook: RoomRulebook { roomRepresentation.rulebook }
}

/// The keys of a server, and the tokens that it accepts.
final class Access: Sendable {
    let signer: TokenSigner
    let keyedRoomIDs: KeyedRoomIDs
    private let identity: Mutex<Identity>
    private let revoked = Mutex(SharedRevocations())

    init(_ signer: TokenSigner, _ keyedRoomIDs: KeyedRoomIDs, _ identity: Identity) {
        self.signer = signer
        self.keyedRoomIDs = keyedRoomIDs
        self.identity = Mutex(identity)
    }

    /// A verifier with the current keys and revocations.
    var verifier: TokenVerifier {
        TokenVerifier(signer: signer, identity: identity.withLock { $0 }, revoked: revoked.withLock { $0 })
    }

    func use(_ identity: Identity) { self.identity.withLock { $0 = identity } }
    func use(_ revoked: SharedRevocations) { self.revoked.withLock { $0 = revoked } }
}

/// What clients may do in a time, counted for all event loops together.
struct RateLimiters: Sendable {
    let bids: RateLimiter<BidderInRoom>
    let commands: RateLimiter<UserID>
    let guests: RateLimiter<ClientNetwork>
    let pictureBytes: RateLimiter<ClientNetwork>
    /// Bytes that the log keeps of texts.
    let textBytes: RateLimiter<ClientNetwork>
    /// Malformed bodies and frames; see `MalformedBodies`.
    let malformed: RateLimiter<Requester>

    init(_ options: ServerOptions) {
        let limits = options.limits
        bids = RateLimiter(name: "bids", count: limits.bidsPerSecond, periodSeconds: 1)
        commands = RateLimiter(name: "commands", count: limits.commandsPerSecond, periodSeconds: 1)
        guests = RateLimiter(name: "guests", count: limits.guestsPerMinute, burst: limits.guestsBurst, periodSeconds: 60)
        pictureBytes = RateLimiter(name: "pictures", count: options.media.bytesPerAddress, periodSeconds: 86_400)
        textBytes = RateLimiter(name: "texts", count: limits.textBytesPerAddress, periodSeconds: 86_400)
        malformed = RateLimiter(
            name: "malformed", count: limits.commandsPerSecond * MalformedBodies.tokensPerCommand, periodSeconds: 1)
    }
}

/// Key of the bid limiter: one user's bids in one room.
struct BidderInRoom: Hashable, Sendable {
    let user: UserID
    let room: RoomID
}

/// Number of commands in flight. At the limit, new ones are refused before they reach the queue.
final class PendingCommands: Sendable {
    private let limit: Int
    private let count = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    var depth: Int { count.load(ordering: .relaxed) }

    func enter() throws(Problem) {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            leave()
            throw Problem(.overloaded)
        }
    }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
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
