internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Logging

/// Updates the metrics, and logs one line per state transition, and all failures and warnings of the service.
struct ServerObserver: ServiceObserver {
    let metrics: ServiceMetrics
    let logger: Logger
    let onLogFailure: @Sendable (EventLogError) -> Void

    func committed(_ room: Room, _ events: [Event]) {
        for event in events {
            metrics.committed(event.body)
            guard case .stateChanged(let change) = event.body else { continue }
            var metadata: Logger.Metadata = [
                "room": "\(room.id)", "seq": "\(event.seq)", "round": "\(event.round)", "from": "\(change.from)",
                "to": "\(change.to)", "cause": "\(change.cause)",
            ]
            if let user = change.by?.id { metadata["by"] = "\(user)" }
            logger.info("transition", metadata: metadata)
        }
    }

    func appended(rooms: Int, events: Int, nanoseconds: UInt64) { metrics.appended(events: events, nanoseconds: nanoseconds) }

    func commandCommitted(_ command: Command) { if case .placeBid = command { metrics.bidAccepted() } }

    func appendFailed(_ error: EventLogError) {
        metrics.appendFailed()
        logger.error("an append failed", metadata: ["error": "\(error)"])
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
