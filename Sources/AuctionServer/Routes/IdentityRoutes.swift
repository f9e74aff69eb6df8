internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let identity: [Route] = [
        Route(
            .createGuest,
            .anonymous { context throws(Problem) in
                guard context.loop.acceptsGuests else { throw .guestsOff }
                // A guest who can do nothing takes one of the address' tries, and thinks that the rest is their own fault.
                guard context.loop.shared.service.failure == nil else { throw .unavailable }
                let network = context.loop.shared.origins.network(of: context.exchange)
                let nickname = try nickname(from: network, context)
                try context.endQuery()
                let limit = try countGuest(of: network, context)
                var identifiers = IdentifierSource(instant: context.now.wall, seed: context.loop.nextSeed())
                let person = Person(id: identifiers.next(), nickname: nickname)
                var response = token(for: person, context, status: 201)
                response.headers += limit
                return .now(response)
            }),
        Route(
            .renewToken,
            .caller { context, caller throws(Problem) in
                guard caller.principal.source.isOwn else { throw .renewedElsewhere }
                try context.bodyFields().end()
                try context.endQuery()
                if let session = caller.principal.source.session { try checkRenewal(of: session, context) }
                return .now(token(for: caller.person, context, status: 200, session: caller.principal.source.session))
            }),
    ]

    /// A user who has signed in stays so for a time, and only while the service knows the provider's keys.
    private static func checkRenewal(of session: SignInSession, _ context: RequestContext) throws(Problem) {
        let access = context.loop.shared.access
        guard access.signIn.end(of: session) > context.now.wall else { throw .sessionEnded }
        guard access.providerKeys?.keys(of: .issuer(session.issuer)) != nil else { throw .providerAway }
    }

    /// A response with a new token of the user.
    /// - Parameters:
    ///   - seconds: How long it is valid; nil: as a guest's.
    ///   - session: Of a user who has signed in with a provider; the token does not outlive it.
    ///   - end: When the token expires at the latest.
    static func token(
        for person: Person, _ context: RequestContext, status: Int, seconds: Int? = nil, session: SignInSession? = nil,
        until end: Timestamp? = nil
    ) -> Response {
        let access = context.loop.shared.access
        let ends = [end, session.map { access.signIn.end(of: $0) }].compactMap(\.self)
        let (token, expiresAt) = access.signer.sign(
            person, number: context.loop.nextSeed(), at: access.issueTime(of: person.id, at: context.now.wall),
            seconds: seconds, session: session, until: ends.min()
        )
        return .object(reserving: 512, status: status) { json in
            json.member("user", person)
            json.member("token", token)
            json.member("expiresAt", expiresAt)
        }
    }

    /// A malformed body creates no guest and counts as one, as those of users do.
    private static func nickname(from network: ClientNetwork, _ context: RequestContext) throws(Problem) -> String {
        let sender = Requester.network(network)
        try context.loop.checkMalformed(by: sender, at: context.now.monotonic)
        do throws(Problem) {
            var fields = try context.bodyFields()
            let nickname = try fields.displayName("nickname", Person.nicknameLimit)
            try fields.end()
            return nickname
        } catch {
            context.loop.countMalformed(by: sender, bytes: context.exchange.body.count, at: context.now.monotonic)
            throw error
        }
    }

    /// Counts a new guest against the limit of its network.
    /// - Returns: the rate-limit headers.
    private static func countGuest(
        of network: ClientNetwork, _ context: RequestContext
    ) throws(Problem) -> [(name: String, value: String)] {
        let limiter = context.loop.shared.limits.guests
        guard !limiter.isOff else { return [] }
        let verdict = limiter.take(network, at: context.now.monotonic)
        guard verdict.isAllowed else { throw .tooManyGuests(limiter, verdict) }
        return limiter.headers(verdict)
    }
}

extension Problem {
    fileprivate static func tooManyGuests(
        _ limiter: RateLimiter<ClientNetwork>, _ verdict: RateLimiter<ClientNetwork>.Verdict
    ) -> Problem {
        var problem = limiter.problem("guest.rate", verdict)
        let seconds = verdict.retryAfterSeconds
        problem.detail = LocalizedText(
            """
            There are too many new guests from this address; try again in \(seconds) s. Keep the token of a guest and renew it with POST \
            /v1/tokens/renew instead of creating another. If many people share the address, the operator may allow more at once with \
            --limit-guests-burst.
            """,
            """
            该地址新建的访客过多,请在 \(seconds) 秒后重试。请保存访客令牌并以 POST /v1/tokens/renew 续期,不要重复新建;若多人共用此地址,\
            运营者可用 --limit-guests-burst 提高一次允许的数量。
            """)
        return problem
    }

    fileprivate static let guestsOff = Problem(
        .permissionDenied, code: "guest.off",
        LocalizedText("This server takes no guests: sign in with its own accounts.", "该服务器不接受访客,请使用其账号登录。"))
    fileprivate static let sessionEnded = Problem(
        .permissionDenied, code: "session.ended",
        LocalizedText("You signed in too long ago: sign in with the provider again.", "登录已过期,请重新在登录提供方处登录。"))
    fileprivate static let renewedElsewhere = Problem(
        .permissionDenied, code: "token.not_ours",
        LocalizedText("The token is renewed where it was made.", "该令牌须由其签发方续期。"))
}
