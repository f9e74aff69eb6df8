import EventLog

extension FeedHorizon {
    /// Nil if nothing was pruned.
    static func read(_ db: Connection) throws(SQLiteError) -> FeedHorizon? {
        var rows = try db.rows(
            .kept("SELECT content FROM record WHERE kind = ? AND id = ?"), InternalRecords.feed, recordID)
        guard try rows.next() else { return nil }
        guard let horizon = FeedHorizon(content: try rows.bytes(0)) else {
            throw SQLiteError(unreadable: "the record of what was pruned cannot be read")
        }
        return horizon
    }

    /// Notes that events were pruned, the last of them before the position.
    /// - Parameter pruning: A random number from 1.
    static func advance(to position: FeedPosition, pruning: UInt64, _ db: Connection) throws(SQLiteError) {
        let horizon = FeedHorizon(pruning: pruning, through: position, after: try read(db))
        try db.run(
            """
            INSERT INTO record (kind, id, version, content) VALUES (?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET version = version + 1, content = excluded.content
            """, InternalRecords.feed, recordID, horizon.content)
    }
}
