import AuctionDomain
import EventLog

/// Restores the pending changes of the previous process from the events and responses after the watermark (table `flushed`).
extension SQLiteWriter {
    /// Call it once, before anything is appended or read. Pending changes are only read, not flushed, to keep a start after a crash
    /// short.
    func recover() throws {
        let found = try connection.use { db in
            try readPositions(db)
            var tail = UnflushedTail()
            try tail.read(db)
            try tail.indexDamaged(db)
            return try tail.rooms(db)
        }
        cache.publish(found)
    }

    private func readPositions(_ db: Connection) throws(SQLiteError) {
        next.event = try db.long("SELECT 1 + coalesce(max(position), 0) FROM event") ?? 1
        next.response =
            try db.long("SELECT 1 + max(coalesce((SELECT max(position) FROM answer), 0), (SELECT answer FROM expired))") ?? 1
        let last = max(next.event, next.response)
        guard last < Self.positionLimit else {
            throw SQLiteError(unreadable: "an event or a response is at position \(last - 1)")
        }
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

    mutating func read(_ db: Connection) throws(SQLiteError) {
        var watermark = try db.rows("SELECT event, answer FROM flushed")
        guard try watermark.next() else { throw SQLiteError(unreadable: "there is no watermark") }
        let (event, response) = (try watermark.long(0), try watermark.long(1))
        try readRooms(event, response, db)
        var events = try db.rows(
            "SELECT position, room, seq, round IS NULL FROM event WHERE position > ? ORDER BY position", event)
        while try events.next() { try take(events) }
        var responses = try db.rows("SELECT position, room FROM answer WHERE position > ? ORDER BY position", response)
        while try responses.next() {
            let room = try room(try responses.long(1))
            room.change.room.lastResponse = try responses.long(0)
            room.change.responses += 1
        }
    }

    /// Adds the remaining events of damaged rooms to the index unchanged: loading such a room then fails at the gap, while all other
    /// rooms are served.
    func indexDamaged(_ db: Connection) throws {
        try db.transaction(.immediate) {
            let insert = try db.prepare("INSERT OR IGNORE INTO event_index (room, seq, position) VALUES (?, ?, ?)")
            for (number, room) in found {
                for event in room.damaged ?? [] {
                    try insert.run {
                        $0.add(number)
                        $0.add(event.seq)
                        $0.add(event.position)
                    }
                }
            }
        }
    }

    /// The undamaged rooms with their pending changes.
    func rooms(_ db: Connection) throws(SQLiteError) -> [RoomID: RoomChange] {
        var rooms: [RoomID: RoomChange] = [:]
        try applyStatus(db)
        for room in found.values where room.damaged == nil {
            let seq = room.change.room.head.seq
            guard room.indexed + room.change.positions.count == seq else {
                throw SQLiteError(unreadable: "\(room.id) ends at event \(seq), but some of its events are missing")
            }
            rooms[room.id] = room.change
        }
        return rooms
    }

    private mutating func take(_ event: borrowing Rows) throws(SQLiteError) {
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
    private func applyStatus(_ db: Connection) throws(SQLiteError) {
        let positions = found.values.compactMap { $0.damaged == nil ? $0.lastStatusPosition : nil }
        var events = try db.rows(
            """
            SELECT event.room, seq, hash, round, ends_at, price
            FROM json_each(?) AS wanted CROSS JOIN event ON event.position = wanted.value
            """, positions.jsonArray)
        while try events.next() {
            let recovered = try room(try events.long(0))
            let status = recovered.change.room.status
            recovered.change.room.head = RoomHead(seq: try events.integer(1), headHash: try events.hash(2).headHash)
            recovered.change.room.status = RoomStatus(
                state: status.state, round: try events.integer(3), endsAt: try events.optionalInstant(4),
                currentPrice: try events.optionalLong(5), isArchived: status.isArchived, isOpen: status.isOpen,
                isDueAtEnd: status.isDueAtEnd)
        }
    }

    /// Reads the rooms that have events or responses after the watermark. One statement for all: a start after a crash may have to
    /// read tens of thousands.
    private mutating func readRooms(_ event: Int64, _ response: Int64, _ db: Connection) throws(SQLiteError) {
        var rows = try db.rows(
            """
            SELECT \(CachedRoom.columns), id, (SELECT coalesce(max(i.seq), 0) FROM event_index AS i WHERE i.room = number)
            FROM room WHERE number IN (
                SELECT room FROM event WHERE position > ? UNION SELECT room FROM answer WHERE position > ?)
            """, event, response)
        while try rows.next() {
            let room = try CachedRoom(rows)
            found[room.number] = RecoveredRoom(id: try rows.identifier(10), room: room, indexed: try rows.integer(11))
        }
    }

    private func room(_ number: Int64) throws(SQLiteError) -> RecoveredRoom {
        guard let room = found[number] else {
            throw SQLiteError(unreadable: "there are events of room \(number) and no such room")
        }
        return room
    }
}
