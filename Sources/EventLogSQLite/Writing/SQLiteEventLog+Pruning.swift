package import AuctionDomain
package import EventLog
import Synchronization

// Deletes rooms as a whole. The numbers of events, rooms and responses are never given again: the room of the newest event stays, so does the
// newest room, and the highest number of a response is recorded.
extension SQLiteEventLog: RoomPruning {
    /// See `RoomPruning.prunableRooms`.
    package func prunableRooms(
        before cutoff: Timestamp, after number: Int64, limit: Int
    ) throws(EventLogError) -> [PrunableRoom] {
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
                    AND event.position <= (SELECT event FROM flushed)
                ORDER BY room.number LIMIT ?
                """, number, cutoff, limit)
            return try rows.map { row throws(SQLiteError) in
                let seq = try row.integer(2)
                return PrunableRoom(
                    id: try row.identifier(1), number: try row.long(0), seq: seq, isWhole: try row.integer(5) == seq,
                    end: FeedPosition(number: try row.long(3), hash: try row.hash(4).headHash))
            }
        }
    }

    /// See `RoomPruning.prune`. The rows of its events stay for `deletePrunedRows`: their positions say how far the feed is read.
    package func prune(_ room: PrunableRoom) throws(EventLogError) -> Bool {
        let pruning = UInt64.random(in: 1 ... .max)
        let isPruned = try changing("prune \(room.id)") { db in
            guard try writer.forget(room, db) else { return false }
            try FeedHorizon.advance(to: room.end, pruning: pruning, db)
            for statement in PruningText.deletions { try db.run(.kept(statement), room.number) }
            try db.run(
                .kept("INSERT OR REPLACE INTO record VALUES (?, ?, 1, NULL, x'')"), InternalRecords.pruned, String(room.number))
            return true
        }
        if isPruned { try checkpoint() }
        return isPruned
    }

    /// See `RoomPruning.deletePrunedRows`: `limits.eventsPerPruning` at most.
    package func deletePrunedRows() throws(EventLogError) -> Bool {
        let found = try reading("find deleted rooms") { db in
            try db.text(.kept("SELECT id FROM record WHERE kind = ? ORDER BY id LIMIT 1"), InternalRecords.pruned)
        }
        guard let found else { return false }
        guard let number = Int64(found) else {
            throw EventLogError(.statement, "the record of a deleted room cannot be read: \(found)")
        }
        try changing("delete the events of a pruned room") { db in
            for statement in PruningText.slices {
                try db.run(.kept(statement), number, limits.eventsPerPruning)
                // An event's row, and that of the index; what a page has depends on their bytes.
                writer.pagesWritten.add(db.changeCount, ordering: .relaxed)
                if db.changeCount > 0, statement == PruningText.slices.last { return }
            }
            if try db.long(.kept(PruningText.rest), number) != nil { return }
            try db.run(.kept("DELETE FROM record WHERE kind = ? AND id = ?"), InternalRecords.pruned, found)
        }
        try checkpoint()
        return true
    }
}

extension SQLiteWriter {
    /// Forgets a room that is going to be deleted in this transaction; call it inside `connection.use`.
    /// - Returns: Whether it is as it was found, and nothing of it waits for a flush.
    fileprivate func forget(_ room: PrunableRoom, _ db: Connection) throws -> Bool {
        let isAsFound = try db.long(
            .kept(
                """
                SELECT count(*) FROM room WHERE number = ?1 AND seq = ?2 AND tip = ?3 AND archived
                    AND number < (SELECT max(number) FROM room) AND ?4 < (SELECT max(position) FROM event)
                """), room.number, room.seq, room.end.hash, room.end.number)
        // Before the transaction ends: an append that follows must not find the room here.
        return isAsFound == 1 && cache.remove(room.id)
    }
}

private enum PruningText {
    /// In this order: the room's row has the position of its newest response.
    static let deletions = [
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
        "DELETE FROM win WHERE room = ?",
        "DELETE FROM unindexed WHERE room = ?",
        "DELETE FROM archived_room WHERE room = ?",
        "DELETE FROM room WHERE number = ?",
    ]

    /// Whether there are more of the rows of which there may be many.
    static let rest = """
        SELECT 1 FROM event_index WHERE room = ?1 UNION ALL SELECT 1 FROM participation WHERE room = ?1 LIMIT 1
        """

    /// In this order: the index has the positions of the events. The last one deletes a large row, and stands alone in a transaction.
    static let slices = [
        "DELETE FROM event WHERE position IN (SELECT position FROM event_index WHERE room = ?1 ORDER BY seq LIMIT ?2)",
        """
        DELETE FROM event_index WHERE room = ?1
            AND seq IN (SELECT seq FROM event_index WHERE room = ?1 ORDER BY seq LIMIT ?2)
        """,
        "DELETE FROM participation WHERE room = ?1 AND user IN (SELECT user FROM participation WHERE room = ?1 LIMIT ?2)",
        "DELETE FROM snapshot_piece WHERE number IN (SELECT number FROM snapshot_piece WHERE room = ?1 LIMIT min(?2, 1))",
    ]
}
