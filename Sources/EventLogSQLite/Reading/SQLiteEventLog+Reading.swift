package import AuctionDomain
package import EventLog

extension SQLiteEventLog {
    /// See `EventLog.openRoomCount`.
    package func openRoomCount(of host: UserID) throws(EventLogError) -> Int {
        try reading("count the rooms of \(host)") { db in
            Int(try db.long(.kept("SELECT count(*) FROM room WHERE host = ? AND NOT archived"), host.description) ?? 0)
        }
    }

    /// See `EventLog.load`.
    package func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? {
        for _ in 0..<Self.loadAttempts {
            let view = writer.cache.view(of: room, after: 0, limit: .max)
            let (loaded, recorded) = try loadOnce(room, view, keys)
            // The room was appended to after the cache was read, or events are missing: retry.
            if loaded?.head.seq ?? 0 < recorded { continue }
            guard let loaded else { return nil }
            if loaded.snapshot?.seq ?? 0 <= loaded.head.seq { return loaded }
            // The snapshot was saved after the cache was read: retry.
        }
        throw EventLogError(.corrupt, "cannot load \(room) in \(file.path): its snapshot or its record is ahead of its events")
    }

    /// Loads a room, without its snapshot if that cannot be read: its events have all that it has.
    /// - Returns: Also the `seq` up to which the log must have events.
    private func loadOnce(
        _ room: RoomID, _ view: RoomView?, _ keys: WantedKeys
    ) throws(EventLogError) -> (LoadedHistory?, Int) {
        do throws(EventLogError) {
            return try load(room, view, keys, usesSnapshot: true)
        } catch {
            guard error.code == .corrupt else { throw error }
            // In another transaction, since SQLite ends one that has read a damaged page. If not the snapshot but something else is
            // damaged, this fails too, because it reads everything else again.
            let (loaded, recorded) = try load(room, view, keys, usesSnapshot: false)
            // Also a snapshot that cannot be read is evidence of the events before it.
            return (loaded, max(recorded, readableSnapshotSeq(of: room)))
        }
    }

    private func load(
        _ room: RoomID, _ view: RoomView?, _ keys: WantedKeys, usesSnapshot: Bool
    ) throws(EventLogError) -> (LoadedHistory?, Int) {
        try reading("load \(room)") { db in
            (
                try Self.load(room, view, keys, usesSnapshot: usesSnapshot, db),
                view == nil ? try Self.recordedSeq(of: room, db) : 0
            )
        }
    }

    /// `seq` of the room's snapshot; 0 if it has none or not even that can be read.
    private func readableSnapshotSeq(of room: RoomID) -> Int {
        let seq = try? reading("find the snapshot of \(room)") { db in
            try db.long("SELECT seq FROM snapshot WHERE room = (SELECT number FROM room WHERE id = ?)", room.description)
        }
        return seq.flatMap { $0 }.map { Int($0) } ?? 0
    }

    /// More attempts are never needed unless the room gets a new snapshot during each of them.
    private static let loadAttempts = 10

