package import AuctionDomain
package import EventLog
import Synchronization

// What is stored of users who have left the service for good. What is overwritten leaves no trace in the file, because the connection that
// writes has `secure_delete`; the write-ahead log has it until it is truncated.
extension SQLiteEventLog {
    /// See `ErasureStore.rooms(naming:after:limit:)`. Positions are those of events.
    package func rooms(naming users: [UserID], after position: Int64, limit: Int) throws(EventLogError) -> NamingRooms {
        try reading("search events for users") { db in
            let last = try db.long("SELECT max(position) FROM event") ?? 0
            let end = min(last, position + Int64(max(limit, 1)))
            var found: [RoomID] = []
            for user in users {
                var rows = try db.rows(
                    .kept(
                        """
                        SELECT DISTINCT room.id FROM event CROSS JOIN room ON room.number = event.room
                        WHERE position > ?1 AND position <= ?2 AND (instr(public, ?3) OR instr(private, ?3))
                        """), position, end, Array(user.description.utf8))
                for room: RoomID in try rows.map({ row throws(SQLiteError) in try row.identifier(0) })
                where !found.contains(room) {
                    found.append(room)
                }
            }
            return NamingRooms(rooms: found, next: end < last ? end : nil)
        }
    }

    /// See `ErasureStore.replace`.
    package func replace(_ events: [StoredEvent], of room: RoomID, before seq: Int) throws(EventLogError) {
        // The index has the positions of all events afterwards.
        if !events.isEmpty { try writing("flush") { try writer.flushAll() } }
        try changing("rewrite events of \(room)") { db in
            guard let number = try Self.number(of: room, db) else { return }
            for event in events {
                try db.run(
                    .kept(
                        """
                        UPDATE event SET public = ?1, private = ?2, hash = ?3
                        WHERE position = (SELECT position FROM event_index WHERE room = ?4 AND seq = ?5)
                        """), event.publicBytes, event.privateBytes, event.erasedHashBytes, number, event.seq)
            }
            for table in ["snapshot", "snapshot_piece"] {
                try db.run("DELETE FROM \(table) WHERE room = ? AND seq < ?", number, seq)
            }
            writer.pagesWritten.add(2 * events.count, ordering: .relaxed)
        }
    }

    /// See `ErasureStore.rewriteResponses`.
    package func rewriteResponses(
        naming users: [UserID], after position: Int64, limit: Int, _ rewrite: ([UInt8]) -> [UInt8]?
    ) throws(EventLogError) -> Int64? {
        let (end, found) = try reading("search answers for users") { db -> (Int64?, [Int64: [UInt8]]) in
            let end = try db.long(
                .kept("SELECT max(position) FROM (SELECT position FROM answer WHERE position > ? ORDER BY position LIMIT ?)"),
                position, max(limit, 1))
            var found: [Int64: [UInt8]] = [:]
            guard let end else { return (nil, found) }
            for user in users {
                var rows = try db.rows(
                    .kept("SELECT position, body FROM answer WHERE position > ?1 AND position <= ?2 AND instr(body, ?3)"),
                    position, end, Array(user.description.utf8))
                while try rows.next() { found[try rows.long(0)] = try rows.bytes(1) }
            }
            return (end, found)
        }
        let changed = found.compactMapValues(rewrite)
        if !changed.isEmpty {
            try changing("rewrite answers") { db in
                for (position, body) in changed.sorted(by: { $0.key < $1.key }) {
                    try db.run(
                        .kept("UPDATE answer SET body = ? WHERE position = ? AND at > \(Schema.discardedAt)"), body, position)
                }
                writer.pagesWritten.add(2 * changed.count, ordering: .relaxed)
            }
        }
        return end
    }

    /// See `ErasureStore.purge`: moves the write-ahead log into the file, and truncates it.
    package func purge() throws(EventLogError) -> Bool {
        try checkpoint(truncates: true)
    }
}
