import AuctionDomain
import EventLog
import GRDB

/// Restores the pending changes of the previous process from the events and responses after the watermark (table `flushed`).
extension SQLiteWriter {
    /// Call it once, before anything is appended or read. Pending changes are only read, not flushed, to keep a start after a crash
    /// short.
    func recover() throws {
        let found = try queue.writeWithoutTransaction { db in
            try readPositions(db)
            var tail = UnflushedTail()
            try tail.read(db)
            try tail.indexDamaged(db)
            return try tail.rooms(db)
        }
        cache.publish(found)
    }

    private func readPositions(_ db: Database) throws {
        next.event = try Int64.fetchOne(db, sql: "SELECT 1 + coalesce(max(position), 0) FROM event") ?? 1
        next.response =
            try Int64.fetchOne(
                db,
                sql: "SELECT 1 + max(coalesce((SELECT max(position) FROM answer), 0), (SELECT answer FROM expired))")
            ?? 1
        let last = max(next.event, next.response)
        guard last < Self.positionLimit else { throw UnreadableRow(what: "an event or a response is at position \(last - 1)") }
    }

    /// Above every position that this program gives in its life, so that the next ones can be counted.
    private static let positionLimit = Int64.max - (1 << 40)
}

/// The events and responses after the watermark. Some of them may be flushed already, if a round was interrupted.
private struct UnflushedTail {
    /// A class, so that processing up to half a million events does not copy rooms in and out of the dictionary.
    private final class RecoveredRoom {
        let id: RoomID
        var change: RoomChange
        /// Sequence number of the last event in the index.
        let indexed: Int
        /// Position of the last event that carries row values (`round`, `ends_at`, `price`); nil if the row is up to date.
        var lastStatusPosition: Int64?
        /// The room's events as found, if one is missing or out of order; nil for an undamaged room.
        var damaged: [(seq: Int, position: Int64)]?

        init(id: RoomID, room: CachedRoom, indexed: Int) {
            (self.id, self.indexed) = (id, indexed)
            change = RoomChange(room: room)
        }
    }

    private var found: [Int64: RecoveredRoom] = [:]

    mutating func read(_ db: Database) throws {
        let watermark = try Row.fetchOne(db, sql: "SELECT event, answer FROM flushed")
        guard let watermark else { throw UnreadableRow(what: "there is no watermark") }
        try readRooms([try watermark.long(0), try watermark.long(1)], db)
        let events = try Row.fetchCursor(
            db, sql: "SELECT position, room, seq, round IS NULL FROM event WHERE position > ? ORDER BY position",
            arguments: [try watermark.long(0)])
        while let event = try events.next() { try take(event) }
        let responses = try Row.fetchCursor(
            db, sql: "SELECT position, room FROM answer WHERE position > ? ORDER BY position",
            arguments: [try watermark.long(1)])
        while let response = try responses.next() {
            let room = try room(try response.long(1))
            room.change.room.lastResponse = try response.long(0)
            room.change.responses += 1
        }
    }

    /// Adds the remaining events of damaged rooms to the index unchanged: loading such a room then fails at the gap, while all other
    /// rooms are served.
    func indexDamaged(_ db: Database) throws {
        try db.inTransaction {
            for (number, room) in found {
                for event in room.damaged ?? [] {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO event_index (room, seq, position) VALUES (?, ?, ?)",
                        arguments: [number, event.seq, event.position])
                }
            }
            return .commit
        }
    }

    /// The undamaged rooms with their pending changes.
    func rooms(_ db: Database) throws -> [RoomID: RoomChange] {
        var rooms: [RoomID: RoomChange] = [:]
        try applyStatus(db)
        for room in found.values where room.damaged == nil {
            let seq = room.change.room.head.seq
            guard room.indexed + room.change.positions.count == seq else {
                throw UnreadableRow(what: "\(room.id) ends at event \(seq), but some of its events are missing")
            }
            rooms[room.id] = room.change
        }
        return rooms
    }

    private mutating func take(_ event: Row) throws {
        let room = try room(try event.long(1))
        let seq = try event.integer(2)
        let position = try event.long(0)
        if seq > room.indexed {
            if room.damaged == nil, seq != room.indexed + room.change.positions.count + 1 {
                room.damaged = room.change.positions.enumerated().map { (room.indexed + 1 + $0.offset, $0.element) }
            }
            room.damaged?.append((seq, position))
            if room.damaged == nil { room.change.positions.append(position) }
        }
        if seq > room.change.room.head.seq, try event.integer(3) == 0 { room.lastStatusPosition = position }
    }

    /// Takes head, round, deadline and price from each room's last event that carries them; the other columns of the row are always
    /// up to date.
    private func applyStatus(_ db: Database) throws {
        let positions = found.values.compactMap { $0.damaged == nil ? $0.lastStatusPosition : nil }
        let events = try Row.fetchCursor(
            db,
            sql: """
                SELECT event.room, seq, hash, round, ends_at, price
                FROM json_each(?) AS wanted CROSS JOIN event ON event.position = wanted.value
                """, arguments: [positions.jsonArray])
        while let event = try events.next() {
            let recovered = try room(try event.long(0))
            let status = recovered.change.room.status
            recovered.change.room.head = RoomHead(seq: try event.integer(1), headHash: try event.hash(2).headHash)
            recovered.change.room.status = RoomStatus(
                state: status.state, round: try event.integer(3),
                endsAt: try event.optionalLong(4).map { Timestamp(milliseconds: $0) },
                currentPrice: try event.optionalLong(5), isArchived: status.isArchived, isOpen: status.isOpen,
                isDueAtEnd: status.isDueAtEnd)
        }
    }

    /// Reads the rooms that have events or responses after the watermark. One statement for all: a start after a crash may have to
    /// read tens of thousands.
    private mutating func readRooms(_ watermark: StatementArguments, _ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(CachedRoom.columns), id, (SELECT coalesce(max(i.seq), 0) FROM event_index AS i WHERE i.room = number)
                FROM room WHERE number IN (
                    SELECT room FROM event WHERE position > ? UNION SELECT room FROM answer WHERE position > ?)
                """, arguments: watermark)
        while let row = try rows.next() {
            let room = try CachedRoom(row)
            found[room.number] = RecoveredRoom(id: try row.identifier(10), room: room, indexed: try row.integer(11))
        }
    }

    private func room(_ number: Int64) throws -> RecoveredRoom {
        guard let room = found[number] else {
            throw UnreadableRow(what: "there are events of room \(number) and no such room")
        }
        return room
    }
}
