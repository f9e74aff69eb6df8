package import AuctionDomain
package import EventLog

/// What the log's own readers of the feed have still to do: the voice while it is on, and the webhooks, except those that were paused for longer
/// than archived rooms are kept. So no reader that makes no progress keeps rooms for ever.
package struct FeedReaders: Hashable, Sendable {
    private static let pageLimit = 100

    /// Number of the last event that all of them have got; nil if none has a position in this log.
    package private(set) var passed: Int64?
    /// Rooms with events that are sent again later, or were given up a short while ago and can be sent again.
    package private(set) var rooms: Set<RoomID> = []

    /// Reads them.
    /// - Parameters:
    ///   - cutoff: A webhook that is paused since before this does not count.
    ///   - voiceIsOn: Whether the voice counts.
    /// - Throws: Also if a position cannot be read, so that nothing is deleted that its reader has not got.
    package init(of log: any EventLog, pausedSince cutoff: Timestamp, voiceIsOn: Bool) throws(EventLogError) {
        var left: Set<String> = []
        for record in try Self.records(Webhook.recordKind, log) {
            if let pause = Webhook(record)?.pause, pause.at < cutoff { left.insert(record.id) }
        }
        for record in try Self.records(WebhookProgress.recordKind, log) where !left.contains(record.id) {
            try add(WebhookProgress(record)?.cursor, of: record.id, log)
        }
        if voiceIsOn, let record = try log.record(VoiceProgress.recordKind, VoiceProgress.recordID) {
            try add(VoiceProgress(record)?.cursor, of: record.id, log)
        }
        for record in try Self.records(ParkedDelivery.recordKind, log) {
            guard let parked = ParkedDelivery(record) else {
                throw EventLogError(.corrupt, "the delivery \(record.id) cannot be read")
            }
            if !left.contains(ParkedDelivery.webhook(of: record)) { rooms.insert(parked.room) }
        }
    }

    private mutating func add(_ text: String?, of reader: String, _ log: any EventLog) throws(EventLogError) {
        guard let text, let cursor = FeedCursor(text) else {
            throw EventLogError(.corrupt, "the position of \(reader) in the feed cannot be read")
        }
        // That of another log, of which this one is a copy, is refused whatever happens.
        guard cursor.feed == (try log.feedID()) else { return }
        passed = min(passed ?? .max, cursor.position.number)
    }

    private static func records(_ kind: String, _ log: any EventLog) throws(EventLogError) -> [StoredRecord] {
        var (found, query) = ([StoredRecord](), RecordQuery(kind: kind, limit: pageLimit))
        while true {
            let page = try log.records(query)
            found += page
            guard page.count == pageLimit else { return found }
            query.after = page.last?.id
        }
    }
}

extension PruningRule {
    /// - Parameters:
    ///   - days: how long an archived room is kept after its last event.
    ///   - voiceIsOn: See `FeedReaders`.
    package init(days: Int, at now: Timestamp, _ log: any EventLog, voiceIsOn: Bool) throws(EventLogError) {
        self.init(cutoff: now.advanced(byMilliseconds: -Int64(days) * 86_400_000))
        let readers = try FeedReaders(of: log, pausedSince: cutoff, voiceIsOn: voiceIsOn)
        (passed, kept) = (readers.passed ?? .max, readers.rooms)
    }
}
