import EventLog

/// Up to where rooms have been pruned: some of the feed's events before it are gone, so that no reader may go on from there.
///
/// It is in a record, which is written in the transaction that deletes the events.
enum FeedHorizon {
    private static let id = "pruned"

    /// The position of the last event of the feed that was pruned; nil if none was.
    static func read(_ db: Connection) throws(SQLiteError) -> FeedPosition? {
        var rows = try db.rows(
            .kept("SELECT content FROM record WHERE kind = ? AND id = ?"), InternalRecords.feed, id)
        guard try rows.next() else { return nil }
        let words = String(decoding: try rows.bytes(0), as: UTF8.self).split(separator: " ")
        guard words.count == 2, let number = Int64(words[0]), let hash = UInt64(words[1], radix: 16) else {
            throw SQLiteError(unreadable: "the record of what was pruned cannot be read")
        }
        return FeedPosition(number: number, hash: hash)
    }

    /// Notes that the event before the position was pruned.
    static func advance(to position: FeedPosition, _ db: Connection) throws(SQLiteError) {
        if let known = try read(db), known.number >= position.number { return }
        try db.run(
            """
            INSERT INTO record (kind, id, version, content) VALUES (?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET version = version + 1, content = excluded.content
            """, InternalRecords.feed, id, Array("\(position.number) \(position.hash.hexadecimal)".utf8))
    }
}
