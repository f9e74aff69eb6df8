internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Logging

/// Logs one line per state transition, and all failures and warnings of the service.
struct LoggingObserver: ServiceObserver {
    let logger: Logger
    let onLogFailure: @Sendable (EventLogError) -> Void

    func committed(_ room: Room, _ events: [StoredEvent]) {
        for event in events where event.type == "state.changed" {
            logger.info("transition", metadata: metadata(of: event, in: room))
        }
    }

    func appended(rooms: Int, events: Int, nanoseconds: UInt64) {}

    func commandCommitted(_ command: Command) {}

    func appendFailed(_ error: EventLogError) { logger.error("an append failed", metadata: ["error": "\(error)"]) }

    func logFailed(_ error: EventLogError) {
        logger.critical("the event log failed; nothing more is acknowledged", metadata: ["error": "\(error)"])
        onLogFailure(error)
    }

    func warning(_ message: String) { logger.warning("\(message)") }

    private func metadata(of event: StoredEvent, in room: Room) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["room": "\(room.id)", "seq": "\(event.seq)"]
        // The event was written by this program, so parsing cannot fail; if it did, only metadata would be missing.
        guard case .success(let json) = Result(catching: { () throws(JSONError) in try JSONReader.read(event.publicBytes) })
        else { return metadata }
        if case .number(let round)? = json["round"] { metadata["round"] = "\(round)" }
        for name in ["from", "to", "cause"] {
            if case .string(let word)? = json["data"]?[name] { metadata[name] = "\(word)" }
        }
        if case .string(let user)? = json["data"]?["by"]?["id"] { metadata["by"] = "\(user)" }
        return metadata
    }
}
