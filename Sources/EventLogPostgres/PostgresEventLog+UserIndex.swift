package import AuctionDomain
package import EventLog

extension PostgresEventLog {
    // MARK: - Building

    /// Replays every room whose index by user lags behind its events, and writes its rows anew.
    ///
    /// A room whose history cannot be read stays out of the index, and so does one that is appended to meanwhile, until the next call.
    func buildUserIndex() throws(EventLogError) {
        var last: Int64 = 0
        while true {
            let rooms = try using("find rooms without index") { session throws(SessionFailure) in
                let call = Call(UserStatements.unindexed) {
                    $0.add(last)
                    $0.add(Self.roomsPerIndexing)
                }
                return try session.run([call])[0].map { row throws(SessionFailure) in
                    (id: try row.identifier(0) as RoomID, number: try row.long(1))
                }
            }
            for room in rooms { try buildUserIndex(of: room.id) }
            guard let reached = rooms.last, rooms.count == Self.roomsPerIndexing else { return }
            last = reached.number
        }
    }

    private static let roomsPerIndexing = 256

    private func buildUserIndex(of id: RoomID) throws(EventLogError) {
        guard let room = try UserIndexing.replay(id, from: self) else { return }
        let rows = UserChanges(of: room)
        try using("index the users of \(id)") { session throws(SessionFailure) in
            try session.transaction { () throws(SessionFailure) in
                let lock = Call(UserStatements.lockUnindexed) {
                    $0.add(id.description)
                    $0.add(room.seq)
                }
                let locked = try session.run([lock])[0]
                guard locked.count == 1 else { return }
                _ = try session.run(UserStatements.build(rows, room: try locked[0].long(0)))
            }
        }
    }

    // MARK: - Reading

    /// See `EventLog.rooms(_:)`.
    package func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage {
        if query.limit <= 0 { return UserRoomPage(rows: [], next: nil) }
        return try using("list the rooms of \(query.user)") { session throws(SessionFailure) in
            let call = Call(UserStatements.list(query.selection)) {
                $0.add(query.user.description)
                $0.add(query.after ?? .max)
                $0.add(query.limit + 1)
            }
            let found = try session.run([call])[0]
            var rows: [UserRoomRow] = []
            for index in 0..<found.count where !found[index].isNull(0) {
                let row = found[index]
                rows.append(UserRoomRow(room: try RoomRow(row), role: row.isNull(17) ? nil : row.text(17)))
            }
            return UserRoomPage(rows, limit: query.limit, scanned: found.count > 0 ? try found[0].optionalLong(18) : nil)
        }
    }

    /// See `EventLog.roomCount`.
    package func roomCount(of user: UserID) throws(EventLogError) -> Int {
        try using("count the rooms of \(user)") { session throws(SessionFailure) in
            try session.run([Call(UserStatements.roomCount) { $0.add(user.description) }])[0][0].integer(0)
        }
    }

    /// See `EventLog.wins`.
    package func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] {
        if query.limit <= 0 { return [] }
        let after = query.after ?? .end
        return try using("list the wins of \(query.user)") { session throws(SessionFailure) in
            let call = Call(UserStatements.wins) {
                $0.add(query.user.description)
                $0.add(after.at)
                $0.add(after.room)
                $0.add(after.round)
                $0.add(query.limit)
            }
            return try session.run([call])[0].map { row throws(SessionFailure) in try WinRow(row, winner: query.user) }
        }
    }
}

extension UserStatements {
    /// All rows of a room; nil if it has another head by now, or its index lags behind.
    static func users(of room: RoomID, at head: RoomHead, _ session: Session) throws(SessionFailure) -> UserChanges? {
        let statements = [indexHead, participationsOfRoom, winsOfRoom]
        let replies = try session.run(
            [Call(Statements.begin)] + statements.map { Call($0) { $0.add(room.description) } } + [Call(Statements.commit)])
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

    /// The calls that write all rows of a locked room that has none, or outdated ones.
    fileprivate static func build(_ rows: UserChanges, room number: Int64) -> [Call] {
        [
            Call(clear) { $0.add(number) },
            Call(insertParticipations) {
                $0.add(number)
                $0.add(rows.participations.map(\.user.description))
                $0.add(rows.participations.map(\.role))
                $0.add(rows.participations.map { $0.bidRound.map { Int64($0) } })
            },
            Call(insertWins) {
                $0.add(number)
                $0.add(wins: rows.wins)
            }, Call(markIndexed) { $0.add(number) },
        ]
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
