internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Signing in with the ID token of a provider.
extension Routes {
    static let sessions: [Route] = [
        Route(
            .createSession,
            .anonymous { context throws(Problem) in
                guard !context.loop.shared.access.signIn.providers.isEmpty else { throw .signInOff }
                // A token is exchanged once: it must not be used up by a request that gets no token for it.
                guard context.loop.shared.service.failure == nil else { throw .unavailable }
                let credentials = try credentials(context)
                try context.endQuery()
                try context.loop.exchange(credentials, context)
                return .later
            })
    ]

    private static func credentials(_ context: RequestContext) throws(Problem) -> SignInCredentials {
        let sender = Requester.network(context.loop.shared.origins.network(of: context.exchange))
        try context.loop.checkMalformed(by: sender, at: context.now.monotonic)
        do throws(Problem) {
            var fields = try context.bodyFields()
            let (token, nonce) = try fields.taking { fields throws(JSONError) in
                let (token, nonce) = (try fields.string("idToken"), try fields.optionalString("nonce"))
                guard (1...SignedToken.limitBytes).contains(token.utf8.count) else {
                    throw fields.invalid(
                        "idToken", "must have 1 to \(SignedToken.limitBytes) bytes", "须为 1 至 \(SignedToken.limitBytes) 字节")
                }
                guard (1...SignInCredentials.nonceBytes).contains(nonce?.utf8.count ?? 1) else {
                    throw fields.invalid(
                        "nonce", "must have 1 to \(SignInCredentials.nonceBytes) bytes",
                        "须为 1 至 \(SignInCredentials.nonceBytes) 字节")
                }
                return (token, nonce)
            }
            let nickname = fields.has("nickname") ? try fields.displayName("nickname", Person.nicknameLimit) : nil
            try fields.end()
            return SignInCredentials(token: token, nonce: nonce, nickname: nickname)
        } catch {
            context.loop.countMalformed(by: sender, bytes: context.exchange.body.count, at: context.now.monotonic)
            throw error
        }
    }
}

/// What a client signs in with.
struct SignInCredentials: Sendable {
    static let nonceBytes = 255

    let token: String
    /// What the client has sent to the provider; nil if it sent none.
    let nonce: String?
    /// What the user wants to be called; nil: as the token says.
    let nickname: String?
}

extension LoopHandler {
    /// What verifying an ID token and using it up has led to.
    private enum Exchanged: Sendable {
        case signedIn(Person, SignInSession)
        /// The provider may have keys that are to be fetched first.
        /// - Parameter attempts: How many attempts to fetch them were over.
        case needsKeys(issuer: String, attempts: Int, otherwise: Problem)
    }

    /// Verifies an ID token and uses it up, on another thread, then responds with a token of this service.
    /// - Parameter mayFetch: Whether keys may be fetched first; once for a request.
    fileprivate func exchange(
        _ credentials: SignInCredentials, _ context: RequestContext, mayFetch: Bool = true
    ) throws(Problem) {
        let network = shared.origins.network(of: context.exchange)
        let (shared, requestID) = (shared, context.requestID)
        try wait(context) { (finish) throws(Problem) in
            let isTaken = shared.service.read(for: network.description) { log -> Result<Exchanged, Problem> in
                do throws(EventLogError) {
                    return try Self.exchanged(credentials, shared.access, log, at: shared.clock.now())
                } catch {
                    shared.log.report(error, of: requestID)
                    return .failure(.unavailable)
                }
            } then: {
                finish($0)
            }
            guard isTaken else { throw .tooManyReads }
        } then: { [unowned self] (result: Result<Exchanged, Problem>) in
            // A client that tries out tokens has no other limit. Those of an unknown key count too, as anyone can make them up.
            let refusal: Problem? =
                switch result {
                case .failure(let problem), .success(.needsKeys(_, _, let problem)): problem
                case .success(.signedIn): nil
                }
            if refusal?.status == 401 {
                countMalformed(by: .network(network), bytes: credentials.token.utf8.count, at: context.now.monotonic)
            }
            proceed(context) { () throws(Problem) in
                switch try result.get() {
                case .signedIn(let person, let session):
                    let response = Routes.token(for: person, context, status: 201, session: session)
                    finish(context.exchange.id, response, requestID)
                case .needsKeys(let issuer, let attempts, let problem):
                    guard mayFetch else { throw problem }
                    try fetchKeys(of: issuer, since: attempts, otherwise: problem, context) {
                        [unowned self] () throws(Problem) in
                        try exchange(credentials, context, mayFetch: false)
                    }
                }
            }
        }
    }

