internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let identity: [Route] = [
        Route(
            .post, "/v1/guests",
            .anybody { context throws(Problem) in
                guard context.loop.tokens.verifier.identity.acceptsGuests else { throw .guestsOff }
                // Checked before the body is read, since the request needs no token and its sender has no other limit.
                let limit = try limitGuests(context)
                var fields = try context.bodyFields()
                let nickname = try fields.displayName("nickname", Person.nicknameLimit)
                try fields.end()
                var identifiers = IdentifierSource(instant: context.now.wall, seed: context.loop.seeds.next())
                let person = Person(id: identifiers.next(), nickname: nickname)
                var response = token(for: person, context, status: 201)
                response.headers += limit
                return .now(response)
            }),
        Route(
            .post, "/v1/tokens/renew",
            .caller { context, caller throws(Problem) in
                guard case .guests = caller.principal.source else { throw .renewedElsewhere }
                try context.bodyFields().end()
                return .now(token(for: caller.person, context, status: 200))
            }),
    ]

    private static func token(for person: Person, _ context: RequestContext, status: Int) -> Response {
        let (token, expiresAt) = context.loop.shared.signer.sign(person, at: context.now.wall)
        var json = JSONWriter(reserving: 512)
        json.object { json in
            json.member("user", person)
            json.member("token", token)
            json.member("expiresAt", expiresAt)
        }
        return .json(json.bytes, status: status)
    }

    /// Counts a new guest against the limit of the client's network.
    /// - Returns: the rate-limit headers.
    private static func limitGuests(_ context: RequestContext) throws(Problem) -> [(name: String, value: String)] {
        let limiter = context.loop.shared.guestLimiter
        guard !limiter.isOff else { return [] }
        let verdict = limiter.take(context.exchange.clientNetwork(context.loop.shared), at: context.now.monotonic)
        guard verdict.isAllowed else { throw limiter.problem("guest.rate", verdict) }
        return limiter.headers(verdict)
    }
}

extension Problem {
    fileprivate static let guestsOff = Problem(
        .permissionDenied, code: "guest.off",
        LocalizedText("This server takes no guests: sign in with its own accounts.", "该服务器不接受访客,请使用其账号登录。"))
    fileprivate static let renewedElsewhere = Problem(
        .permissionDenied, code: "token.not_ours",
        LocalizedText("The token is renewed where it was made.", "该令牌须由其签发方续期。"))
}
