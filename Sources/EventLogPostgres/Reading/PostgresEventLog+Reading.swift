package import AuctionDomain
package import EventLog

extension PostgresEventLog {
    /// See `EventLog.load`. Uses one read-only transaction, so that all parts are consistent; of a room with very many keys those after
    /// the first page are read later.
    package func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? {
        try using("load \(room)") { session throws(SessionFailure) in
            let replies = try session.run([
                Call(Statements.begin), Call(Statements.room, room.description), Call(Statements.snapshot, room.description),
                Call(Statements.eventsSinceSnapshot, room.description), keyPage(of: room, before: .max, keys),
                Call(Statements.commit),
            ])
            guard replies[1].count == 1 else { return nil }
            let head = RoomHead(seq: try replies[1][0].integer(0), headHash: try replies[1][0].bits(1))
            var snapshot: RoomSnapshot?
            var hash = EventHash.zero
            if replies[2].count == 1 {
                let row = replies[2][0]
                snapshot = RoomSnapshot(room: room, seq: try row.integer(0), bytes: row.bytes(1))
                hash = try row.hash(2)
            }
            return LoadedHistory(
                head: head, snapshot: snapshot, events: try replies[3].map(StoredEvent.init), hashAtSnapshot: hash,
                responses: try storedKeys(of: room, keys, on: session, first: replies[4]))
        }
    }

    private func keyPage(of room: RoomID, before position: Int64, _ keys: WantedKeys) -> Call {
        Call(Statements.responsesBefore, room.description, position, min(keys.total, options.limits.keysPerStatement))
    }

    /// The wanted keys, in order of position. Reads page after page from the newest on, so that no statement takes long, however many
    /// responses a room has. A room's positions are in the order of its appends, so a later page needs no transaction with the first.
    private func storedKeys(
        of room: RoomID, _ keys: WantedKeys, on session: Session, first: Rows
    ) throws(SessionFailure) -> [StoredKey] {
        var newest = NewestKeys(keys)
        var found: [StoredKey] = []
        var page = try first.map(StoredKey.init)
        while true {
            for key in page {
                if newest.take(key.owner, at: key.at) { found.append(key) }
            }
            guard let oldest = page.last, page.count >= min(keys.total, options.limits.keysPerStatement), !newest.isFull,
                oldest.at >= keys.since
            else { return found.reversed() }
            page = try session.run([keyPage(of: room, before: oldest.position, keys)])[0].map(StoredKey.init)
        }
    }

    /// See `EventLog.events`.
    package func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        if limit <= 0 { return [] }
        return try using("read events of \(room)") { session throws(SessionFailure) in
            let call = Call(Statements.eventPage, room.description, max(after, 0), limit, bytes)
            return try session.run([call])[0].map(StoredEvent.init)
        }
    }

    /// See `EventLog.storedResponse(at:)`.
    package func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse? {
        try using("read response \(position)") { session throws(SessionFailure) in
            let rows = try session.run([Call(Statements.response, position)])[0]
            return try rows.count == 1 ? StoredResponse(rows[0]) : nil
        }
    }

    /// See `EventLog.pendingRooms`. Without their deadlines: other nodes may change them.
    package func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        try using("find open rooms") { session throws(SessionFailure) in
            try session.run([Call(Statements.openRooms)])[0].map { row throws(SessionFailure) in
                PendingRoom(room: try row.identifier(0))
            }
        }
    }

    /// See `EventLog.openRoomCount`.
    package func openRoomCount(of host: UserID) throws(EventLogError) -> Int {
        try using("count the rooms of \(host)") { session throws(SessionFailure) in
            try session.run([Call(Statements.roomCount, host.description)])[0][0].integer(0)
        }
    }

    /// See `EventLog.rooms`.
    package func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        if query.limit <= 0 { return [] }
        return try using("list rooms") { session throws(SessionFailure) in
            var calls: [Call] = []
            if query.isComplete {
                calls.append(Self.list(query, query.host.map { .of($0) } ?? .all))
            } else {
                calls.append(Self.list(query, .public))
                if let viewer = query.viewer { calls.append(Self.list(query, .privateOf(viewer))) }
            }
            var rows: [RoomRow] = []
            for reply in try session.run(calls) { rows += try reply.map(RoomRow.init) }
            if calls.count > 1 { rows.sort { $0.position > $1.position } }
            return Array(rows.prefix(query.limit))
        }
    }

    private static func list(_ query: RoomQuery, _ rooms: ListedRooms) -> Call {
        Call(Statements.list(rooms, hasState: query.state != nil)) {
            $0.add(query.after ?? Int64.max)
            $0.add(query.limit)
            if let host = rooms.host { $0.add(host.description) }
            if let state = query.state { $0.add(state) }
        }
    }
}

extension StoredEvent {
    init(_ row: Row) throws(SessionFailure) {
        let event = Self(
            seq: try row.integer(0), at: try row.instant(1), type: row.text(2), publicBytes: row.bytes(3),
            privateBytes: row.isNull(4) ? nil : row.bytes(4), storedHash: row.bytes(5))
        guard let event else { throw row.unreadable(5, "a hash of 32 bytes") }
        self = event
    }
}

extension StoredKey {
    init(_ row: Row) throws(SessionFailure) {
        self.init(
            key: try row.key(1), fingerprint: try row.bits(2), owner: try row.keyOwner(4), at: try row.instant(3),
            position: try row.long(0))
    }
}

extension StoredResponse {
    init(_ row: Row) throws(SessionFailure) {
        self.init(
            key: try row.key(0), fingerprint: try row.bits(1), owner: try row.keyOwner(6), at: try row.instant(2),
            status: try row.status(3), headers: try row.headers(4), body: row.bytes(5))
    }
}

extension RoomRow {
    init(_ row: Row) throws(SessionFailure) {
        func text(_ column: Int) -> String? { row.isNull(column) ? nil : row.text(column) }
        let offer = RoomOffer(
            name: text(18), itemName: text(16), picture: text(19), startingPrice: try row.optionalLong(20))
        let profile = RoomProfile(
            name: row.text(10), host: Person(id: try row.identifier(11), nickname: row.text(12)), currency: row.text(13),
            visibility: row.text(14), openedAt: try row.instant(15), itemName: text(16),
            premium: try row.optionalLong(17).flatMap { Int(exactly: $0) }.flatMap(Premium.init(rawValue:)), offer: offer,
            startsAt: try row.optionalLong(21).map { Timestamp(milliseconds: $0) })
        let endsAt = try row.optionalLong(6).map { Timestamp(milliseconds: $0) }
        let status = RoomStatus(
            state: row.text(4), round: try row.integer(5), endsAt: endsAt, currentPrice: try row.optionalLong(7),
            isArchived: try row.flag(8), isOpen: try row.flag(9))
        self.init(
            room: try row.identifier(0), position: try row.long(1),
            head: RoomHead(seq: try row.integer(2), headHash: try row.bits(3)), profile: profile, status: status)
    }
}
