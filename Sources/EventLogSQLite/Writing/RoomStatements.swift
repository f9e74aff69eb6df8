import AuctionDomain
import EventLog

/// The writer's prepared statements for the rows of rooms.
final class RoomStatements {
    private let database: Connection
    private let createRoom: Statement
    private let updateRoom: Statement
    private let updateHead: Statement
    private let updateProfile: Statement

    init(_ db: Connection) throws(SQLiteError) {
        database = db
        createRoom = try db.prepare(StatementText.createRoom)
        updateRoom = try db.prepare(StatementText.updateRoom)
        updateHead = try db.prepare(StatementText.updateHead)
        updateProfile = try db.prepare(StatementText.updateProfile)
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

    /// Updates the columns of a room's row that have no index.
    func updateHead(_ room: CachedRoom) throws(SQLiteError) {
        try updateHead.run {
            $0.add(headOf: room)
            $0.add(room.number)
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
}
