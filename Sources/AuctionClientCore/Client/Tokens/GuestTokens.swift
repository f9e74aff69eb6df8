import StateMachines

/// Tokens of a guest of the service: makes the guest on first use, and renews the token before it expires.
///
/// The guest exists as long as its token: an app that wants to stay the same guest stores the session in `didChange` and passes it on
/// the next start. An app that is used again within `renewalMargin` keeps the guest for good; a token that has expired cannot be renewed.
public actor GuestTokens: TokenProvider {
    /// A token with less time left is renewed: half of the week for which the service accepts one.
    public static let renewalMargin: Duration = .seconds(84 * 3600)

    private let nickname: String
    private let didChange: @Sendable (Session) -> Void
    private let requests: SessionRequests
    let kept: KeptSession

    /// The guest's session; nil before there is one.
    var session: Session? { kept.session }

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
        requests = SessionRequests(transport: transport, language: language, settings: settings, log: log, clock: clock)
        kept = KeptSession(session: session)
        self.nickname = nickname
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
        guard let session else { return kept.handOut(try await newGuest(), at: requests.clock.now()) }
        return try await renewed(session, rejected, by: requests)
    }

    /// Keeps the session with the new nickname.
    public func sessionChanged(to session: Session) async { keep(session) }

    func keep(_ session: Session) {
        kept.use(session)
        didChange(session)
    }

    private func newGuest() async throws(AuctionError) -> Session {
        try await obtain(requests.request("/v1/guests", ["nickname": .string(nickname)]), nil, by: requests)
    }
}

extension GuestTokens: SessionKeeper {}
