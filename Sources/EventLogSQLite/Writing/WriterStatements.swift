import AuctionDomain
import EventLog

/// The writer's prepared statements.
final class WriterStatements {
    let begin: Statement
    let commit: Statement
    /// Updates the watermark (table `flushed`).
    let markFlushed: Statement
    private let insertEvent: Statement
    private let insertResponse: Statement
    private let index: IndexStatements
    let rooms: RoomStatements
    let snapshots: SnapshotStatements
    /// Statements for the index by user.
    let users: UserStatements

    init(_ db: Connection) throws(SQLiteError) {
        begin = try db.prepare("BEGIN IMMEDIATE")
        commit = try db.prepare("COMMIT")
        markFlushed = try db.prepare("UPDATE flushed SET event = ?, answer = ?")
        insertEvent = try db.prepare(StatementText.insertEvent)
        insertResponse = try db.prepare(StatementText.insertResponse)
        index = try IndexStatements(db)
        rooms = try RoomStatements(db)
        snapshots = try SnapshotStatements(db)
        users = try UserStatements(db)
    }

    /// - Parameter status: The room's status for the columns `round`, `ends_at` and `price`; nil unless it is the append's last event.
    func insert(_ event: StoredEvent, at position: Int64, room number: Int64, status: RoomStatus?) throws(SQLiteError) {
        try insertEvent.run {
            $0.add(position)
            $0.add(number)
            $0.add(event.seq)
            $0.add(event.at)
            $0.add((status?.round).map { Int64($0) })
            $0.add(status?.endsAt?.milliseconds)
            $0.add(status?.currentPrice)
            if event.isErased { $0.add(event.erasedHashBytes) } else { $0.add(event.hash) }
            $0.add(event.type)
            $0.add(event.publicBytes)
            $0.add(event.privateBytes)
        }
    }

    func insert(_ responses: [StoredResponse], at positions: [Int64], after last: Int64, room number: Int64) throws(SQLiteError)
    {
        var previous = last
        for (response, position) in zip(responses, positions) {
            try insertResponse.run {
                $0.add(position)
                $0.add(previous)
                $0.add(number)
                $0.add(response.key)
                $0.add(response.fingerprint)
                $0.add(response.at)
                $0.add(response.status)
                $0.add(text: StoredHeaders.encode(response.headers))
                $0.add(response.body)
                $0.add(response.owner.bits)
            }
            previous = position
        }
    }

    /// Adds events to the index and updates the room's row.
    func flush(_ part: Backlog) throws(SQLiteError) {
        try index.insert(part)
        try rooms.updateHead(part.room)
    }
}

/// Add events to the index, one or several in a run, which costs half as much for each.
private final class IndexStatements {
    private static let several = 16
    private let insertOne: Statement
    private let insertSeveral: Statement

    init(_ db: Connection) throws(SQLiteError) {
        let one = "INSERT INTO event_index (room, seq, position) VALUES (?, ?, ?)"
        insertOne = try db.prepare(one)
        insertSeveral = try db.prepare(one + String(repeating: ", (?, ?, ?)", count: Self.several - 1))
    }

    func insert(_ part: Backlog) throws(SQLiteError) {
        var (left, seq) = (part.positions, part.first)
        while !left.isEmpty {
            let rows = left.prefix(left.count < Self.several ? 1 : Self.several)
            let bind = { (bindings: inout Bindings) in
                for (offset, position) in rows.enumerated() {
                    bindings.add(part.room.number)
                    bindings.add(seq + offset)
                    bindings.add(position)
                }
            }
            if rows.count == 1 { try insertOne.run(bind) } else { try insertSeveral.run(bind) }
            left = left.dropFirst(rows.count)
            seq += rows.count
        }
    }
}

/// The longer statements' texts.
private enum StatementText {
    static let insertEvent = """
        INSERT INTO event (position, room, seq, at, round, ends_at, price, hash, type, public, private)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let insertResponse = """
        INSERT INTO answer (position, previous, room, key, fingerprint, at, status, headers, body, owner)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
