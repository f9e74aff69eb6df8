import Foundation

/// A user who is signed in: who, and the token until when.
public struct Session: Hashable, Sendable, Codable {
    /// Opaque.
    public let userId: String
    /// What they call themselves.
    public let nickname: String
    /// The token; keep it as safe as a password.
    public let token: String
    /// Until when it is accepted, by the server's clock.
    public let expiresAt: ServerTime

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        let user = try fields.person("user")
        userId = user.id
        nickname = user.nickname
        token = try fields.string("token")
        expiresAt = try fields.time("expiresAt")
    }
}

/// Tokens of a guest of the service: makes the guest on first use, and renews the token before it expires.
///
/// The guest exists as long as its token: an app that wants to stay the same guest stores the session in `didChange` and passes it on
/// the next start.
public actor GuestTokens: TokenProvider {
    /// A token with less time left is renewed.
    public static let renewalMargin: Duration = .seconds(24 * 3600)

    private let transport: any HTTPTransport
    private let nickname: String
    private let didChange: @Sendable (Session) -> Void
    private let clock = SystemClock()
    private(set) var session: Session?

    /// - Parameters:
    ///   - transport: how the service is reached, such as `URLSessionTransport(baseURL:)`.
    ///   - nickname: of a new guest, 1 to 40 characters.
    ///   - session: the stored one; nil to become a new guest.
    ///   - didChange: stores a new or renewed session.
    public init(
        transport: any HTTPTransport, nickname: String, session: Session? = nil,
        didChange: @escaping @Sendable (Session) -> Void = { _ in }
    ) {
        self.transport = transport
        self.nickname = nickname
        self.session = session
        self.didChange = didChange
    }

    /// Who the guest is; becomes a guest if there is none yet.
    /// - Throws: `AuctionError`.
    public func guest() async throws -> Person {
        if session == nil { _ = try await token(rejected: nil) }
        guard let session else { throw SignedOut() }
        return Person(id: session.userId, nickname: session.nickname)
    }

    /// The guest's token. A refused one ends the guest, because only its token shows who it is.
    public func token(rejected: Credential?) async throws -> Credential? {
        if let rejected, rejected.token == session?.token { throw SignedOut() }
        guard let session else { return try await become(request("/v1/guests", ["nickname": .string(nickname)], nil)) }
        guard session.expiresAt.duration(since: clock.deviceTime()) < Self.renewalMargin else {
            return Credential(token: session.token)
        }
        do {
            return try await become(request("/v1/tokens/renew", [:], session.token))
        } catch AuctionError.refused(let refusal) where refusal.problem.status == 401 {
            throw SignedOut()
        } catch {
            // The old one may still be accepted; if not, the service says so.
            return Credential(token: session.token)
        }
    }

    private func become(_ request: ExchangeRequest) async throws -> Credential {
        let context = ClientContext(
            transport: transport, tokens: TokenCache(FixedToken(request.bearer)), clock: clock,
            serverClock: SharedServerClock(), language: request.language, logger: nil)
        switch await ExchangeRunner(context: context).run(request, ExchangeSettings()) {
        case .done(let response, _):
            let session = try Session(try JSONParser.parse(response.body))
            self.session = session
            didChange(session)
            return Credential(token: session.token)
        case .refused(let refusal): throw AuctionError.refused(refusal)
        case .failed(let failure, _): throw AuctionError.failed(failure)
        }
    }

    private func request(_ target: String, _ body: JSONValue, _ token: String?) -> ExchangeRequest {
        var request = ExchangeRequest(read: target, language: "en")
        request.method = "POST"
        request.body = body.text
        request.bearer = token.map(Credential.init)
        return request
    }
}
