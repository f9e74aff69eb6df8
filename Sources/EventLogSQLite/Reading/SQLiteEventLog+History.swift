import AuctionDomain
import EventLog

/// Reads a room's history, part of which may not be in the event index yet.
///
/// The `RoomView` is copied before the read transaction begins, so the index contains at least the events before the view's tail:
/// together they are the complete history as of the view, regardless of concurrent appends and flushes. If there was no view, the
/// index contained every acknowledged event at that time, and at any later time it contains a prefix of the history.
extension SQLiteEventLog {
    /// Loads a room as of the view. If the snapshot is beyond the returned head, it was saved after the view was copied: retry.
    static func load(
        _ room: RoomID, _ view: RoomView?, _ wanted: WantedKeys, usesSnapshot: Bool = true, _ db: Connection
    ) throws(SQLiteError) -> LoadedHistory? {
        let known = if let view { Int64?.some(view.number) } else { try number(of: room, db) }
        guard let number = known else { return nil }
        // A damaged `seq` is no snapshot: that only shortens the loading.
        let stored = usesSnapshot ? try Self.snapshot(of: room, number, db) : nil
        let snapshot = stored.flatMap { $0.seq > 0 ? $0 : nil }
        let start = snapshot?.seq ?? 0
        let events = try events(number, view, after: start, limit: .max, db).events
        let hash = try hash(number, view, at: start, db)
        // Without a view the row's head cannot be used: it may have been updated since and be ahead of the index.
        let last = events.last.map { RoomHead(seq: $0.seq, headHash: $0.hash.headHash) }
        let head = view?.head ?? last ?? hash.map { RoomHead(seq: start, headHash: $0.headHash) } ?? .none
        if head == .none, snapshot == nil { return nil }
        return LoadedHistory(
            head: head, snapshot: snapshot, events: events, hashAtSnapshot: hash ?? .zero,
            responses: try responses(of: number, last: view?.lastResponse, wanted, db))
    }

    static func number(of room: RoomID, _ db: Connection) throws(SQLiteError) -> Int64? {
        try db.long(.kept("SELECT number FROM room WHERE id = ?"), room.description)
    }

    /// `seq` in the room's row: never ahead of the events but possibly ahead of the index; 0 if there is no such room.
    static func recordedSeq(of room: RoomID, _ db: Connection) throws(SQLiteError) -> Int {
        Int(try db.long(.kept("SELECT seq FROM room WHERE id = ?"), room.description) ?? 0)
    }

    static func events(
        _ number: Int64, _ view: RoomView?, after: Int, limit: Int, bytes: Int = .max, _ db: Connection
    ) throws(SQLiteError) -> EventPage {
        var page = EventPage(bytes: bytes)
        let firstInTail = view?.firstInTail ?? .max
        if after < firstInTail - 1 {
            var rows = try db.rows(
                .kept(
                    """
                    SELECT \(StoredEvent.columns) FROM event_index AS i CROSS JOIN event ON event.position = i.position
                    WHERE i.room = ? AND i.seq > ? AND i.seq < ? ORDER BY i.seq LIMIT ?
                    """), number, after, firstInTail, limit)
            while !page.isFull, try rows.next() { page.append(try StoredEvent(rows)) }
        }
        guard let view, !page.isFull else { return page }
        // Skips the part of the tail that is not wanted, for example because a snapshot covers it.
        let tail = view.tail.dropFirst(max(0, after - view.firstInTail + 1)).prefix(limit - page.events.count)
        try append(tail, to: &page, db)
        return page
    }

    /// Appends the events at these positions to the page until it is full; one statement for all of them.
    private static func append(
        _ positions: some Collection<Int64>, to page: inout EventPage, _ db: Connection
    ) throws(SQLiteError) {
        if positions.isEmpty { return }
        var rows = try db.rows(
            .kept(
                """
                SELECT \(StoredEvent.columns) FROM json_each(?) AS wanted CROSS JOIN event ON event.position = wanted.value
                """), positions.jsonArray)
        var found = 0
        while !page.isFull, try rows.next() {
            page.append(try StoredEvent(rows))
            found += 1
        }
        guard page.isFull || found == positions.count else {
            throw SQLiteError(
                unreadable: "only \(found) of the \(positions.count) events at positions \(positions.jsonArray) exist")
        }
    }

    static func snapshot(of room: RoomID, _ number: Int64, _ db: Connection) throws(SQLiteError) -> RoomSnapshot? {
        var rows = try db.rows(.kept("SELECT seq, bytes FROM snapshot WHERE room = ?"), number)
        guard try rows.next() else { return nil }
        let seq = try rows.integer(0)
        var bytes = try rows.bytes(1)
        guard bytes.isEmpty else { return RoomSnapshot(room: room, seq: seq, bytes: bytes) }
        var pieces = try db.rows(
            .kept("SELECT bytes FROM snapshot_piece WHERE room = ? AND seq = ? ORDER BY number"), number, seq)
        while try pieces.next() { bytes += try pieces.bytes(0) }
        return RoomSnapshot(room: room, seq: seq, bytes: bytes)
    }

    /// Hash of one event; nil if the history as of the view ends before it.
    private static func hash(_ number: Int64, _ view: RoomView?, at seq: Int, _ db: Connection) throws(SQLiteError)
        -> EventHash?
    {
        if seq == 0 { return .zero }
        return try events(number, view, after: seq - 1, limit: 1, db).events.first?.hash
    }

    /// Follows the chain of stored responses from the newest until no further key is wanted, at most to the oldest that has not been deleted.
    /// A damaged link that leads to no older response ends it: the chain could be a circle.
    /// - Parameter last: Position of the newest response; nil to take it from the room's row.
    private static func responses(
        of number: Int64, last: Int64?, _ wanted: WantedKeys, _ db: Connection
    ) throws(SQLiteError) -> [StoredKey] {
        var newest = NewestKeys(wanted)
        if newest.isFull { return [] }
        var rows = try db.rows(
            .kept(
                """
                WITH RECURSIVE chain (position, previous, key, fingerprint, at, owner) AS (
                    SELECT position, previous, key, fingerprint, at, owner
                    FROM answer WHERE position = coalesce(?, (SELECT last_answer FROM room WHERE number = ?))
                    UNION ALL
                    SELECT answer.position, answer.previous, answer.key, answer.fingerprint, answer.at, answer.owner
                    FROM chain JOIN answer ON answer.position = chain.previous
                    WHERE chain.previous < chain.position
                )
                SELECT position, key, fingerprint, at, owner FROM chain WHERE at >= ? AND at > ?
                """), last, number, wanted.since, Schema.discardedAt)
        var responses: [StoredKey] = []
        while !newest.isFull, try rows.next() {
            let key = StoredKey(
                key: try rows.key(1), fingerprint: try rows.bits(2), owner: try rows.keyOwner(4), at: try rows.instant(3),
                position: try rows.long(0))
            if newest.take(key.owner, at: key.at) { responses.append(key) }
        }
        return responses.reversed()
    }
}

/// Collects events up to a limit in bytes; the first event is always included.
struct EventPage {
    private(set) var events: [StoredEvent] = []
    /// Whether the limit is reached.
    private(set) var isFull = false
    private var left: Int

    init(bytes: Int) { left = bytes }

    mutating func append(_ event: StoredEvent) {
        left -= event.byteCount
        isFull = left < 0
        if !isFull || events.isEmpty { events.append(event) }
    }
}
