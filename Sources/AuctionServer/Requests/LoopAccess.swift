internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// Tracks when the tokens of one loop's open streams and held long-polls expire: these outlive the request that opened them.
struct LoopAccess {
    /// Interval of the check for expired tokens and a changed wall clock.
    static let checkMilliseconds = 400
    /// Clock change that is ignored: by how much a provider's `exp` may be missed for open streams and polls.
    static let toleratedMilliseconds: UInt64 = 500

    /// Held long-polls.
    var polls: [Subscriptions.ID: WaitingPoll] = [:]
    /// Lower bound in service time of the expiry of all tokens in use; nil if none is in use.
    fileprivate var earliestExpiry: Timestamp?
    /// Milliseconds by which service time was ahead of the wall clock when `earliestExpiry` was computed.
    fileprivate var clockOffset: Int64 = 0
    fileprivate var timer: TimerID?

    mutating func stop(on loop: EventLoop) {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}

extension LoopHandler {
    /// Registers the token of a new stream or held long-poll.
    func watchAccess(of principal: Principal) {
        let now = shared.clock.now()
        if access.earliestExpiry == nil { access.clockOffset = now.clockOffset }
        let end = principal.end(at: now)
        access.earliestExpiry = min(access.earliestExpiry ?? end, end)
        armAccessTimer()
    }

    private func armAccessTimer() {
        guard access.timer == nil, !isDraining else { return }
        access.timer = loop.schedule(afterMilliseconds: LoopAccess.checkMilliseconds) { [weak self] in
            guard let self else { return }
            access.timer = nil
            checkAccess()
        }
    }

    /// Costs one comparison while no token expires, independent of the number of streams.
    private func checkAccess() {
        guard !streams.subscribers.isEmpty || !access.polls.isEmpty else {
            access.earliestExpiry = nil
            return
        }
        let now = shared.clock.now()
        // The offset changes when the wall clock is set or service time catches up: expiries of provider tokens must be recomputed.
        let isMoved = (now.clockOffset - access.clockOffset).magnitude > LoopAccess.toleratedMilliseconds
        if let earliest = access.earliestExpiry, earliest <= now.wall || isMoved { closeInvalidAccess(at: now) }
        if access.earliestExpiry != nil { armAccessTimer() }
    }

    /// Applies changed keys, revocations or guest settings.
    func identityChanged() {
        tokens.use(shared.verifier)
        closeInvalidAccess(at: shared.clock.now())
    }

    /// Closes every stream and held long-poll whose token is no longer valid.
    func closeInvalidAccess(at now: Now) {
        var earliest: Timestamp?
        for subscriber in Array(streams.subscribers.values) {
            guard let principal = subscriber.principal else { continue }
            if let tokenError = tokens.tokenError(of: principal, at: now) {
                subscriber.sink.close(tokenError.closeStatus)
            } else {
                let end = principal.end(at: now)
                earliest = min(earliest ?? end, end)
            }
        }
        for (id, held) in access.polls {
            guard let principal = held.principal else { continue }
            if let tokenError = tokens.tokenError(of: principal, at: now) {
                end(held, id, Problem(tokenError))
            } else {
                let end = principal.end(at: now)
                earliest = min(earliest ?? end, end)
            }
        }
        access.earliestExpiry = earliest
        access.clockOffset = now.clockOffset
    }

    private func end(_ held: WaitingPoll, _ id: Subscriptions.ID, _ problem: Problem) {
        stopWaiting(id)
        guard let exchange = loop.exchange(held.exchange) else { return }
        respond(
            problem, to: exchange, requestIDs.id(of: exchange), Language(acceptLanguage: exchange.header("Accept-Language")))
    }
}

extension Now {
    /// Milliseconds by which service time is ahead of the wall clock.
    fileprivate var clockOffset: Int64 { wall.milliseconds(since: actual) }
}

extension TokenError {
    /// Close status of streams whose token has this error.
    fileprivate var closeStatus: CloseStatus {
        switch self {
        case .expired: .tokenExpired
        default: .tokenRevoked
        }
    }
}