    /// See `EventLog.events`.
    /// - Throws: `.corrupt` if the next event is missing.
    package func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        if limit <= 0 { return [] }
        let after = max(after, 0)
        var dense: [StoredEvent] = []
        for _ in 0..<Self.loadAttempts {
            let view = writer.cache.view(of: room, after: after, limit: limit)
            let (page, recorded) = try reading("read events of \(room)") { db in
                guard let number = try view?.number ?? Self.number(of: room, db) else { return (EventPage(bytes: 0), 0) }
                return (
                    try Self.events(number, view, after: after, limit: limit, bytes: bytes, db),
                    try Self.recordedSeq(of: room, db)
                )
            }
            // A subscriber must never skip a missing event.
            dense = page.events.enumerated().prefix { $0.element.seq == after + 1 + $0.offset }.map(\.element)
            let end = view?.head.seq ?? recorded
            let isWhole = dense.count == limit || page.isFull || after + dense.count >= end
            if dense.count == page.events.count, isWhole { return dense }
        }
        if !dense.isEmpty { return dense }
        throw EventLogError(.corrupt, "cannot read events of \(room) in \(file.path): seq \(after + 1) is missing")
    }

    /// See `EventLog.storedResponse(at:)`.
    package func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse? {
        try reading("read response \(position)") { db in
            var rows = try db.rows(
                .kept("SELECT key, fingerprint, at, status, headers, body, owner FROM answer WHERE position = ? AND at > ?"),
                position, Schema.discardedAt)
            return try rows.first { row throws(SQLiteError) in
                StoredResponse(
                    key: try row.key(0), fingerprint: try row.bits(1), owner: try row.keyOwner(6), at: try row.instant(2),
                    status: try row.status(3), headers: try row.headers(4), body: try row.bytes(5))
            }
        }
    }

    /// See `EventLog.pendingRooms`.
    package func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        for _ in 0..<Self.listAttempts {
            let evictionCount = writer.cache.evictionCount
            let rows = try reading("find open rooms") { db in try Self.pendingRooms(db) }
            let rooms = writer.cache.refresh(rows)
            // A room evicted from the cache in the meantime has a newer row.
            if writer.cache.evictionCount == evictionCount { return rooms }
        }
        return try reading("find open rooms") { db in try Self.pendingRooms(db) }.map { PendingRoom(room: $0.room) }
    }

    private static func pendingRooms(_ db: Connection) throws(SQLiteError) -> [PendingRoom] {
        var rows = try db.rows("SELECT id, is_open, ends_at FROM room WHERE is_open")
        return try rows.map { row throws(SQLiteError) in
            let isDueAtEnd = try row.integer(1) == RoomStatus.dueAtEnd
            return PendingRoom(room: try row.identifier(0), endsAt: isDueAtEnd ? try row.optionalInstant(2) : nil)
        }
    }

    /// See `EventLog.rooms`.
    package func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        if query.limit <= 0 { return [] }
        var rows: [RoomRow] = []
        for _ in 0..<Self.listAttempts {
            let evictionCount = writer.cache.evictionCount
            rows = try writer.cache.refresh(reading("list rooms") { db in try Self.list(query, db) })
            // A room that left the list in the meantime would make the page too short, and a room evicted from the cache in the
            // meantime has a newer row.
            if rows.allSatisfy(query.shows), writer.cache.evictionCount == evictionCount { return rows }
        }
        return rows.filter(query.shows)
    }

    /// Each retry requires that another room left the list within about a millisecond.
    static let listAttempts = 5

    // MARK: - Inside one read transaction

    private static func list(_ query: RoomQuery, _ db: Connection) throws(SQLiteError) -> [RoomRow] {
        if query.isComplete {
            let host = query.host?.description
            return try list(query, whose: host == nil ? "TRUE" : "host = ?", host.map { [$0] } ?? [], db)
        }
        // Two queries, each along an index that contains only matching rows, so that the cost is proportional to the page.
        var rows = try list(query, whose: "visibility = 'public'", [], db)
        if let viewer = query.viewer {
            rows += try list(query, whose: "visibility <> 'public' AND host = ?", [viewer.description], db)
            rows.sort { $0.position > $1.position }
        }
        return Array(rows.prefix(query.limit))
    }

    private static func list(
        _ query: RoomQuery, whose condition: String, _ values: [any Bindable], _ db: Connection
    ) throws(SQLiteError) -> [RoomRow] {
        let sql = """
            SELECT \(RoomRow.columns) FROM room WHERE NOT archived AND \(condition)
            \(query.state == nil ? "" : "AND state = ?") AND number < ? ORDER BY number DESC LIMIT ?
            """
        var values = values
        if let state = query.state { values.append(state) }
        values += [query.after ?? .max, query.limit]
        var rows = try db.rows(.kept(sql), binding: values)
        return try rows.map(RoomRow.init)
    }
}

extension RoomQuery {
    fileprivate func shows(_ row: RoomRow) -> Bool {
        !row.status.isArchived && (state == nil || state == row.status.state)
    }
}
