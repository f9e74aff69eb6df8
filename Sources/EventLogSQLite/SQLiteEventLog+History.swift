import AuctionDomain
import EventLog
import GRDB

/// A room's history, part of which the index may not hold yet.
///
/// A `RoomView` is copied first and the read transaction begins after that, so the index holds at least what comes before
/// the view's tail: together they are the whole history as of the view, whatever is flushed or appended in between. Without
/// a view the index held all that was acknowledged, and is a prefix of the history whenever it is read.
extension SQLiteEventLog {
    /// A snapshot beyond the head that this returns was saved after the view was copied: look again.
    static func load(
        _ room: RoomID, _ view: RoomView?, _ wanted: WantedKeys, _ db: Database
    ) throws -> LoadedHistory? {
        guard let number = try view?.number ?? number(of: room, db) else { return nil }
        let snapshot = try snapshot(of: room, number, db)
        let start = snapshot?.seq ?? 0
        let events = try events(number, view, after: start, limit: .max, db).events
        let hash = try hash(number, view, at: start, db)
        // Without a view the row would not do: it may have been written since, and be ahead of the index.
        let last = events.last.map { RoomHead(seq: $0.seq, tip: $0.hash.tip) }
        let head = view?.head ?? last ?? hash.map { RoomHead(seq: start, tip: $0.tip) } ?? .none
        if head == .none, snapshot == nil { return nil }
        return LoadedHistory(
            head: head, snapshot: snapshot, events: events, hashAtSnapshot: hash ?? .zero,
            answers: try answers(of: number, last: view?.lastAnswer, wanted, db))
    }

    static func number(of room: RoomID, _ db: Database) throws -> Int64? {
        let select = try db.cachedStatement(sql: "SELECT number FROM room WHERE id = ?")
        return try Int64.fetchOne(select, arguments: [room.description])
    }

    /// The head as the room's row has it: never ahead of the events, but it may be of the index; 0 if there is no such room.
    static func recordedSeq(of room: RoomID, _ db: Database) throws -> Int {
        let select = try db.cachedStatement(sql: "SELECT seq FROM room WHERE id = ?")
        return try Int.fetchOne(select, arguments: [room.description]) ?? 0
    }

    static func events(
        _ number: Int64, _ view: RoomView?, after: Int, limit: Int, bytes: Int = .max, _ db: Database
    ) throws -> EventPage {
        let indexed = try db.cachedStatement(
            sql: """
                SELECT \(StoredEvent.columns) FROM event_index AS i CROSS JOIN event ON event.position = i.position
                WHERE i.room = ? AND i.seq > ? AND i.seq < ? ORDER BY i.seq LIMIT ?
                """)
        var page = EventPage(bytes: bytes)
        let rows = try Row.fetchCursor(indexed, arguments: [number, after, view?.firstInTail ?? .max, limit])
        while !page.isFull, let row = try rows.next() { page.append(try StoredEvent(row)) }
        guard let view, !page.isFull else { return page }
        // A snapshot may have been taken of some of the tail.
        let tail = view.tail.dropFirst(max(0, after - view.firstInTail + 1)).prefix(limit - page.events.count)
        let select = try db.cachedStatement(sql: "SELECT \(StoredEvent.columns) FROM event WHERE position = ?")
        for position in tail {
            guard let row = try Row.fetchOne(select, arguments: [position]) else {
                throw UnreadableRow(what: "there is no event at position \(position)")
            }
            page.append(try StoredEvent(row))
            if page.isFull { break }
        }
        return page
    }

    static func snapshot(of room: RoomID, _ number: Int64, _ db: Database) throws -> RoomSnapshot? {
        let select = try db.cachedStatement(sql: "SELECT seq, bytes FROM snapshot WHERE room = ?")
        guard let row = try Row.fetchOne(select, arguments: [number]) else { return nil }
        let seq = try row.integer(0)
        var bytes = try row.bytes(1)
        guard bytes.isEmpty else { return RoomSnapshot(room: room, seq: seq, bytes: bytes) }
        let pieces = try db.cachedStatement(
            sql: "SELECT bytes FROM snapshot_piece WHERE room = ? AND seq = ? ORDER BY number")
        let rows = try Row.fetchCursor(pieces, arguments: [number, seq])
        while let row = try rows.next() { bytes += try row.bytes(0) }
        return RoomSnapshot(room: room, seq: seq, bytes: bytes)
    }

    /// The hash of one event; nil if the history does not go that far as of the view.
    private static func hash(_ number: Int64, _ view: RoomView?, at seq: Int, _ db: Database) throws -> EventHash? {
        if seq == 0 { return .zero }
        return try events(number, view, after: seq - 1, limit: 1, db).events.first?.hash
    }

    /// Along the chain from the newest to the oldest that has not been deleted.
    /// - Parameter last: The newest; nil if the room's row knows.
    private static func answers(
        of number: Int64, last: Int64?, _ wanted: WantedKeys, _ db: Database
    ) throws -> [StoredKey] {
        let select = try db.cachedStatement(
            sql: """
                WITH RECURSIVE chain (position, previous, key, fingerprint, at, owner) AS (
                    SELECT position, previous, key, fingerprint, at, owner
                    FROM answer WHERE position = coalesce(?, (SELECT last_answer FROM room WHERE number = ?))
                    UNION ALL
                    SELECT answer.position, answer.previous, answer.key, answer.fingerprint, answer.at, answer.owner
                    FROM chain JOIN answer ON answer.position = chain.previous
                )
                SELECT position, key, fingerprint, at, owner FROM chain WHERE at >= ?
                """)
        let rows = try Row.fetchCursor(select, arguments: [last, number, wanted.since.milliseconds])
        var newest = NewestKeys(perOwner: wanted.perOwner)
        var answers: [StoredKey] = []
        while let row = try rows.next() {
            let key = StoredKey(
                key: try row.key(1), fingerprint: try row.bits(2), owner: try row.keyOwner(4), at: try row.instant(3),
                position: try row.long(0))
            if newest.take(key.owner) { answers.append(key) }
        }
        return answers.reversed()
    }
}

/// Which of a room's keys are read: those of younger answers, and of each owner the newest.
struct WantedKeys {
    let since: Timestamp
    let perOwner: Int
}

/// Events as they are read, until their bytes are as many as asked for.
struct EventPage {
    private(set) var events: [StoredEvent] = []
    /// An event more would be too much, and was left out.
    private(set) var isFull = false
    private var left: Int

    init(bytes: Int) { left = bytes }

    mutating func append(_ event: StoredEvent) {
        left -= event.byteCount
        isFull = left < 0
        if !isFull || events.isEmpty { events.append(event) }
    }
}
