internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Logging

/// What a node does for the endpoints: takes those that no other node sends to, and drives their engines. On one thread.
///
/// Only one node sends to an endpoint: the one that `WebhookProgress.holder` names, while it writes that record every few seconds. Another
/// takes over once it has seen the same version for a while by its own clock; clocks are not compared.
final class WebhookRunner {
    /// Nanoseconds between two readings of the endpoints, …
    private static let readingPause: Int64 = 2_000_000_000
    /// … between two writings of the progress at most, …
    private static let renewal: Int64 = 3_000_000_000
    /// … after the last of which a node sends nothing more, …
    private static let hold: Int64 = 8_000_000_000
    /// … and after which another one takes over.
    private static let takeover: Int64 = 10_000_000_000
    /// Nanoseconds after a failure of the log in which an endpoint is left alone.
    private static let failurePause: Int64 = 1_000_000_000

    /// An endpoint that this node sends to.
    private struct Held {
        var webhook: Webhook
        var webhookVersion: Int64
        var engine: WebhookEngine
        /// As this node wrote it last, …
        var progress: WebhookProgress
        /// … with its version.
        var version: Int64
        /// By the clock's uptime, when that writing began.
        var renewedAt: Int64
        /// Answers to an earlier engine of the endpoint are not this one's.
        let generation: Int
        /// Nothing more is sent; what is in flight is waited for.
        var isLeaving = false
        /// Whether what is left is written at the end, as no other node has written since.
        var savesAtEnd = false
        /// By the monotonic clock: the log failed a moment ago.
        var restsUntil: Int64 = .min
    }

    /// What was seen of an endpoint's progress.
    private struct Seen {
        let version: Int64
        let since: Int64
    }

    /// What is written of one endpoint, all at once.
    private struct Writing {
        let id: String
        let save: WebhookSave
        let progress: WebhookProgress
        let changes: [RecordChange]
        /// That it gets now.
        let pause: WebhookPause?
        /// Whether this node does not send to it any more.
        let leaves: Bool
    }

    private struct Reading: Hashable {
        let position: FeedPosition
        let filter: FeedFilter
    }

    /// What is known of the feed, with what was read of it a moment ago. Endpoints that want the same events take them one after another, as
    /// each has sent what it had before: so twenty of them cost one reading.
    private struct KnownFeed {
        /// Names the feed; nil: not read yet.
        var id: UInt64?
        /// Beside what `FeedTail` keeps: with the events that follow from others, for which more is read and parsed.
        var batches = RecentReadings<Reading, FeedBatch>()
    }

    private let tail: FeedTail
    private let clock: any ServiceClock
    /// Whether other nodes may send.
    private let isShared: Bool
    private let outlet: WebhookOutlet
    private let logger: Logger
    /// Names this node; another one after every start.
    private let node: String
    private let random: () -> Double
    private var feed = KnownFeed()
    private var held: [String: Held] = [:]
    private var seen: [String: Seen] = [:]
    private var nextReading: Int64 = .min
    private var generations = 0

    /// - Parameter random: Numbers from 0 to 1.
    init(
        _ tail: FeedTail, clock: any ServiceClock, isShared: Bool, outlet: WebhookOutlet, logger: Logger, node: UInt64,
        random: @escaping () -> Double = { Double.random(in: 0...1) }
    ) {
        (self.tail, self.clock, self.isShared) = (tail, clock, isShared)
        (self.outlet, self.logger) = (outlet, logger)
        (self.node, self.random) = (node.hexadecimal, random)
    }

    private var log: any EventLog { tail.log }

    /// Does what can be done now.
    /// - Returns: Whether it sends to an endpoint, and so has to check for events soon.
    func takeTurn() -> Bool {
        let now = clock.now()
        let (answers, isPoked) = outlet.take()
        for answer in answers { finish(answer, at: now) }
        for id in held.keys { held[id]?.engine.parkUnanswered(at: now) }
        do throws(EventLogError) {
            if isPoked || now.monotonic >= nextReading { try readEndpoints(at: now) }
            try feedEngines(at: now)
        } catch {
            // The engines keep what they have; the next reading shows what has become of it.
            logger.warning("webhooks cannot be read", metadata: ["reason": "\(error)"])
            nextReading = now.monotonic + Self.failurePause
            for id in held.keys { held[id]?.restsUntil = now.monotonic + Self.failurePause }
        }
        for id in held.keys { advance(id, at: now) }
        saveAll(at: now)
        outlet.counters.set(parked: held.values.reduce(0) { $0 + $1.engine.parkedCount })
        return !held.isEmpty
    }

