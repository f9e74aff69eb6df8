internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// The same user on another device: a code that is shown on one, and redeemed on the other.
extension Routes {
    static let pairing: [Route] = [
        Route(
            .createPairing,
            .caller { context, caller throws(Problem) in
                try context.bodyFields().end()
                try context.endQuery()
                guard caller.principal.source.isOwn else { throw .pairedElsewhere }
                try context.loop.takeCommand(of: caller.person, in: context)
                try context.loop.createPairing(for: caller.principal, context)
                return .later
            }),
        Route(
            .redeemPairing,
            .anonymous { context throws(Problem) in
                guard context.loop.shared.service.failure == nil else { throw .unavailable }
                let network = context.loop.shared.origins.network(of: context.exchange)
                try context.loop.shared.limits.pairingTries.check(network, "pairing.rate", at: context.now.monotonic)
                var fields = try context.bodyFields()
                let typed = try fields.text("code", 1...64)
                try fields.end()
                try context.endQuery()
                try context.loop.redeemPairing(PairingCode(typed), context)
                return .later
            }),
    ]
}

extension LoopHandler {
    /// Creates a code for the caller, in place of the one before, then responds with it.
    fileprivate func createPairing(for principal: Principal, _ context: RequestContext) throws(Problem) {
        let code = PairingCode(random: nextSeed)
        let expiresAt = min(
            context.now.wall.advanced(byMilliseconds: PairingCode.lifetimeMilliseconds), principal.end(at: context.now))
        let pairing = Pairing(principal: principal, expiresAt: expiresAt)
        let key = shared.access.signer.pairingKeys.key(of: code)
        try readRecords(context, for: principal.person.id.description) { log throws(EventLogError) in
            try pairing.write(to: log, key: key)
        } then: { [unowned self] isWritten throws(Problem) in
            // Of two requests of the user at the same time one may fail.
            guard isWritten else { throw .unavailable }
            let response = Response.object(reserving: 128, status: 201) { json in
                json.member("code", code.text)
                json.member("expiresAt", expiresAt)
            }
            finish(context.exchange.id, response, context.requestID)
        }
    }

    /// Redeems a code for a token of its user. A wrong one counts against the address that tries.
    fileprivate func redeemPairing(_ code: PairingCode?, _ context: RequestContext) throws(Problem) {
        let network = shared.origins.network(of: context.exchange)
        let key = code.map { shared.access.signer.pairingKeys.key(of: $0) }
        let (tries, clock) = (shared.limits.pairingTries, shared.clock)
        // One try of an address at a time, or many at once would be more than those that are counted.
        try readRecords(context, for: "\(network) pairing", atMost: 1) {
            log throws(EventLogError) -> Result<Principal, Problem> in
            let now = clock.now()
            // Another one may have ended since the request was checked.
            do throws(Problem) { try tries.check(network, "pairing.rate", at: now.monotonic) } catch { return .failure(error) }
            if let key, let found = try Pairing.take(from: log, key: key, at: now.wall) { return .success(found) }
            tries.add(network, at: now.monotonic)
            return .failure(.pairingInvalid)
        } then: { [unowned self] redeemed throws(Problem) in
            let principal = try redeemed.get()
            // The user's tokens may have been revoked since the code was made.
            if let error = shared.verifier.tokenError(of: principal, at: context.now) { throw Problem(error) }
            // It is no renewal: of a user who signed in with a provider it ends when the token that has made the code does.
            let session = principal.source.session
            let response = Routes.token(
                for: principal.person, context, status: 200, session: session, until: session.map { _ in principal.expiresAt })
            finish(context.exchange.id, response, context.requestID)
        }
    }
}

extension Problem {
    /// One refusal for all causes, so that guessing reveals nothing.
    fileprivate static let pairingInvalid = Problem(
        .notFound, code: "pairing.invalid",
        LocalizedText(
            "The code is not valid: it is wrong, used, or older than five minutes. Make a new one on the other device.",
            "代码无效:可能有误、已使用或已超过五分钟,请在另一设备上重新生成。"), field: "code")

    fileprivate static let pairedElsewhere = Problem(
        .permissionDenied, code: "token.not_ours",
        LocalizedText(
            "A token of your identity provider is needed on each device: sign in there.", "该令牌由身份提供方签发,请在各设备上分别登录。"))
}
