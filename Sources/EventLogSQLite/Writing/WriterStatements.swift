import AuctionDomain
import EventLog

/// The writer's prepared statements, and the state of its connection after them.
final class WriterStatements {
    let begin: Statement
    let commit: Statement
    /// Updates the watermark (table `flushed`).
    let markFlushed: Statement
    private let database: Connection
    private let createRoom: Statement
    private let updateRoom: Statement
    private let updateHead: Statement
    private let updateProfile: Statement
    private let insertEvent: Statement
    private let index: IndexStatements
    private let insertResponse: Statement
    private let saveSnapshot: Statement
    private let savePiece: Statement
    private let deletePiece: Statement
    /// Statements for the index by user.
    let users: UserStatements

    init(_ db: Connection) throws(SQLiteError) {
        database = db
        begin = try db.prepare("BEGIN IMMEDIATE")
        commit = try db.prepare("COMMIT")
        createRoom = try db.prepare(StatementText.createRoom)
        updateRoom = try db.prepare(StatementText.updateRoom)
        updateHead = try db.prepare(StatementText.updateHead)
        updateProfile = try db.prepare(StatementText.updateProfile)
        insertEvent = try db.prepare(StatementText.insertEvent)
        index = try IndexStatements(db)
        markFlushed = try db.prepare("UPDATE flushed SET event = ?, answer = ?")
        insertResponse = try db.prepare(StatementText.insertResponse)
        saveSnapshot = try db.prepare(StatementText.saveSnapshot)
        savePiece = try db.prepare("INSERT INTO snapshot_piece (room, seq, bytes) VALUES (?, ?, ?)")
        deletePiece = try db.prepare(StatementText.deletePiece)
        users = try UserStatements(db)
    }

    /// Writes the row of a snapshot; empty `bytes` mean that the snapshot is stored in pieces.
    func save(_ bytes: [UInt8], of room: Int64, at seq: Int) throws(SQLiteError) {
        try saveSnapshot.run {
            $0.add(room)
            $0.add(seq)
            $0.add(bytes)
        }
    }

    func savePiece(_ bytes: [UInt8], of room: Int64, at seq: Int) throws(SQLiteError) {
        try savePiece.run {
            $0.add(room)
            $0.add(seq)
            $0.add(bytes)
        }
    }

    /// Deletes one piece that does not belong to the room's current snapshot; false if there is none.
    func deletePiece(of room: Int64) throws(SQLiteError) -> Bool {
        try deletePiece.run { $0.add(room) }
        return database.changeCount > 0
    }

    func snapshotSeq(of room: Int64) throws(SQLiteError) -> Int? {
        try database.long(.kept("SELECT iif(typeof(seq) = 'integer', seq, 0) FROM snapshot WHERE room = ?"), room).map {
            Int($0)
        }
    }

    func room(_ id: RoomID) throws(SQLiteError) -> CachedRoom? {
        var rows = try database.rows(.kept("SELECT \(CachedRoom.columns) FROM room WHERE id = ?"), id.description)
        return try rows.first(CachedRoom.init)
    }

    /// Inserts a room's row; returns its `room.number`.
    func create(_ id: RoomID, _ room: CachedRoom, _ profile: RoomProfile) throws(SQLiteError) -> Int64 {
        try createRoom.run {
            $0.add(headOf: room)
            $0.add(indexed: room.status)
            $0.add(id.description)
            $0.add(profile)
        }
        return database.lastInsertedRow
    }

    /// Updates a room's row except its profile.
    func update(_ room: CachedRoom) throws(SQLiteError) {
        try updateRoom.run {
            $0.add(headOf: room)
            $0.add(indexed: room.status)
            $0.add(room.number)
        }
    }

    func update(_ profile: RoomProfile, room number: Int64) throws(SQLiteError) {
        try updateProfile.run {
            $0.add(profile)
            $0.add(number)
        }
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
            $0.add(event.hash)
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
        try updateHead.run {
            $0.add(headOf: part.room)
            $0.add(part.room.number)
        }
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

extension Bindings {
    fileprivate mutating func add(_ profile: RoomProfile) {
        add(profile.name)
        add(profile.host.id.description)
        add(profile.host.nickname)
        add(profile.currency)
        add(profile.visibility)
        add(profile.openedAt)
        add(profile.itemName)
        add(profile.premium?.rawValue)
        add(profile.storedOfferName)
        add(profile.offer?.picture?.description)
        add(profile.offer?.startingPrice)
        add(profile.startsAt?.milliseconds)
    }

    fileprivate mutating func add(headOf room: CachedRoom) {
        add(room.head.seq)
        add(room.head.headHash)
        add(room.status.round)
        add(room.status.endsAt?.milliseconds)
        add(room.status.currentPrice)
        add(room.lastResponse)
    }

    fileprivate mutating func add(indexed status: RoomStatus) {
        add(status.state)
        add(status.openness)
        add(status.isArchived)
    }
}

/// The longer statements' texts.
private enum StatementText {
    static let createRoom = """
        INSERT INTO room (seq, tip, round, ends_at, price, last_answer, state, is_open, archived, id,
            name, host, host_nickname, currency, visibility, opened_at, item_name, premium,
            offer_name, offer_picture, offer_price, starts_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let updateRoom = """
        UPDATE room SET seq = ?, tip = ?, round = ?, ends_at = ?, price = ?, last_answer = ?,
            state = ?, is_open = ?, archived = ?
        WHERE number = ?
        """
    /// Only columns without an index, so that it writes one page.
    static let updateHead =
        "UPDATE room SET seq = ?, tip = ?, round = ?, ends_at = ?, price = ?, last_answer = ? WHERE number = ?"
    static let updateProfile = """
        UPDATE room SET name = ?, host = ?, host_nickname = ?, currency = ?, visibility = ?, opened_at = ?,
            item_name = ?, premium = ?, offer_name = ?, offer_picture = ?, offer_price = ?, starts_at = ?
        WHERE number = ?
        """
    static let insertEvent = """
        INSERT INTO event (position, room, seq, at, round, ends_at, price, hash, type, public, private)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let insertResponse = """
        INSERT INTO answer (position, previous, room, key, fingerprint, at, status, headers, body, owner)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let saveSnapshot = """
        INSERT INTO snapshot (room, seq, bytes) VALUES (?, ?, ?)
        ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
        WHERE excluded.seq >= seq OR typeof(seq) <> 'integer'
        """
    static let deletePiece = """
        DELETE FROM snapshot_piece WHERE number = (
            SELECT number FROM snapshot_piece AS p WHERE p.room = ?1 AND p.seq IS NOT
                (SELECT seq FROM snapshot WHERE room = ?1 AND length(bytes) = 0) LIMIT 1)
        """
}
