import StateMachines

/// Tokens of a guest of the service: makes the guest on first use, and renews the token before it expires.
///
/// The guest exists as long as its token: an app that wants to stay the same guest stores the session in `didChange` and passes it on
/// the next start. An app that is used again within `renewalMargin` keeps the guest for good; a token that has expired cannot be renewed.
public actor GuestTokens: TokenProvider {
    /// A token with less time left is renewed: half of the week for which the service accepts one.
    public static let renewalMargin: Duration = .seconds(84 * 3600)

    private let transport: any HTTPTransport
    private let nickname: String
    private let language: String
    private let settings: ExchangeSettings
    private let log: ClientLog?
    private let didChange: @Sendable (Session) -> Void
    private let clock: any ClientClock
    private(set) var session: Session?
    /// The token that was returned last, and when.
    private var handedOut: (token: String, at: MachineTimestamp)?
    /// The request for a session that is in progress.
    private var obtaining: Task<Result<Session, AuctionError>, Never>?

    /// - Parameters:
    ///   - transport: how the service is reached, such as `URLSessionTransport(baseURL:)`.
    ///   - nickname: of a new guest, 1 to 40 characters.
    ///   - session: the stored one; nil to become a new guest.
    ///   - language: of a refusal for people: `en`, `zh`.
    ///   - settings: how long and how often the service is asked for a session.
    ///   - log: takes each attempt, for the app's log.
    ///   - didChange: stores a new or renewed session.
    public init(
        transport: any HTTPTransport, nickname: String, session: Session? = nil, language: String = "en",
        settings: ExchangeSettings = .init(), log: ClientLog? = nil,
        didChange: @escaping @Sendable (Session) -> Void = { _ in }
    ) {
        self.init(transport, nickname, session, language, settings, log, clock: SystemClock(), didChange)
    }

    init(
        _ transport: any HTTPTransport, _ nickname: String, _ session: Session? = nil, _ language: String = "en",
        _ settings: ExchangeSettings = .init(), _ log: ClientLog? = nil, clock: any ClientClock,
        _ didChange: @escaping @Sendable (Session) -> Void
    ) {
        self.transport = transport
        self.nickname = nickname
        self.session = session
        self.language = language
        self.settings = settings
        self.log = log
        self.clock = clock
        self.didChange = didChange
    }

    /// Who the guest is; becomes a guest if there is none yet.
    public func guest() async throws(AuctionError) -> Person {
        let session = if let session { session } else { try await newGuest() }
        return Person(id: session.userId, nickname: session.nickname)
    }

    /// The guest's token.
    /// - Throws: `SignedOut` if the token was refused, because only it shows who the guest is; `AuctionError` if there is none yet.
    public func token(rejected: Credential?) async throws -> Credential? {
        if let rejected, rejected.token == session?.token { throw SignedOut() }
        guard let session else { return handOut(try await newGuest()) }
        guard isDue(session, rejected) else { return handOut(session) }
        let request = ExchangeRequest("POST", "/v1/tokens/renew", body: [:], language: language)
        do throws(AuctionError) {
            return handOut(try await obtain(request, Credential(token: session.token)))
        } catch {
            if case .refused(let refusal) = error, refusal.problem.status == 401 { throw SignedOut() }
            // The old one may still be accepted; if not, the service says so.
            return handOut(session)
        }
    }

    /// Whether the token is renewed before one is returned.
    ///
    /// The device's date decides when an app starts, because nothing else is known then. It may be days behind: a client that
    /// asks again although it has this token, and was not refused, knows by the server's clock that half of its time is over.
    private func isDue(_ session: Session, _ rejected: Credential?) -> Bool {
        if session.expiresAt.duration(since: clock.deviceTime()) < Self.renewalMargin { return true }
        guard rejected == nil, let handedOut, handedOut.token == session.token else { return false }
        return clock.now().duration(since: handedOut.at) >= TokenCache.leastRenewalInterval
    }

    private func handOut(_ session: Session) -> Credential {
        handedOut = (session.token, clock.now())
        return Credential(token: session.token)
    }

    /// Keeps the session with the new nickname.
    public func sessionChanged(to session: Session) async { keep(session) }

    private func keep(_ session: Session) {
        self.session = session
        didChange(session)
    }

    private func newGuest() async throws(AuctionError) -> Session {
        try await obtain(
            ExchangeRequest("POST", "/v1/guests", body: ["nickname": .string(nickname)], language: language), nil)
    }

    /// One request at a time, whose session all waiting callers get: two requests would make two guests.
    private func obtain(_ request: ExchangeRequest, _ token: Credential?) async throws(AuctionError) -> Session {
        if let obtaining { return try await obtaining.value.get() }
        let before = session
        let task = Task { await requested(request, token) }
        obtaining = task
        let result = await task.value
        obtaining = nil
        let new = try result.get()
        // The nickname may have been changed meanwhile.
        if let session, session != before { return session }
        keep(new)
        return new
    }

    private func requested(_ request: ExchangeRequest, _ token: Credential?) async -> Result<Session, AuctionError> {
        let serverClock = SharedServerClock()
        let tokens = TokenCache(FixedToken(token), clock: clock, serverClock: serverClock)
        let context = ClientContext(
            transport: transport, tokens: tokens, clock: clock, serverClock: serverClock, language: language, logger: log)
        do throws(AuctionError) {
            return .success(try await ExchangeRunner(context: context).value(request, settings, Session.init))
        } catch {
            return .failure(error)
        }
    }
}
