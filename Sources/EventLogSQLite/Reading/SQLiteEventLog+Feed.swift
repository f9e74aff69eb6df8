package import EventLog

// The order of all rooms is that of the rows of `event`: one connection writes them, so no row appears before one that can be read.
extension SQLiteEventLog {
    /// See `EventFeed.feedID`.
    package func feedID() throws(EventLogError) -> UInt64 {
        try feedID(orCreate: UInt64.random(in: .min ... .max))
    }

    /// See `EventFeed.feedEnd`.
    package func feedEnd() throws(EventLogError) -> FeedPosition {
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

    /// See `EventFeed.feed(after:limit:overPruned:)`. The join leaves out what pruned rooms have left.
    package func feed(after position: FeedPosition, limit: Int, overPruned: Bool) throws(EventLogError) -> FeedPage {
        try reading("read the feed") { db in
            let horizon = try FeedHorizon.read(db)
            guard try Self.isThere(position, horizon, overPruned: overPruned, db) else { return .gone }
            var rows = try db.rows(
                .kept(
                    """
                    SELECT event.position, room.id, event.seq, event.at, event.type, event.public, event.hash
                    FROM event CROSS JOIN room ON room.number = event.room
                    WHERE event.position > ? ORDER BY event.position LIMIT ?
                    """), position.number, max(limit, 0))
            let pruning = horizon?.pruning ?? 0
            return .events(try rows.map { row throws(SQLiteError) in try FeedEvent(row, pruning: pruning) })
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