    /// Goes on when the keys of a provider were fetched.
    private func fetchKeys(
        of issuer: String, since attempts: Int, otherwise problem: Problem, _ context: RequestContext,
        then work: @escaping () throws(Problem) -> Void
    ) throws(Problem) {
        try wait(context) { (finish) throws(Problem) in
            guard shared.access.providerKeys?.refresh(.issuer(issuer), since: attempts, then: { finish(true) }) == true else {
                throw problem
            }
        } then: { [unowned self] (_: Bool) in
            proceed(context, work)
        }
    }

    /// Runs on a thread that may block.
    private static func exchanged(
        _ credentials: SignInCredentials, _ access: Access, _ log: any EventLog, at now: Now
    ) throws(EventLogError) -> Result<Exchanged, Problem> {
        let token: IDToken
        // Counted before the keys are looked up: an attempt may end in between.
        var attempts = 0
        do throws(IDToken.Refusal) {
            token = try IDToken(credentials.token, nonce: credentials.nonce, access.signIn, at: now.actual) { issuer in
                attempts = access.providerKeys?.attempts(of: .issuer(issuer)) ?? 0
                return access.providerKeys?.keys(of: .issuer(issuer))
            }
        } catch {
            switch error {
            case .unknownKey(let issuer), .noKeys(let issuer):
                return .success(.needsKeys(issuer: issuer, attempts: attempts, otherwise: Problem(error)))
            default: return .failure(Problem(error))
            }
        }
        guard let nickname = credentials.nickname ?? token.name else { return .failure(.nicknameMissing) }
        let person = Person(id: access.erased.users.identity(of: token.user), nickname: nickname)
        let session = SignInSession(issuer: token.issuer, begunAt: now.wall)
        let principal = Principal(
            person: person, expiresAt: access.signIn.end(of: session), issuedAt: access.issueTime(of: person.id, at: now.wall),
            source: .session(session), tokenID: token.tokenID)
        if let error = access.verifier.tokenError(of: principal, at: now) { return .failure(Problem(error)) }
        let isFirst = try log.write([
            .put(
                "id-token", token.useKey, [],
                expiresAt: token.expiresAt.advanced(byMilliseconds: SignInOptions.usedTokenMargin), if: .none)
        ])
        return isFirst ? .success(.signedIn(person, session)) : .failure(.idTokenUsed)
    }
}

extension Problem {
    fileprivate init(_ refusal: IDToken.Refusal) {
        self =
            switch refusal {
            case .unknown, .unknownKey:
                .unauthorized(
                    "id_token.invalid", "The ID token is not of a provider that users sign in with here.",
                    "该 ID 令牌并非由本服务的登录提供方签发。")
            case .claim(let name, let problem):
                .unauthorized(
                    "id_token.invalid", "The ID token is not valid here: its claim \"\(name)\" \(problem).",
                    "ID 令牌无效:声明 \"\(name)\" 不符合要求。")
            case .expired(let instant):
                .unauthorized(
                    "id_token.expired", "The ID token expired at \(instant); sign in with the provider again.",
                    "ID 令牌已于 \(instant) 过期,请重新在登录提供方处登录。")
            case .noKeys: .providerAway
            }
    }

    /// The provider has not been reached since the start.
    static let providerAway = Problem(
        .unavailable, code: "session.provider_away",
        LocalizedText(
            "The provider that users sign in with cannot be reached, and its keys are not known yet; try again in a minute.",
            "登录提供方暂时无法访问,且尚未取得其密钥,请一分钟后重试。"), retryAfterSeconds: 60)

    fileprivate static let signInOff = Problem(
        .permissionDenied, code: "session.off",
        LocalizedText("This server has no provider that users sign in with.", "该服务器未配置登录提供方。"))

    fileprivate static let idTokenUsed = Problem.unauthorized(
        "id_token.used", "The ID token has been exchanged already; sign in with the provider again.",
        "该 ID 令牌已被使用,请重新在登录提供方处登录。")

    fileprivate static let nicknameMissing = Problem(
        .malformedRequest, code: "request.malformed",
        LocalizedText(
            "The ID token has no name to show: send a \"nickname\" with it.", "ID 令牌中没有可显示的名称,请同时提供 \"nickname\"。"),
        field: "nickname")
}
