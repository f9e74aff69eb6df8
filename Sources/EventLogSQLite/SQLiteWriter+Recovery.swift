import AuctionDomain
import EventLog
import GRDB

/// Finds out again, from the events and answers behind the watermark, what was in memory when the process ended.
extension SQLiteWriter {
    /// Once, before anything is appended or read. What waited for a flush when the process ended waits for one again: a start
    /// after a crash is to be short, and reading what is behind takes a small part of what writing it does.
    func recover() throws {
        let found = try queue.writeWithoutTransaction { db in
            try readPositions(db)
            var tail = UnflushedTail()
            try tail.read(db)
            try tail.indexDamaged(db)
            return try tail.rooms(db)
        }
        live.publish(found)
    }

    private func readPositions(_ db: Database) throws {
        next.event = try Int64.fetchOne(db, sql: "SELECT 1 + coalesce(max(position), 0) FROM event") ?? 1
        next.answer =
            try Int64.fetchOne(
                db,
                sql: "SELECT 1 + max(coalesce((SELECT max(position) FROM answer), 0), (SELECT answer FROM expired))")
            ?? 1
    }
}

/// What stands behind the watermark. Part of it may be flushed: a round may have been cut short.
private struct UnflushedTail {
    /// A class, so that half a million events are taken without copying a room in and out.
    private final class Found {
        let id: RoomID
        var change: RoomChange
        /// The last event that the index holds.
        let indexed: Int
        /// Where the last event is that says what the room's row would have got.
        var said: Int64?
        /// The room's events as they are, once one is missing or out of order; nil for a sound room.
        var damaged: [(seq: Int, position: Int64)]?

        init(id: RoomID, room: LiveRoom, indexed: Int) {
            (self.id, self.indexed) = (id, indexed)
            change = RoomChange(room: room)
        }
    }

    private var found: [Int64: Found] = [:]

    mutating func read(_ db: Database) throws {
        let watermark = try Row.fetchOne(db, sql: "SELECT event, answer FROM flushed")
        guard let watermark else { throw UnreadableRow(what: "there is no watermark") }
        let events = try Row.fetchCursor(
            db, sql: "SELECT position, room, seq, round IS NULL FROM event WHERE position > ? ORDER BY position",
            arguments: [try watermark.long(0)])
        while let event = try events.next() { try take(event, db) }
        let answers = try Row.fetchCursor(
            db, sql: "SELECT position, room FROM answer WHERE position > ? ORDER BY position",
            arguments: [try watermark.long(1)])
        while let answer = try answers.next() {
            let room = try room(try answer.long(1), db)
            room.change.room.lastAnswer = try answer.long(0)
            room.change.answers += 1
        }
    }

    /// Puts what is left of damaged rooms into the index as it is: whoever loads such a room finds the gap and refuses it, and
    /// everybody else's rooms are served.
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

    /// The sound rooms as they are after all of it.
    func rooms(_ db: Database) throws -> [RoomID: RoomChange] {
        var rooms: [RoomID: RoomChange] = [:]
        for room in found.values where room.damaged == nil {
            if let position = room.said { try Self.hear(position, &room.change.room, db) }
            let seq = room.change.room.head.seq
            guard room.indexed + room.change.positions.count == seq else {
                throw UnreadableRow(what: "\(room.id) ends at event \(seq), but some of its events are missing")
            }
            rooms[room.id] = room.change
        }
        return rooms
    }

    private mutating func take(_ event: Row, _ db: Database) throws {
        let room = try room(try event.long(1), db)
        let seq = try event.integer(2)
        let position = try event.long(0)
        if seq > room.indexed {
            if room.damaged == nil, seq != room.indexed + room.change.positions.count + 1 {
                room.damaged = room.change.positions.enumerated().map { (room.indexed + 1 + $0.offset, $0.element) }
            }
            room.damaged?.append((seq, position))
            if room.damaged == nil { room.change.positions.append(position) }
        }
        if seq > room.change.room.head.seq, try event.integer(3) == 0 { room.said = position }
    }

    /// The row was written when it last changed in what is listed; all else stands in the event.
    private static func hear(_ position: Int64, _ room: inout LiveRoom, _ db: Database) throws {
        let select = try db.cachedStatement(sql: "SELECT seq, hash, round, ends_at, price FROM event WHERE position = ?")
        guard let event = try Row.fetchOne(select, arguments: [position]) else { return }
        room.head = RoomHead(seq: try event.integer(0), tip: try event.hash(1).tip)
        room.status = RoomStatus(
            state: room.status.state, round: try event.integer(2),
            endsAt: try event.optionalLong(3).map { Timestamp(milliseconds: $0) },
            currentPrice: try event.optionalLong(4), isArchived: room.status.isArchived, isOpen: room.status.isOpen)
    }

    private mutating func room(_ number: Int64, _ db: Database) throws -> Found {
        if let room = found[number] { return room }
        let select = try db.cachedStatement(sql: "SELECT \(LiveRoom.columns), id FROM room WHERE number = ?")
        guard let row = try Row.fetchOne(select, arguments: [number]) else {
            throw UnreadableRow(what: "there are events of room \(number) and no such room")
        }
        let indexed = try db.cachedStatement(sql: "SELECT coalesce(max(seq), 0) FROM event_index WHERE room = ?")
        let room = Found(
            id: try row.identifier(10), room: try LiveRoom(row),
            indexed: try Int.fetchOne(indexed, arguments: [number]) ?? 0)
        found[number] = room
        return room
    }
}
