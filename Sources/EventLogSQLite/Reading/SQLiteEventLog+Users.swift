package import AuctionDomain
package import EventLog

// Reads the index by user.
extension SQLiteEventLog {
    /// See `EventLog.rooms(_:)`.
    package func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage {
        if query.limit <= 0 { return UserRoomPage(rows: [], next: nil) }
        var page = UserRoomPage(rows: [], next: nil)
        for _ in 0..<Self.listAttempts {
            let evictionCount = writer.cache.evictionCount
            let (rows, scanned) = try reading("list the rooms of \(query.user)") { db in
                let rows = try Self.rooms(query, db)
                return (rows, rows.count > query.limit ? nil : try Self.lastScanned(query, db))
            }
            let refreshed = zip(writer.cache.refresh(rows.map(\.room)), rows).map { UserRoomRow(room: $0, role: $1.role) }
            page = UserRoomPage(refreshed, limit: query.limit, scanned: scanned)
            // A room evicted from the cache in the meantime has a newer row.
            if writer.cache.evictionCount == evictionCount { break }
        }
        return page
    }

    /// See `EventLog.roomCount`.
    package func roomCount(of user: UserID) throws(EventLogError) -> Int {
        try reading("count the rooms of \(user)") { db in
            let count = try db.long(
                .kept(
                    """
                    SELECT count(*) FROM participation JOIN room ON room.number = participation.room
                    WHERE participation.user = ? AND role IS NOT NULL AND NOT archived
                    """), user.description)
            return Int(count ?? 0)
        }
    }

    /// See `EventLog.wins`.
    package func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] {
        if query.limit <= 0 { return [] }
        let after = query.after ?? .end
        return try reading("list the wins of \(query.user)") { db in
            var rows = try db.rows(
                .kept(
                    """
                    SELECT win.at, win.room, win.round, win.price, win.item, win.item_name, room.id, room.name, room.currency
                    FROM win JOIN room ON room.number = win.room
                    WHERE win.user = ? AND (win.at, win.room, win.round) < (?, ?, ?)
                    ORDER BY win.at DESC, win.room DESC, win.round DESC LIMIT ?
                    """), query.user.description, after.at, after.room, after.round, query.limit)
            return try rows.map { row throws(SQLiteError) in try WinRow(row, winner: query.user) }
        }
    }

    // MARK: - Inside one read transaction

    /// The rooms of the user below the query's position, newest first, at most `UserRoomQuery.scanLimit`.
    private static func scan(_ query: UserRoomQuery) -> (sql: String, values: [any Bindable]) {
        let newest = """
            SELECT room, role, bid_round, 0 AS is_buyer FROM participation
            WHERE user = ? AND room < ? ORDER BY room DESC LIMIT \(UserRoomQuery.scanLimit)
            """
        let place: [any Bindable] = [query.user.description, query.after ?? .max]
        if query.selection != .linkable { return (newest, place) }
        let sql = """
            SELECT room, max(role) AS role, max(bid_round) AS bid_round, max(is_buyer) AS is_buyer FROM (
                SELECT * FROM (\(newest)) UNION ALL SELECT room, NULL, NULL, 1 FROM win WHERE user = ? AND room < ?)
            GROUP BY room ORDER BY room DESC LIMIT \(UserRoomQuery.scanLimit)
            """
        return (sql, place + place)
    }

    private static func rooms(_ query: UserRoomQuery, _ db: Connection) throws(SQLiteError) -> [UserRoomRow] {
        let (scan, values) = scan(query)
        // The room's row may lag behind its events, but not in its state, with which its round changes.
        let condition =
            switch query.selection {
            case .memberships: "NOT archived AND role IS NOT NULL"
            case .standingBids: "NOT archived AND bid_round = round AND state <> '\(RoomState.closed.rawValue)'"
            case .linkable: "(NOT archived OR is_buyer)"
            }
        var rows = try db.rows(
            .kept(
                """
                SELECT \(RoomRow.columns), role FROM (\(scan)) AS mine CROSS JOIN room ON room.number = mine.room
                WHERE \(condition) ORDER BY number DESC LIMIT ?
                """), binding: values + [query.limit + 1])
        return try rows.map { row throws(SQLiteError) in
            UserRoomRow(room: try RoomRow(row), role: try row.optionalText(RoomRow.columnCount))
        }
    }

    /// Position of the last row that the scan reads, if more may follow; else nil.
    private static func lastScanned(_ query: UserRoomQuery, _ db: Connection) throws(SQLiteError) -> Int64? {
        let (scan, values) = scan(query)
        var rows = try db.rows(.kept("SELECT count(*), min(room) FROM (\(scan))"), binding: values)
        guard try rows.next(), try rows.integer(0) >= UserRoomQuery.scanLimit else { return nil }
        return try rows.long(1)
    }
}

extension WinRow {
    init(_ row: borrowing Rows, winner: UserID) throws(SQLiteError) {
        let win = try Win(row, winner: winner)
        self.init(
            win: win, room: try row.identifier(6), roomName: try row.text(7), currency: try row.text(8),
            place: WinPlace(at: try row.long(0), room: try row.long(1), round: Int64(win.round)))
    }
}

extension UserChanges {
    /// All rows of one room.
    init(storedOf number: Int64, _ db: Connection) throws(SQLiteError) {
        self.init()
        var users = try db.rows(.kept("SELECT user, role, bid_round FROM participation WHERE room = ?"), number)
        participations = try users.map { row throws(SQLiteError) in
            Participation(
                user: try row.identifier(0), role: try row.optionalText(1), bidRound: try row.optionalLong(2).map { Int($0) })
        }
        var sales = try db.rows(
            .kept("SELECT at, room, round, price, item, item_name, user FROM win WHERE room = ? ORDER BY round"), number)
        wins = try sales.map { row throws(SQLiteError) in try Win(row, winner: try row.identifier(6)) }
    }
}

extension Win {
    /// Reads the columns `at`, room, round, price, item and name.
    init(_ row: borrowing Rows, winner: UserID) throws(SQLiteError) {
        self.init(
            winner: winner, round: try row.integer(2), item: try row.identifier(4), itemName: try row.text(5),
            price: try row.long(3), at: try row.instant(0))
    }
}
