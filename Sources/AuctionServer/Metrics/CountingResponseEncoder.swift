internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Counts refused bids when their responses are encoded; accepted bids are counted once they are durable.
struct CountingResponseEncoder: ResponseEncoder {
    let metrics: ServiceMetrics
    let next: HTTPResponseEncoder

    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        next.accepted(outcome, of: request, in: room, at: now)
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        if request.command.isBid { metrics.bidRefused(refusal.code) }
        return next.refused(refusal, of: request, in: room, at: now)
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        if request.command.isBid { metrics.bidFailed() }
        return next.failed(failure, of: request, in: room, at: now)
    }

    func replayed(_ record: StoredResponse) -> CommandResponse { next.replayed(record) }
}
