internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// What was sent to a webhook.
extension Routes {
    /// Most deliveries that one call sends again.
    private static let resendLimit = 1000

    static func listDeliveries(_ context: RequestContext, by _: ServiceToken) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let cursor = try items.cursor { DeliveryKey(cursor: $0) }
        let (id, problemContext, now) = (context.parameters[0], context.problemContext, context.now.wall)
        return context.loop.offload(context, for: nil) { log throws(EventLogError) in
            guard let stored = try log.webhook(id) else { return Problem.webhookNotFound.response(problemContext) }
            let entries = DeliveryLog(try log.record(DeliveryLog.recordKind, id)).entries
            let found = try log.failedDeliveries(of: id, limit: limit + 1, after: cursor, at: now)
            let failed = found.prefix(limit)
            return .object(reserving: 256 * (entries.count + failed.count) + 64) { json in
                json.member("deliveries", each: entries.reversed()) { entry, json in
                    json.object { $0.members(of: entry, to: id) }
                }
                json.member("parked", stored.progress.parked)
                json.member("failed", each: failed) { failed, json in json.object { $0.members(of: failed, to: id) } }
                json.member("nextCursor", found.count > limit ? failed.last?.key.cursor : nil)
            }
        }
    }

    static func resendDeliveries(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.bodyFields().end()
        try context.endQuery()
        let (id, problemContext, now) = (context.parameters[0], context.problemContext, context.now.wall)
        let entry = context.auditEntry(id, by: `operator`)
        let outlet = context.loop.shared.operators.webhooks.outlet
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard let stored = try log.webhook(id) else { return Problem.webhookNotFound.response(problemContext) }
            let room = WebhookEngine.parkedLimit - stored.progress.parked
            let failed = try log.failedDeliveries(of: id, limit: min(resendLimit, max(0, room)), after: nil, at: now)
            for part in stride(from: 0, to: failed.count, by: RecordLimits.changes) {
                let changes = failed[part..<min(part + RecordLimits.changes, failed.count)].map { failed in
                    var again = failed
                    (again.attempts, again.dueAt) = (0, now)
                    return again.change(of: id)
                }
                _ = try log.write(changes)
            }
            // Last: because of it the node that sends reads them.
            let outcome = try log.changeWebhook(id) { stored in
                stored.progress.parked += failed.count
                return .success([stored.progressChange, entry.change])
            }
            return outcome.response(problemContext, outlet) { _ in
                .object(reserving: 64) { $0.member("deliveries", failed.count) }
            }
        }
    }

    static func testWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.bodyFields().end()
        try context.endQuery()
        let (loop, id) = (context.loop, context.parameters[0])
        let shared = loop.shared
        let message = "msg_" + loop.nextWideSeed().hexadecimal
        let entry = context.auditEntry(id, by: `operator`)
        typealias Found = Swift.Result<StoredWebhook?, EventLogError>
        try loop.wait(context) { (finish: @escaping @Sendable (Found) -> Void) throws(Problem) in
            let isTaken = shared.service.read(for: "webhook test") { log in
                Found { () throws(EventLogError) in
                    let webhook = try log.webhook(id)
                    if webhook != nil { _ = try log.write([entry.change]) }
                    return webhook
                }
            } then: {
                finish($0)
            }
            guard isTaken else { throw .tooManyReads }
        } then: { (found: Found) in
            loop.proceed(context) { () throws(Problem) in
                guard case .success(let stored) = found else { throw .unavailable }
                guard let webhook = stored?.webhook else { throw .webhookNotFound }
                try send(message, to: webhook, context)
            }
        }
        return .later
    }

    private static func send(_ id: String, to webhook: Webhook, _ context: RequestContext) throws(Problem) {
        let shared = context.loop.shared
        let now = shared.clock.now()
        let request = WebhookRequest(
            .test(id, of: webhook, at: now.wall), to: webhook, at: now.actual.milliseconds / 1000,
            keys: webhook.secrets.keys(at: now.actual))
        try context.loop.wait(context) { (finish: @escaping @Sendable (WebhookAnswer) -> Void) throws(Problem) in
            shared.operators.webhooks.outlet.test(request, completion: finish)
        } then: { (answer: WebhookAnswer) in
            context.loop.proceed(context) { () throws(Problem) in
                guard answer.kind != .unsent else { throw .unavailable }
                var response = Response.object(reserving: 256 + WebhookAnswer.keptBytes) { json in
                    json.member("isSuccess", answer.isSuccess)
                    json.member("status", answer.status)
                    json.member("milliseconds", answer.milliseconds)
                    json.member("error", answer.error)
                    json.member("answer", answer.text)
                }
                response.headers.append(("X-Request-Id", context.requestID))
                context.exchange.respond(response)
            }
        }
    }
}

extension EventLog {
    /// Deliveries that have failed for good and are kept still, in the order of the feed.
    /// - Parameter last: Only those after it; nil: from the first.
    fileprivate func failedDeliveries(
        of webhook: String, limit: Int, after last: DeliveryKey?, at now: Timestamp
    ) throws(EventLogError) -> [ParkedDelivery] {
        var failed: [ParkedDelivery] = []
        var query = RecordQuery(
            kind: ParkedDelivery.recordKind, prefix: ParkedDelivery.prefix(of: webhook), limit: Webhook.readLimit)
        query.after = last.map { ParkedDelivery.recordID($0, of: webhook) }
        while failed.count < limit {
            let page = try records(query)
            failed += page.compactMap(ParkedDelivery.init).filter { $0.keptUntil.map { now < $0 } ?? false }
            guard page.count == query.limit, let last = page.last else { break }
            query.after = last.id
        }
        return Array(failed.prefix(limit))
    }

    /// Forgets those after a position that have failed for good.
    func deleteFailedDeliveries(
        of webhook: String, after position: FeedPosition, at now: Timestamp
    ) throws(EventLogError) {
        // Ids of later ones are greater, whatever their types.
        let last = DeliveryKey(number: position.number, type: "~")
        while true {
            let failed = try failedDeliveries(of: webhook, limit: RecordLimits.changes, after: last, at: now)
            guard !failed.isEmpty else { return }
            let ids = failed.map { ParkedDelivery.recordID($0.key, of: webhook) }
            _ = try write(ids.map { .delete(ParkedDelivery.recordKind, $0) })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of entry: DeliveryLog.Entry, to webhook: String) {
        member(
            "id", RoomID(entry.room).map { WebhookMessage.id(of: entry.seq, entry.hash, entry.type, in: $0, to: webhook) } ?? ""
        )
        member("at", entry.at)
        member("room", entry.room)
        member("seq", entry.seq)
        member("type", entry.type)
        member("attempt", entry.attempt)
        member("status", entry.status)
        member("milliseconds", entry.milliseconds)
        member("error", entry.error)
        member("answer", entry.answer)
    }

    fileprivate mutating func members(of failed: ParkedDelivery, to webhook: String) {
        member("id", WebhookMessage.id(of: failed.seq, failed.hash, failed.key.type, in: failed.room, to: webhook))
        member("room", failed.room)
        member("seq", failed.seq)
        member("type", failed.key.type)
        member("attempts", failed.attempts)
        member("status", failed.status)
        member("failedAt", failed.triedAt)
    }
}
