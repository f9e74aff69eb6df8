import StateMachines

/// Tokens of a user who signs in with a provider (Sign in with Apple, Google, the operator's own), or on another device with a code.
///
/// The app gets an ID token from the provider and passes it to `signIn(idToken:nonce:nickname:)`; the service answers with a token of its
/// own, which is renewed for as many days as the operator allows. Then, as after `signOut()`, whatever needs a token ends with
/// `SignedOut`, and the app lets the user sign in again.
public actor AccountTokens: TokenProvider {
    private let requests: SessionRequests
    private let didChange: @Sendable (Session?) -> Void
    let kept: KeptSession

    /// - Parameters:
    ///   - transport: how the service is reached, such as `URLSessionTransport(baseURL:)`.
    ///   - session: the stored one; nil if no user has signed in.
    ///   - language: of a refusal for people: `en`, `zh`.
    ///   - settings: how long and how often the service is asked for a session.
    ///   - log: takes each attempt, for the app's log.
    ///   - didChange: stores a new or renewed session, and removes it for nil.
    public init(
        transport: any HTTPTransport, session: Session? = nil, language: String = "en", settings: ExchangeSettings = .init(),
        log: ClientLog? = nil, didChange: @escaping @Sendable (Session?) -> Void = { _ in }
    ) {
        self.init(transport, session, language, settings, log, clock: SystemClock(), didChange)
    }

    init(
        _ transport: any HTTPTransport, _ session: Session? = nil, _ language: String = "en",
        _ settings: ExchangeSettings = .init(), _ log: ClientLog? = nil, clock: any ClientClock,
        _ didChange: @escaping @Sendable (Session?) -> Void
    ) {
        requests = SessionRequests(transport: transport, language: language, settings: settings, log: log, clock: clock)
        kept = KeptSession(session: session)
        self.didChange = didChange
    }

    /// The user who has signed in; nil without one.
    public var user: Person? { kept.session.map { Person(id: $0.userId, nickname: $0.nickname) } }

    /// Signs a user in with an ID token, which the service accepts once.
    /// - Parameters:
    ///   - nonce: the claim of that name as it stands in the token. Sign in with Apple copies what the request had: the SHA-256 of a random
    ///     text, in most apps.
    ///   - nickname: 1 to 40 characters; nil for the name that the token has.
    /// - Throws: `AuctionError`; refused with `id_token.invalid`, `id_token.expired` or `id_token.used`, and with `request.malformed` for
    ///   the field `nickname` if the token has no name: send it again with one.
    @discardableResult
    public func signIn(idToken: String, nonce: String? = nil, nickname: String? = nil) async throws(AuctionError) -> Session {
        var body: [String: JSONValue] = ["idToken": .string(idToken)]
        body["nonce"] = nonce.map { .string($0) }
        body["nickname"] = nickname.map { .string($0) }
        return try await enter("/v1/sessions", body)
    }

    /// Becomes the user of another device, by the code that it shows (`AuctionClient.createPairing()`).
    /// - Throws: `AuctionError`; refused with `pairing.invalid` or `pairing.rate`.
    @discardableResult
    public func signIn(pairingCode: String) async throws(AuctionError) -> Session {
        try await enter("/v1/tokens/pair", ["code": .string(pairingCode)])
    }

    /// Forgets the session. Call `AuctionClient.forgetToken()` as well.
    public func signOut() {
        kept.forget()
        didChange(nil)
    }

    /// The user's token.
    /// - Throws: `SignedOut` without one, and if the service has refused it.
    public func token(rejected: Credential?) async throws -> Credential? {
        guard let session = kept.session, rejected?.token != session.token else { throw SignedOut() }
        return try await renewed(session, rejected, by: requests)
    }

    /// Keeps the session with the new nickname.
    public func sessionChanged(to session: Session) async { keep(session) }

    func keep(_ session: Session) {
        kept.use(session)
        didChange(session)
    }

    /// What was in progress for the user of before is given up; that user stays signed in if this fails.
    private func enter(_ path: String, _ body: [String: JSONValue]) async throws(AuctionError) -> Session {
        let before = kept.session
        kept.forget()
        do throws(AuctionError) {
            return try await obtain(requests.request(path, body), nil, by: requests)
        } catch {
            // With `differentUser` another one has signed in, or the user has signed out.
            if error != .failed(.differentUser), kept.session == nil, let before { kept.use(before) }
            throw error
        }
    }
}

extension AccountTokens: SessionKeeper {}
