internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Logging
internal import Synchronization

/// Updates the metrics, and logs one line per state transition and per reported message, and all failures and warnings of the service.
struct ServerObserver: ServiceObserver {
    let metrics: ServiceMetrics
    let logger: Logger
    let clock: any ServiceClock
    let appendFailures = LineLimit()
    let onLogFailure: @Sendable (EventLogError) -> Void

    func committed(_ room: Room, _ events: [Event]) {
        for event in events {
            metrics.committed(event.body)
            switch event.body {
            case .stateChanged(let change): log(change, event, room)
            // Without texts and users: the operator reads them in the room.
            case .messageReported(let report):
                logger.info("a message was reported", metadata: ["room": "\(room.id)", "report": "\(report.id)"])
            default: continue
            }
        }
    }

    private func log(_ change: StateChange, _ event: Event, _ room: Room) {
        var metadata: Logger.Metadata = [
            "room": "\(room.id)", "seq": "\(event.seq)", "round": "\(event.round)", "from": "\(change.from)",
            "to": "\(change.to)", "cause": "\(change.cause)",
        ]
        if let user = change.by?.id { metadata["by"] = "\(user.serviceToken ?? user.description)" }
        logger.info("transition", metadata: metadata)
    }

    func appended(rooms: Int, events: Int, nanoseconds: UInt64) { metrics.appended(events: events, nanoseconds: nanoseconds) }

    func commandCommitted(_ command: Command) { if command.isBid { metrics.bidAccepted() } }

    func appendFailed(_ error: EventLogError) {
        metrics.appendFailed()
        guard let others = appendFailures.pass(at: clock.uptime()) else { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if others > 0 { metadata["notLogged"] = "\(others)" }
        logger.error("an append failed", metadata: metadata)
    }

    func logFailed(_ error: EventLogError) {
        metrics.logFailed()
        logger.critical("the event log failed; nothing more is acknowledged", metadata: ["error": "\(error)"])
        onLogFailure(error)
    }

    func warning(_ message: String) {
        metrics.warned()
        logger.warning("\(message)")
    }
}

/// Lets some lines a second through, one unless more are allowed: on a full disk every command would write one.
final class LineLimit: Sendable {
    private let perSecond: Int
    private let state = Mutex<(end: Int64, passed: Int, heldBack: Int)>((.min, 0, 0))

    init(perSecond: Int = 1) { self.perSecond = perSecond }

    /// Whether a line may be written.
    /// - Parameter instant: Nanoseconds of one monotonic clock, such as `ServiceClock.uptime`.
    /// - Returns: How many were not since the last one; nil if this one may not either.
    func pass(at instant: Int64) -> Int? {
        state.withLock { state in
            if instant >= state.end { (state.end, state.passed) = (instant + 1_000_000_000, 0) }
            guard state.passed < perSecond else {
                state.heldBack += 1
                return nil
            }
            state.passed += 1
            defer { state.heldBack = 0 }
            return state.heldBack
        }
    }
}