    /// Writes what was delivered, and leaves all endpoints to other nodes. What is in flight is forgotten, and sent again.
    func finish() {
        let now = clock.now()
        for answer in outlet.take().answers { finish(answer, at: now) }
        for id in held.keys {
            guard let endpoint = held[id], !endpoint.isLeaving || endpoint.savesAtEnd else { continue }
            saveLast(id, at: now)
        }
        held = [:]
    }

    private func finish(_ answer: WebhookOutlet.Answer, at now: Now) {
        guard held[answer.webhook]?.generation == answer.generation else { return }
        settle(answer.key, of: answer.webhook, answer.answer, at: now)
    }

    /// In its place: a copy of an engine would copy all that is parked.
    private func settle(_ key: DeliveryKey, of id: String, _ answer: WebhookAnswer, at now: Now) {
        guard let result = held[id]?.engine.finished(key, answer, at: now, jitter: random()) else { return }
        outlet.counters.count(result)
    }

    // MARK: - Which endpoints

    private func readEndpoints(at now: Now) throws(EventLogError) {
        let endpoints = try log.records(RecordQuery(kind: Webhook.recordKind, limit: Webhook.readLimit))
        let progress = try log.records(RecordQuery(kind: WebhookProgress.recordKind, limit: Webhook.readLimit))
        nextReading = now.monotonic + Self.readingPause
        let records = Dictionary(progress.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let webhooks = endpoints.compactMap { record in Webhook(record).map { (webhook: $0, version: record.version) } }
        let known = Set(webhooks.map(\.webhook.id))
        for id in held.keys where !known.contains(id) { leave(id, saving: false) }
        for (webhook, version) in webhooks {
            let record = records[webhook.id]
            look(at: webhook.id, record?.version)
            if held[webhook.id] != nil {
                update(webhook, version, progress: record?.version)
            } else if webhook.pause == nil, let record {
                try acquire(webhook, version, record, at: now)
            }
        }
        seen = seen.filter { known.contains($0.key) }
        outlet.counters.set(
            active: webhooks.count { $0.webhook.pause == nil }, paused: webhooks.count { $0.webhook.pause != nil })
    }

    private func look(at id: String, _ version: Int64?) {
        guard let version else { return }
        if seen[id]?.version != version { seen[id] = Seen(version: version, since: clock.uptime()) }
    }

    private func update(_ webhook: Webhook, _ version: Int64, progress: Int64?) {
        guard var endpoint = held[webhook.id] else { return }
        (endpoint.webhook, endpoint.webhookVersion) = (webhook, version)
        held[webhook.id] = endpoint
        if progress != endpoint.version {
            leave(webhook.id, saving: false)
        } else if webhook.pause != nil {
            leave(webhook.id, saving: true)
        }
    }

    private func leave(_ id: String, saving: Bool) {
        guard var endpoint = held[id] else { return }
        endpoint.savesAtEnd = saving && (!endpoint.isLeaving || endpoint.savesAtEnd)
        endpoint.isLeaving = true
        held[id] = endpoint
    }

    private func acquire(_ webhook: Webhook, _ version: Int64, _ record: StoredRecord, at now: Now) throws(EventLogError) {
        guard var progress = WebhookProgress(record) else { return }
        let uptime = clock.uptime()
        let isFree =
            progress.holder == nil || progress.holder == node || !isShared
            || uptime - (seen[webhook.id]?.since ?? uptime) >= Self.takeover
        guard isFree else { return }
        progress.holder = node
        guard try log.write([progress.change(of: webhook.id, if: .version(record.version))]) else { return }
        let parked = try parkedDeliveries(of: webhook.id)
        let log = DeliveryLog(try log.record(DeliveryLog.recordKind, webhook.id))
        let cursor = FeedCursor(progress.cursor)
        let feed = try feedID()
        generations += 1
        var engine = WebhookEngine(
            at: cursor?.position ?? .beginning, failingSince: progress.failingSince, parked: parked, log: log)
        if let cursor, cursor.feed == feed { mention(cursor, of: webhook.id, prunedTo: try self.log.prunedEnd()) }
        // A copy of the log has the endpoints too, and must not send to them by itself.
        if cursor?.feed != feed { engine.pause(.cursorGone) }
        held[webhook.id] = Held(
            webhook: webhook, webhookVersion: version, engine: engine, progress: progress, version: record.version + 1,
            renewedAt: uptime, generation: generations)
    }

    /// An endpoint that was paused for longer than archived rooms are kept gets what is still there.
    private func mention(_ cursor: FeedCursor, of webhook: String, prunedTo end: FeedPosition) {
        guard cursor.position != .beginning, cursor.position.number < end.number else { return }
        logger.warning("a webhook does not get events of rooms that were pruned", metadata: ["webhook": "\(webhook)"])
    }

    private func feedID() throws(EventLogError) -> UInt64 {
        if let id = feed.id { return id }
        let id = try log.feedID()
        feed.id = id
        return id
    }

    private func parkedDeliveries(of webhook: String) throws(EventLogError) -> [ParkedDelivery] {
        var parked: [ParkedDelivery] = []
        var query = RecordQuery(
            kind: ParkedDelivery.recordKind, prefix: ParkedDelivery.prefix(of: webhook), limit: Webhook.readLimit)
        while true {
            let page = try log.records(query)
            parked += page.compactMap(ParkedDelivery.init).filter { $0.dueAt != nil }
            guard page.count == query.limit, let last = page.last else { return parked }
            query.after = last.id
        }
    }

    // MARK: - What is sent

    /// Gives each engine that has sent all that it had the events that follow.
    private func feedEngines(at now: Now) throws(EventLogError) {
        let hungry = held.values.filter { !$0.isLeaving && $0.engine.wantsEvents && now.monotonic >= $0.restsUntil }
        guard !hungry.isEmpty else { return }
        let view = try tail.view()
        // Most endpoints are at the end of the feed.
        for endpoint in hungry where endpoint.engine.position != view.end {
            let reading = Reading(position: endpoint.engine.position, filter: endpoint.webhook.filter)
            do throws(FeedError) {
                let batch = try batch(reading, in: view, at: now)
                held[endpoint.webhook.id]?.engine.take(batch)
            } catch {
                if case .log(let error) = error { throw error }
                held[endpoint.webhook.id]?.engine.pause(.cursorGone)
            }
        }
    }

    private func batch(_ reading: Reading, in view: FeedTail.View, at now: Now) throws(FeedError) -> FeedBatch {
        if let known = feed.batches.answer(to: reading, at: now.monotonic) { return known }
        let batch = try log.batch(
            after: reading.position, limit: WebhookEngine.windowLimit, reading.filter, overPruned: true, in: view)
        // What follows the end of the feed changes.
        if batch.next != reading.position { feed.batches.keep(batch, to: reading, at: now.monotonic) }
        return batch
    }

    /// Sends what an endpoint gets now, and gives the endpoint up if it is paused, or another node's.
    private func advance(_ id: String, at now: Now) {
        guard let endpoint = held[id], now.monotonic >= endpoint.restsUntil else { return }
        let uptime = clock.uptime()
        if isShared, uptime - endpoint.renewedAt >= Self.hold { leave(id, saving: false) }
        if held[id]?.isLeaving == false {
            sendAll(id, at: now)
            held[id]?.engine.pauseIfFailing(at: now)
        }
        guard let endpoint = held[id] else { return }
        if endpoint.isLeaving || endpoint.engine.pauseReason != nil {
            guard endpoint.engine.isQuiet else { return }
            if !endpoint.isLeaving || endpoint.savesAtEnd { return saveLast(id, at: now) }
            held[id] = nil
            // What another node or an operator has written is read at once.
            nextReading = .min
        }
    }

    private func sendAll(_ id: String, at now: Now) {
        guard let webhook = held[id]?.webhook, let generation = held[id]?.generation else { return }
        let seconds = now.actual.milliseconds / 1000
        let keys = webhook.secrets.keys(at: now.actual)
        while let delivery = held[id]?.engine.nextDelivery(at: now) {
            do throws(EventLogError) {
                var event = delivery.event
                if event == nil { event = try storedEvent(of: delivery) }
                guard let event else {
                    let answer = WebhookAnswer(.unreadable, error: "The event is not in the log any more")
                    settle(delivery.key, of: id, answer, at: now)
                    continue
                }
                let message = WebhookMessage(event, of: delivery.room, to: id)
                outlet.send(
                    WebhookRequest(message, to: webhook, at: seconds, keys: keys), delivery.key, of: id, generation)
            } catch {
                // It is read again in a moment.
                settle(delivery.key, of: id, WebhookAnswer(.unsent), at: now)
            }
        }
    }

    private func storedEvent(of delivery: WebhookDelivery) throws(EventLogError) -> StoredEvent? {
        guard let found = try log.events(of: delivery.room, after: delivery.seq - 1, limit: 1).first, found.seq == delivery.seq
        else { return nil }
        let type = delivery.key.type
        if found.type == type { return found }
        // One that follows from the event with this number, which is made of it again.
        var derivation = FeedDerivation(for: FeedFilter(types: [type]))
        let cause = FeedEvent(room: delivery.room, number: 0, event: found)
        return try derivation.events(after: cause, from: log).first { $0.event.type == type }?.event
    }

    // MARK: - What is written

    /// Writes what all engines have to save, if it is due for one of them: each writing of a log in one file holds up bids for a moment,
    /// and those of twenty endpoints would be twenty a second.
    private func saveAll(at now: Now) {
        let uptime = clock.uptime()
        let staying = held.filter {
            !$1.isLeaving && $1.engine.pauseReason == nil && now.monotonic >= $1.restsUntil
        }
        func isDue(_ endpoint: Held) -> Bool {
            isShared && uptime - endpoint.renewedAt >= Self.renewal || endpoint.engine.save(at: now.monotonic) != nil
        }
        guard staying.values.contains(where: isDue) else { return }
        var together: [Writing] = []
        for (id, endpoint) in staying where endpoint.engine.isUnsaved || isDue(endpoint) {
            guard let save = endpoint.engine.save(at: now.monotonic, isForced: true),
                let writing = writing(of: id, save, at: now, leaves: false)
            else { continue }
            if together.reduce(writing.changes.count, { $0 + $1.changes.count }) > RecordLimits.changes {
                write(together, at: now)
                together = []
            }
            together.append(writing)
        }
        write(together, at: now)
    }

    /// Writes all that an endpoint's engine has, and that this node does not send to it any more.
    private func saveLast(_ id: String, at now: Now) {
        guard let save = held[id]?.engine.save(at: now.monotonic, isForced: true, withLog: true),
            let writing = writing(of: id, save, at: now, leaves: true)
        else { return }
        write([writing], at: now)
    }

    private func writing(of id: String, _ save: WebhookSave, at now: Now, leaves: Bool) -> Writing? {
        guard let endpoint = held[id], let feed = feed.id else { return nil }
        var progress = endpoint.progress
        (progress.failingSince, progress.parked, progress.holder) = (save.failingSince, save.parked, leaves ? nil : node)
        // A position in another log stays as it was, to be refused again.
        if endpoint.engine.pauseReason != .cursorGone {
            progress.cursor = FeedCursor(feed: feed, position: save.position).text
        }
        var changes = [progress.change(of: id, if: .version(endpoint.version))]
        for (key, parked) in save.changes {
            changes.append(
                parked?.change(of: id) ?? .delete(ParkedDelivery.recordKind, ParkedDelivery.recordID(key, of: id)))
        }
        if let log = save.log { changes.append(log.change(of: id)) }
        let pause = newPause(of: endpoint, at: now)
        if let pause {
            var webhook = endpoint.webhook
            webhook.pause = pause
            changes.append(webhook.change(if: .version(endpoint.webhookVersion)))
        }
        return Writing(id: id, save: save, progress: progress, changes: changes, pause: pause, leaves: leaves)
    }

    /// Makes the changes of several endpoints at once. If one of them has been changed by others, each is tried by itself.
    private func write(_ writings: [Writing], at now: Now) {
        guard let first = writings.first else { return }
        let began = clock.uptime()
        do throws(EventLogError) {
            var changes = writings.flatMap(\.changes)
            // Only the last writing of an endpoint has one, which is made by itself.
            for case (let id, let pause?) in writings.map({ ($0.id, $0.pause) }) {
                changes += try log.changes(noticing: pause, of: id)
            }
            if try log.write(changes) {
                for writing in writings { written(writing, at: now, began) }
            } else if writings.count == 1 {
                leave(first.id, saving: false)
            } else {
                for writing in writings { write([writing], at: now) }
            }
        } catch {
            logger.warning(
                "the progress of webhooks cannot be written", metadata: ["webhook": "\(first.id)", "reason": "\(error)"])
            for writing in writings { held[writing.id]?.restsUntil = now.monotonic + Self.failurePause }
        }
    }

    private func written(_ writing: Writing, at now: Now, _ began: Int64) {
        guard var endpoint = held[writing.id] else { return }
        if let pause = writing.pause {
            report(pause, of: endpoint.webhook)
            outlet.onNotice()
        }
        endpoint.engine.saved(writing.save, at: now.monotonic)
        (endpoint.progress, endpoint.version, endpoint.renewedAt) = (writing.progress, endpoint.version + 1, began)
        held[writing.id] = writing.leaves ? nil : endpoint
    }

    private func newPause(of endpoint: Held, at now: Now) -> WebhookPause? {
        guard endpoint.webhook.pause == nil, let reason = endpoint.engine.pauseReason else { return nil }
        return WebhookPause(reason: reason, at: now.wall)
    }

    private func report(_ pause: WebhookPause, of webhook: Webhook) {
        logger.warning(
            "a webhook is paused: it gets no events until it is resumed",
            // Without its URL, in which receivers have secrets.
            metadata: ["webhook": "\(webhook.id)", "reason": "\(pause.reason.rawValue)"])
    }
}
