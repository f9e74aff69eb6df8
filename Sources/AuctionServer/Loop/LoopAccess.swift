internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// What one loop knows of rights that end while somebody makes use of them: a stream lives longer than the request that opened it.
struct LoopAccess {
    /// A token that expires, and a wall clock that was set, are noticed after so long.
    static let checkMilliseconds = 400
    /// How far a provider's `exp` may be missed in what is open already.
    static let toleratedMilliseconds: UInt64 = 500

    /// Long-polls that are held and showed a token, by their exchange.
    var polls: [UInt64: HeldPoll] = [:]
    /// No right in use ends earlier, in the service's time; nil while none is in use.
    fileprivate var earliestEnd: Timestamp?
    /// By how much the service's time was ahead of the wall clock when that was found.
    fileprivate var ahead: Int64 = 0
    fileprivate var timer: TimerID?

    mutating func stop(on loop: EventLoop) {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}

extension LoopHandler {
    /// A stream or a held poll begins that showed a token.
    func watchAccess(of principal: Principal) {
        let now = shared.clock.now()
        if access.earliestEnd == nil { access.ahead = now.ahead }
        let end = principal.end(at: now)
        access.earliestEnd = min(access.earliestEnd ?? end, end)
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
        let now = shared.clock.now()
        // The wall clock was set, or the service's time has come nearer to it: providers' tokens end at other instants.
        let isMoved = (now.ahead - access.ahead).magnitude > LoopAccess.toleratedMilliseconds
        if let earliest = access.earliestEnd, earliest <= now.wall || isMoved { endAccess(at: now) }
        if access.earliestEnd != nil { armAccessTimer() }
    }

    /// Keys, revocations or guests are others than before.
    func identityChanged() {
        tokens.use(shared.gate)
        endAccess(at: shared.clock.now())
    }

    /// Ends every stream and held poll whose token does not count any more.
    func endAccess(at now: Now) {
        var earliest: Timestamp?
        for subscriber in Array(streams.subscribers.values) {
            guard let principal = subscriber.watch.principal else { continue }
            if let defect = tokens.defect(of: principal, at: now) {
                subscriber.sink.close(defect.closeStatus)
            } else {
                let end = principal.end(at: now)
                earliest = min(earliest ?? end, end)
            }
        }
        for (id, held) in access.polls {
            guard let principal = held.principal else { continue }
            if let defect = tokens.defect(of: principal, at: now) {
                end(held, id, Problem(defect))
            } else {
                let end = principal.end(at: now)
                earliest = min(earliest ?? end, end)
            }
        }
        access.earliestEnd = earliest
        access.ahead = now.ahead
    }

    private func end(_ held: HeldPoll, _ id: UInt64, _ problem: Problem) {
        _ = feed.handle(.gone(exchange: id, held.room.id), now: shared.clock.now())
        letGo(id, held)
        guard let exchange = loop.exchange(ExchangeID(rawValue: id)) else { return }
        respond(
            problem, to: exchange, requestIDs.id(of: exchange), Language(acceptLanguage: exchange.header("Accept-Language")))
    }
}

extension Now {
    /// By how much the service's time is ahead of the wall clock, in milliseconds.
    fileprivate var ahead: Int64 { wall.milliseconds(since: actual) }
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
