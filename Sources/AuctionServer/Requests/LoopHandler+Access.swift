internal import AuctionService
internal import MicroHTTP
internal import Permissions

// Streams and held long-polls whose tokens expire or are revoked.
extension LoopHandler {
    /// Schedules the check for expired tokens while tokens are in use.
    func armTokenTimer() {
        guard tokenTimer == nil, !isDraining, subscriptions.hasTokens else { return }
        tokenTimer = loop.schedule(afterMilliseconds: Int(Subscriptions.tokenCheckMilliseconds)) { [weak self] in
            guard let self else { return }
            tokenTimer = nil
            perform(subscriptions.checkTokens(at: shared.clock.now(), tokens.tokenError))
        }
    }

    /// Applies changed keys, revocations or guest settings.
    func identityChanged() {
        tokens.use(shared.verifier)
        perform(subscriptions.identityChanged(at: shared.clock.now(), tokens.tokenError))
    }

    /// Answers a held long-poll whose token is not valid any more.
    func refuse(_ id: Subscriptions.ID, _ error: TokenError) {
        guard let waiting = waitingPolls[id] else { return }
        stopWaiting(id)
        guard let exchange = loop.exchange(waiting.exchange) else { return }
        let language = Language(acceptLanguage: exchange.header("Accept-Language"))
        respond(Problem(error), to: exchange, requestIDs.id(of: exchange), language)
    }
}
