package import AuctionDomain
package import EventLog
import Synchronization

/// Which rooms `SQLiteEventLog.prune` deletes.
package struct PruningRule: Sendable {
    /// Archived rooms whose last event is older than this.
    package let cutoff: Timestamp
    /// Number of the last event of the feed that every reader has passed for which the log keeps a position.
    package var passed: Int64 = .max
    /// Rooms that stay in any case.
    package var kept: Set<RoomID> = []

    package init(cutoff: Timestamp) { self.cutoff = cutoff }
}

/// What `SQLiteEventLog.prune` has deleted, or would delete.
package struct PrunedRooms: Hashable, Sendable {
    /// Rooms, …
    package fileprivate(set) var rooms = 0
    /// … and their events.
    package fileprivate(set) var events = 0
    /// Rooms that are old enough and stay, because their events have not been read or delivered yet.
    package fileprivate(set) var unread = 0
    /// Rooms that are old enough and stay, because some of their events are missing: `verify` shows which.
    package fileprivate(set) var damaged = 0
}

// Deletes rooms as a whole. The numbers of events, rooms and responses are never given again: the room of the newest event stays, so does the
// newest room, and the highest number of a response is recorded.
extension SQLiteEventLog {
    /// Rooms that are found by one read.
    private static let roomsPerPruning = 256

    /// A room that is old enough.
    private struct Prunable {
        let number: Int64
        let id: RoomID
        let events: Int
        let indexed: Int
        /// After its last event.
        let end: FeedPosition
    }

    /// Deletes archived rooms with all that belongs to them, except pictures; a room in one transaction. Call it only while no service runs on
    /// the log, which could have such a room in memory.
    /// - Parameters:
    ///   - isDryRun: Whether the rooms are only found.
    ///   - report: Receives each room before it is deleted.
    package func prune(
        _ rule: PruningRule, isDryRun: Bool = false, report: (RoomID) -> Void = { _ in }
    ) throws(EventLogError) -> PrunedRooms {
        // The index has the positions of all events afterwards.
        try writing("flush") { try writer.flushAll() }
        var (result, last) = (PrunedRooms(), Int64(0))
        while true {
            let page = try prunable(after: last, before: rule.cutoff)
            for room in page {
                if room.indexed != room.events {
                    result.damaged += 1
                } else if room.end.number > rule.passed || rule.kept.contains(room.id) {
                    result.unread += 1
                } else {
                    report(room.id)
                    if !isDryRun { try delete(room) }
                    result.rooms += 1
                    result.events += room.events
                }
            }
            guard page.count == Self.roomsPerPruning, let end = page.last?.number else { return result }
            last = end
        }
    }

    private func prunable(after last: Int64, before cutoff: Timestamp) throws(EventLogError) -> [Prunable] {
        try reading("find rooms to prune") { db in
            var rows = try db.rows(
                """
                SELECT room.number, room.id, room.seq, event.position, event.hash,
                    (SELECT count(*) FROM event_index WHERE event_index.room = room.number)
                FROM room JOIN event_index AS i ON i.room = room.number AND i.seq = room.seq
                    JOIN event ON event.position = i.position
                WHERE room.archived AND room.number > ? AND event.at < ?
                    AND room.number < (SELECT max(number) FROM room)
                    AND event.position < (SELECT max(position) FROM event)
                ORDER BY room.number LIMIT ?
                """, last, cutoff, Self.roomsPerPruning)
            return try rows.map { row throws(SQLiteError) in
                Prunable(
                    number: try row.long(0), id: try row.identifier(1), events: try row.integer(2),
                    indexed: try row.integer(5),
                    end: FeedPosition(number: try row.long(3), hash: try row.hash(4).headHash))
            }
        }
    }

    private func delete(_ room: Prunable) throws(EventLogError) {
        let pruning = UInt64.random(in: 1 ... .max)
        try changing("prune \(room.id)") { db in
            try FeedHorizon.advance(to: room.end, pruning: pruning, db)
            for statement in PruningText.deletions { try db.run(.kept(statement), room.number) }
        }
        writer.cache.remove(room.id)
        // An event's row, and that of the index; what a page has depends on their bytes.
        writer.pagesWritten.add(16 + room.events / 4, ordering: .relaxed)
        try checkpoint()
    }
}

private enum PruningText {
    /// In this order: the index has the positions of the events, and the room's row that of its newest response.
    static let deletions = [
        "DELETE FROM event WHERE position IN (SELECT position FROM event_index WHERE room = ?)",
        "DELETE FROM event_index WHERE room = ?",
        "UPDATE expired SET answer = max(answer, (SELECT last_answer FROM room WHERE number = ?))",
        """
        WITH RECURSIVE chain (position, previous) AS (
            SELECT position, previous FROM answer
            WHERE room = ?1 AND position = (SELECT last_answer FROM room WHERE number = ?1)
            UNION ALL
            SELECT answer.position, answer.previous FROM chain JOIN answer ON answer.position = chain.previous
            WHERE answer.room = ?1 AND chain.previous < chain.position
        )
        DELETE FROM answer WHERE position IN (SELECT position FROM chain)
        """,
        "DELETE FROM snapshot WHERE room = ?",
        "DELETE FROM snapshot_piece WHERE room = ?",
        "DELETE FROM participation WHERE room = ?",
        "DELETE FROM win WHERE room = ?",
        "DELETE FROM unindexed WHERE room = ?",
        "DELETE FROM archived_room WHERE room = ?",
        "DELETE FROM room WHERE number = ?",
    ]
}
