import EventLog

/// Up to where rooms have been pruned: some of the feed's events before it are gone, so that no reader may go on from there that began before
/// they were pruned.
///
/// It is in a record, which is written in the transaction that deletes the events.
struct FeedHorizon {
    private static let id = "pruned"

    /// The position after the last event of the feed that was pruned.
    let position: FeedPosition
    /// Identifies the latest pruning, which may have deleted earlier events only. Random: a log restored from a backup has other prunings.
    let pruning: UInt64

    /// Nil if nothing was pruned.
    static func read(_ db: Connection) throws(SQLiteError) -> FeedHorizon? {
        var rows = try db.rows(
            .kept("SELECT content FROM record WHERE kind = ? AND id = ?"), InternalRecords.feed, id)
        guard try rows.next() else { return nil }
        let words = String(decoding: try rows.bytes(0), as: UTF8.self).split(separator: " ")
        guard words.count == 3, let number = Int64(words[0]), let hash = UInt64(words[1], radix: 16),
            let pruning = UInt64(words[2], radix: 16)
        else {
            throw SQLiteError(unreadable: "the record of what was pruned cannot be read")
        }
        return FeedHorizon(position: FeedPosition(number: number, hash: hash), pruning: pruning)
    }

    /// Notes that events were pruned, the last of them before the position.
    /// - Parameter pruning: A random number from 1.
    static func advance(to position: FeedPosition, pruning: UInt64, _ db: Connection) throws(SQLiteError) {
        var end = position
        if let known = try read(db)?.position, known.number > position.number { end = known }
        let content = "\(end.number) \(end.hash.hexadecimal) \(pruning.hexadecimal)"
        try db.run(
            """
            INSERT INTO record (kind, id, version, content) VALUES (?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET version = version + 1, content = excluded.content
            """, InternalRecords.feed, id, Array(content.utf8))
    }
}
