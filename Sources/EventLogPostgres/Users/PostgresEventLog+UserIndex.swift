package import AuctionDomain
package import EventLog

extension PostgresEventLog {
    /// See `EventLog.rooms(_:)`.
    package func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage {
        if query.limit <= 0 { return UserRoomPage(rows: [], next: nil) }
        return try using("list the rooms of \(query.user)") { session throws(SessionFailure) in
            let (list, last) = (UserStatements.list(query.selection), query.after ?? .max)
            let found = try session.run([Call(list, query.user.description, last, query.limit + 1)])[0]
            var rows: [UserRoomRow] = []
            for index in 0..<found.count where !found[index].isNull(0) {
                let row = found[index]
                rows.append(UserRoomRow(room: try RoomRow(row), role: row.isNull(22) ? nil : row.text(22)))
            }
            return UserRoomPage(rows, limit: query.limit, scanned: found.count > 0 ? try found[0].optionalLong(23) : nil)
        }
    }

    /// See `EventLog.roomCount`.
    package func roomCount(of user: UserID) throws(EventLogError) -> Int {
        try using("count the rooms of \(user)") { session throws(SessionFailure) in
            try session.run([Call(UserStatements.roomCount, user.description)])[0][0].integer(0)
        }
    }

    /// See `EventLog.wins`.
    package func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] {
        if query.limit <= 0 { return [] }
        let after = query.after ?? .end
        return try using("list the wins of \(query.user)") { session throws(SessionFailure) in
            let call = Call(UserStatements.wins, query.user.description, after.at, after.room, after.round, query.limit)
            return try session.run([call])[0].map { row throws(SessionFailure) in try WinRow(row, winner: query.user) }
        }
    }
}

extension UserStatements {
    /// All rows of a room; nil if it has another head by now, or its index lags behind.
    static func users(of room: RoomID, at head: RoomHead, _ session: Session) throws(SessionFailure) -> UserChanges? {
        let statements = [indexHead, participationsOfRoom, winsOfRoom]
        let replies = try session.run(
            [Call(Statements.begin)] + statements.map { Call($0, room.description) } + [Call(Statements.commit)])
        guard replies[1].count == 1, try replies[1][0].integer(0) == head.seq, try replies[1][0].integer(1) == head.seq else {
            return nil
        }
        var users = UserChanges()
        users.participations = try replies[2].map { row throws(SessionFailure) in
            Participation(
                user: try row.identifier(0), role: row.isNull(1) ? nil : row.text(1),
                bidRound: try row.optionalLong(2).map { Int($0) })
        }
        users.wins = try replies[3].map { row throws(SessionFailure) in try Win(row, winner: try row.identifier(6)) }
        return users
    }

    /// Rows per statement of a prefill; bids of the room are deferred while one runs.
    private static let prefilledRows = 500

    /// The calls, each a transaction, that write all rows of a room that lags behind.
    static func build(_ rows: UserChanges, of room: Room) -> [Call] {
        let participations = rows.participations
        // The last statement compares all rows, but writes only those that these have not written.
        let slices =
            participations.count <= prefilledRows
            ? []
            : stride(from: 0, to: participations.count, by: prefilledRows)
                .map { participations[$0..<min($0 + prefilledRows, participations.count)] }
        return slices.map { slice in Call(prefill) { $0.add(slice, of: room) } } + [
            Call(index) {
                $0.add(participations[...], of: room)
                $0.add(rows.archives)
                $0.add(wins: rows.wins)
            }
        ]
    }
}

extension Parameters {
    fileprivate mutating func add(_ participations: ArraySlice<Participation>, of room: Room) {
        add(room.id.description)
        add(room.seq)
        add(participations.map(\.user.description))
        add(participations.map(\.role))
        add(participations.map { $0.bidRound.map { Int64($0) } })
    }
}

extension WinRow {
    init(_ row: Row, winner: UserID) throws(SessionFailure) {
        let win = try Win(row, winner: winner)
        self.init(
            win: win, room: try row.identifier(6), roomName: row.text(7), currency: row.text(8),
            place: WinPlace(at: try row.long(0), room: try row.long(1), round: Int64(win.round)))
    }
}

extension Win {
    /// Reads the columns `at`, room, round, price, item and name.
    init(_ row: Row, winner: UserID) throws(SessionFailure) {
        self.init(
            winner: winner, round: try row.integer(2), item: try row.identifier(4), itemName: row.text(5),
            price: try row.long(3), at: try row.instant(0))
    }
}
