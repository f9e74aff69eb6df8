internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Updates the metrics, then calls the next observer.
struct MeasuringObserver<Next: ServiceObserver>: ServiceObserver {
    let metrics: ServiceMetrics
    let next: Next

    func committed(_ room: Room, _ events: [Event]) {
        for event in events { metrics.committed(event.body) }
        next.committed(room, events)
    }

    func appended(rooms: Int, events: Int, nanoseconds: UInt64) {
        metrics.appended(events: events, nanoseconds: nanoseconds)
        next.appended(rooms: rooms, events: events, nanoseconds: nanoseconds)
    }

    func commandCommitted(_ command: Command) {
        if case .placeBid = command { metrics.bidAccepted() }
        next.commandCommitted(command)
    }

    func appendFailed(_ error: EventLogError) {
        metrics.appendFailed()
        next.appendFailed(error)
    }

    func logFailed(_ error: EventLogError) {
        metrics.logFailed()
        next.logFailed(error)
    }

    func warning(_ message: String) {
        metrics.warned()
        next.warning(message)
    }
}

/// Counts refused bids when their responses are encoded; accepted bids are counted once they are durable.
struct CountingResponseEncoder<Next: ResponseEncoder>: ResponseEncoder {
    let metrics: ServiceMetrics
    let next: Next

    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        next.accepted(outcome, of: request, in: room, at: now)
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        if case .placeBid = request.command { metrics.bidRefused(refusal.code) }
        return next.refused(refusal, of: request, in: room, at: now)
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        if case .placeBid = request.command { metrics.bidFailed() }
        return next.failed(failure, of: request, in: room, at: now)
    }

    func replayed(_ record: StoredResponse) -> CommandResponse { next.replayed(record) }
}
