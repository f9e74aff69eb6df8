internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// What one loop knows of rights that end while somebody makes use of them: a stream lives longer than the request that opened it.
struct LoopAccess {
    /// A token that expires, and a wall clock that was set, are noticed after so long.
    static let checkMilliseconds = 400

    /// Long-polls that are held and showed a token, by their exchange.
    var polls: [UInt64: HeldPoll] = [:]
    /// No right in use ends earlier; nil while none is in use.
    fileprivate var earliestEnd: Timestamp?
    fileprivate var timer: TimerID?

    mutating func stop(on loop: EventLoop) {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}

extension LoopHandler {
    /// A stream or a held poll begins that showed a token.
    func watchAccess(of principal: Principal) {
        access.earliestEnd = min(access.earliestEnd ?? principal.expiresAt, principal.expiresAt)
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

    /// Cheap while nothing is due: one comparison, however many streams there are.
    private func checkAccess() {
        guard !streams.subscribers.isEmpty || !access.polls.isEmpty else {
            access.earliestEnd = nil
            return
        }
        let now = shared.clock.now().wall
        if let earliest = access.earliestEnd, earliest <= now { endAccess(at: now) }
        if access.earliestEnd != nil { armAccessTimer() }
    }

    /// Keys, revocations or guests are others than before.
    func identityChanged() {
        tokens.use(shared.gate)
        endAccess(at: shared.clock.now().wall)
    }

    /// Ends every stream and held poll whose token does not count any more.
    func endAccess(at now: Timestamp) {
        var earliest: Timestamp?
        for subscriber in Array(streams.subscribers.values) {
            guard let principal = subscriber.watch.principal else { continue }
            if let defect = tokens.defect(of: principal, at: now) {
                subscriber.sink.close(defect.closeStatus)
            } else {
                earliest = min(earliest ?? principal.expiresAt, principal.expiresAt)
            }
        }
        for (id, held) in access.polls {
            guard let principal = held.principal else { continue }
            if let defect = tokens.defect(of: principal, at: now) {
                end(held, id, Problem(defect))
            } else {
                earliest = min(earliest ?? principal.expiresAt, principal.expiresAt)
            }
        }
        access.earliestEnd = earliest
    }

    private func end(_ held: HeldPoll, _ id: UInt64, _ problem: Problem) {
        _ = feed.handle(.gone(exchange: id, held.room.id), now: shared.clock.now())
        letGo(id, held)
        guard let exchange = loop.exchange(ExchangeID(rawValue: id)) else { return }
        respond(
            problem, to: exchange, requestIDs.id(of: exchange), Language(acceptLanguage: exchange.header("Accept-Language")))
    }
}

extension TokenDefect {
    /// How a stream ends that was opened with such a token.
    fileprivate var closeStatus: CloseStatus {
        switch self {
        case .expired: .tokenExpired
        default: .tokenRevoked
        }
    }
}
