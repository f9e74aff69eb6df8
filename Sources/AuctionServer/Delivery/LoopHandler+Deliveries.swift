internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Deliveries from the service: responses first, then finished loads of rooms, then events.
extension LoopHandler {
    func receive(_ delivery: Delivery) {
        commands.respond(delivery.responses) {
            for (exchange, error) in delivery.loadFinished { loadFinished(exchange, error) }
            // Requests that waited for a room may submit commands here, and the loop calls `turnEnded` only in turns with new requests.
            turnEnded()
            // The room's subscribers may all be on other loops.
            for (room, events) in delivery.events { subscribers.publish(events, of: room) }
        }
    }

    /// Bids and messages have their own limits, per room. All other commands of a user share one limit across rooms: each may write an
    /// event and occupy one of the room's stored idempotency keys.
    /// - Parameter tokens: More for one that costs as much as so many others.
    func takeCommand(of caller: Person, in context: RequestContext, tokens: Int = 1) throws(Problem) {
        guard !shared.limits.commands.isOff else { return }
        let verdict = shared.limits.commands.take(caller.id, tokens: tokens, at: context.now.monotonic)
        guard verdict.isAllowed else { throw shared.limits.commands.problem("command.rate", verdict) }
    }

    private func loadFinished(_ exchange: UInt64, _ error: EventLogError?) {
        shared.limits.pending.leave()
        let id = ExchangeID(rawValue: exchange)
        guard let context = held.takeRequest(id), loop.exchange(id) != nil else { return }
        guard let error else {
            context.isFresh = true
            return resume(context)
        }
        let problem = Problem(reading: error).addingReceipt(context.route, nil, at: shared.clock.now().wall)
        respond(problem, to: context.exchange, context.requestID, context.language)
    }

    /// Runs `work` on the log or a large room on another thread and sends the response that it returns; 503 if too much of it is pending.
    /// - Parameters:
    ///   - confirmedAt: when the room was last known to match the log; nil for data that comes only from the log.
    ///   - kind: names reads of which a caller may have one at a time; nil for other reads.
    ///   - queue: where it waits.
    ///   - isTimeless: whether the response never gets stale: that of a command, or a picture, whose address stands for its content.
    ///   - failing: the problem that an error of the log is, which is also logged.
    func offload(
        _ context: RequestContext, for viewer: Caller?, confirmedAt: Int64? = nil, oneAtATime kind: String? = nil,
        on queue: WorkQueue = .reads, isTimeless: Bool = false,
        failing: @escaping @Sendable (EventLogError) -> Problem = Problem.init(reading:),
        _ work: @escaping @Sendable (any EventLog) throws(EventLogError) -> Response
    ) -> Reply {
        let (id, requestID, language) = (context.exchange.id, context.requestID, context.language)
        let (problemContext, shared, index) = (context.problemContext, shared, loop.index)
        let caller = viewer?.id.description ?? shared.origins.network(of: context.exchange).description
        let isAged = shared.service.isShared && !isTimeless
        let counted = kind.map { "\(caller) \($0)" } ?? caller
        let isTaken = shared.service.read(
            for: counted, atMost: kind == nil ? .max : 1, on: queue
        ) { log -> OffloadedResponse in
            // Data that comes only from the log is as recent as this read, however long it has waited for its turn.
            let readAt = isAged ? confirmedAt ?? shared.clock.uptime() : nil
            do throws(EventLogError) {
                return OffloadedResponse(response: try work(log), confirmedAt: readAt)
            } catch {
                shared.log.report(error, of: requestID)
                return OffloadedResponse(response: failing(error).response(problemContext), confirmedAt: readAt)
            }
        } then: { offloaded in
            shared.registry.post(to: index) {
                $0.finish(id, offloaded.response, requestID, confirmedAt: offloaded.confirmedAt)
            }
        }
        if !isTaken {
            respond(queue == .reads ? .tooManyReads : .tooManyUploads, to: context.exchange, requestID, language)
        }
        return .later
    }

    /// - Parameter confirmedAt: when the content was last known to match the log, for the `Age` header; nil: no header.
    func finish(_ id: ExchangeID, _ response: Response, _ requestID: String, confirmedAt: Int64? = nil) {
        guard let exchange = loop.exchange(id) else { return }
        var response = response
        do throws(Problem) {
            if response.status < 400, let age = try ageHeader(confirmedAt: confirmedAt) { response.headers.append(age) }
        } catch {
            return respond(error, to: exchange, requestID, .init(acceptLanguage: exchange.header("Accept-Language")))
        }
        response.headers.append(("X-Request-Id", requestID))
        exchange.respond(response)
    }
}

/// What a thread that reads the log hands back to the event loop.
private struct OffloadedResponse: Sendable {
    let response: Response
    /// When its content was last known to match the log; nil if it does not age.
    let confirmedAt: Int64?
}

extension Problem {
    /// Converts a failed read of the log. Corruption is a 500 without `Retry-After`, since a retry cannot succeed.
    init(reading error: EventLogError) {
        switch error.code {
        case .corrupt: self = .internalError
        case .busy: self = .tooManyReads
        default: self = .unavailable
        }
    }
}
