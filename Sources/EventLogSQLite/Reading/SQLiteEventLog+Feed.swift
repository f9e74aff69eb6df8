package import EventLog

// The order of all rooms is that of the rows of `event`: one connection writes them, so no row appears before one that can be read.
extension SQLiteEventLog {
    /// See `EventFeed.feedID`.
    package func feedID() throws(EventLogError) -> UInt64 {
        try feedID(orCreate: UInt64.random(in: .min ... .max))
    }

    /// See `EventFeed.feedEnd(asOf:)`; always as of now.
    package func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition {
        try reading("find the end of the feed") { db in
            var rows = try db.rows(.kept("SELECT position, hash FROM event ORDER BY position DESC LIMIT 1"))
            return try rows.first { row throws(SQLiteError) in
                FeedPosition(number: try row.long(0), hash: try row.hash(1).headHash)
            } ?? .beginning
        }
    }

    /// See `EventFeed.prunedEnd`.
    package func prunedEnd() throws(EventLogError) -> FeedPosition {
        try reading("find the end of what was pruned") { db in try FeedHorizon.read(db)?.position } ?? .beginning
    }

    /// See `EventFeed.scanFeed`. The join leaves out what pruned rooms have left.
    package func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        try reading("read the feed") { db in
            let horizon = try FeedHorizon.read(db)
            guard try Self.isThere(query.position, horizon, overPruned: query.overPruned, db) else { return .gone }
            var rows = try db.rows(
                .kept(
                    """
                    SELECT event.position, room.id, event.seq, event.at, event.type, event.public, event.hash
                    FROM event CROSS JOIN room ON room.number = event.room
                    WHERE event.position > ? ORDER BY event.position LIMIT ?
                    """), query.position.number, query.limit)
            let pruning = horizon?.pruning ?? 0
            var (events, examined, last) = ([FeedEvent](), 0, (number: Int64(0), hash: UInt64(0)))
            while try rows.next() {
                examined += 1
                // The bytes of other events, which may be on pages of their own, are not read.
                if try query.types?.contains(rows.text(4)) ?? true { events.append(try FeedEvent(rows, pruning: pruning)) }
                last = (try rows.long(0), try rows.hash(6).headHash)
            }
            let end = examined == 0 ? query.position : FeedPosition(number: last.number, hash: last.hash, pruning: pruning)
            return .events(events, end: end, isAtEnd: examined < query.limit)
        }
    }

    /// Whether the event before the position is still the one that it was, and the reader has missed nothing that was pruned, or passes over it.
    private static func isThere(
        _ position: FeedPosition, _ horizon: FeedHorizon?, overPruned: Bool, _ db: Connection
    ) throws(SQLiteError) -> Bool {
        if position == .beginning { return true }
        if let isAdmitted = horizon?.admits(position, overPruned: overPruned) { return isAdmitted }
        var rows = try db.rows(.kept("SELECT hash FROM event WHERE position = ?"), position.number)
        return try rows.first { row throws(SQLiteError) in try row.hash(0).headHash } == position.hash
    }
}

extension FeedEvent {
    fileprivate init(_ row: borrowing Rows, pruning: UInt64) throws(SQLiteError) {
        let event = StoredEvent(
            seq: try row.integer(2), at: try row.instant(3), type: try row.text(4), publicBytes: try row.bytes(5),
            privateBytes: nil, hash: try row.hash(6))
        self.init(room: try row.identifier(1), number: try row.long(0), event: event, pruning: pruning)
    }
}
