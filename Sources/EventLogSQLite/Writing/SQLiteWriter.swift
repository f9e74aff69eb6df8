import AuctionDomain
import EventLog
import Synchronization

/// The only connection that writes.
///
/// `@unchecked Sendable`: all mutable state is accessed inside `connection.use` only, which runs one caller at a time. The
/// transactions of other threads are short and bounded, because the committer waits for them.
final class SQLiteWriter: @unchecked Sendable {
    let connection: SharedConnection
    private let path: String
    let cache: RoomCache
    let limits: SQLiteEventLog.Limits
    /// Estimated growth of the write-ahead log since the last checkpoint, in pages.
    let pagesWritten = Atomic<Int>(0)
    /// What `SQLiteEventLog.checkpoint` has to know of the commits.
    let resetGuard = LogResetGuard()
    /// The current round of flushing; nil between rounds.
    var round: FlushRound?
    /// Positions of the next event and the next stored response.
    var next = (event: Int64(1), response: Int64(1))
    /// Changes of the current transaction by room, published to readers after the commit.
    private var changes: [RoomID: RoomChange] = [:]
    private var statements: WriterStatements?

    init(_ connection: SharedConnection, path: String, limits: SQLiteEventLog.Limits) {
        self.connection = connection
        self.path = path
        self.limits = limits
        cache = RoomCache(limit: limits.rooms)
    }

    /// Runs one transaction; call it inside `connection.use`. An error rolls back the transaction and the state in memory.
    func transaction<Result>(_ db: Connection, _ body: (WriterStatements) throws -> Result) throws -> Result {
        let next = next
        let statements = try statements ?? WriterStatements(db)
        self.statements = statements
        do {
            try statements.begin.run()
            let changesBefore = db.totalChangeCount
            let result = try body(statements)
            try statements.commit.run()
            if db.totalChangeCount != changesBefore { resetGuard.committed() }
            if !changes.isEmpty { cache.publish(changes) }
            changes.removeAll(keepingCapacity: true)
            return result
        } catch {
            changes.removeAll()
            self.next = next
            db.rollBack()
            throw error
        }
    }

    /// One transaction, durable once this returns.
    func append(_ batch: [RoomAppend]) throws -> [AppendVerdict] {
        pagesWritten.add(Self.pages(of: batch), ordering: .relaxed)
        return try connection.use { db in
            // `maintain` has not kept up: flush here, to bound memory and the time of the next start.
            while cache.pendingCount > limits.maximumPending { _ = try flushSlice(db) }
            return try transaction(db) { statements in
                var verdicts: [AppendVerdict] = []
                verdicts.reserveCapacity(batch.count)
                for append in batch { verdicts.append(try take(append, statements)) }
                return verdicts
            }
        }
    }

    /// Deletes the stored responses up to a position.
    func deleteResponses(through position: Int64) throws {
        try connection.use { db in
            try transaction(db) { _ in
                try db.run(.kept("DELETE FROM answer WHERE position <= ?"), position)
                try db.run(.kept("UPDATE expired SET answer = max(answer, ?)"), position)
                pagesWritten.add(2 + db.changeCount, ordering: .relaxed)
            }
        }
    }

    /// Empties the large ones of the stored responses at these positions. Their rows stay, since each refers to the one before it in its
    /// room; their time makes them older than all that is read.
    func discardResponses(at positions: some Collection<Int64>) throws {
        try connection.use { db in
            try withoutSync(db) {
                try transaction(db) { _ in
                    try db.run(
                        """
                        UPDATE answer SET position = -position, at = \(Schema.discardedAt), headers = '', body = x''
                        WHERE position IN (SELECT value FROM json_each(?)) AND length(body) > ?
                        """, positions.jsonArray, StoredResponse.smallBytes)
                    // A row that becomes shorter where it is keeps a page for itself; one that is moved away and back does not.
                    try db.run("UPDATE answer SET position = -position WHERE position < 0")
                    pagesWritten.add(2 + db.changeCount, ordering: .relaxed)
                }
            }
        }
    }

    /// Deletes rows of an archived room from the index by user, at most `limits.participationsPerDeletion`.
    func deleteArchivedParticipations() throws {
        try connection.use { db in
            guard let room = try db.long(.kept("SELECT room FROM archived_room LIMIT 1")) else { return }
            try transaction(db) { _ in
                try db.run(
                    """
                    DELETE FROM participation WHERE room = ?1 AND user IN (
                        SELECT user FROM participation WHERE room = ?1 LIMIT ?2)
                    """, room, limits.participationsPerDeletion)
                let count = db.changeCount
                pagesWritten.add(2 + 2 * count, ordering: .relaxed)
                guard count < limits.participationsPerDeletion else { return }
                try db.run("DELETE FROM archived_room WHERE room = ?", room)
            }
        }
    }

    /// Throws if no write transaction can begin.
    func probe() throws {
        try connection.use { db in
            try db.execute(Connection.TransactionKind.immediate.rawValue)
            db.rollBack()
        }
    }

    /// Replaces the tables of the index by user by empty ones; see `Schema.recreateUserIndex`.
    func recreateUserIndex() throws {
        try connection.use { db in
            statements = nil
            try Schema.recreateUserIndex(db)
        }
    }

    func close() {
        try? connection.use { _ in statements = nil }
        connection.close()
    }

    // MARK: - One element of a batch

    private func take(_ append: RoomAppend, _ statements: WriterStatements) throws -> AppendVerdict {
        let found = try find(append.room, statements)
        let head = found?.head ?? .none
        // Optimistic concurrency control: the lock file excludes other writers, so this comparison is sufficient.
        guard head == append.expected else { return .conflict(actual: head) }
        try append.validate()
        if append.events.isEmpty, append.responses.isEmpty { return .appended(responsePositions: []) }
        let responses = append.responses.indices.map { next.response + Int64($0) }
        next.response += Int64(responses.count)
        var room = found ?? CachedRoom(number: 0, head: .none, status: append.status, lastResponse: 0)
        let previous = room
        room.lastResponse = responses.last ?? room.lastResponse
        if !append.events.isEmpty {
            room.head = append.newHead
            room.status = append.status
            room = try writeRow(of: room, was: found, append, statements)
        }
        var change = changes[append.room] ?? RoomChange(room: room)
        for event in append.events {
            let status = event.seq == room.head.seq ? room.status : nil
            try statements.insert(event, at: next.event, room: room.number, status: status)
            change.positions.append(next.event)
            next.event += 1
        }
        try statements.insert(append.responses, at: responses, after: previous.lastResponse, room: room.number)
        if !append.users.isEmpty { try write(append.users, room: room.number, statements) }
        change.responses += responses.count
        change.room = room
        changes[append.room] = change
        return .appended(responsePositions: responses)
    }

    private func write(_ users: UserChanges, room number: Int64, _ statements: WriterStatements) throws {
        do {
            try statements.users.write(users, room: number)
        } catch {
            guard error.isDamage else { throw error }
            let action = "write the index by user (\(UserChanges.repair))"
            throw EventLogError(error, while: action, path: path)
        }
    }

    /// Writes the room's row if indexed columns or the profile changed; otherwise the row is updated by a flush.
    private func writeRow(
        of room: CachedRoom, was found: CachedRoom?, _ append: RoomAppend, _ statements: WriterStatements
    ) throws -> CachedRoom {
        if let found {
            let hasSameIndexedColumns = found.status.matchesIndexedColumns(room.status)
            if !hasSameIndexedColumns || append.profile != nil { try statements.rooms.update(room) }
            if let profile = append.profile { try statements.rooms.update(profile, room: room.number) }
            return room
        }
        guard let profile = append.profile else { return room }
        return CachedRoom(
            number: try statements.rooms.create(append.room, room, profile), head: room.head, status: room.status,
            lastResponse: room.lastResponse)
    }

    func find(_ id: RoomID, _ statements: WriterStatements) throws -> CachedRoom? {
        if let room = changes[id]?.room ?? cache.room(id) { return room }
        guard let room = try statements.rooms.room(id) else { return nil }
        // The seq of a damaged row is compared, but not computed with.
        if room.head.seq < .max { cache.insert(id, room) }
        return room
    }

    /// Estimated growth of the write-ahead log by a batch, in pages.
    private static func pages(of batch: [RoomAppend]) -> Int {
        var bytes = 0
        for append in batch {
            for event in append.events { bytes += 120 + event.publicBytes.count + (event.privateBytes?.count ?? 0) }
            for response in append.responses { bytes += 100 + response.body.count }
            // Each row is in another place of the table.
            let users = append.users
            bytes +=
                (users.participations.count + users.wins.count + 2 * users.transfers.count + users.rewritten.count)
                * Schema.pageBytes
        }
        return 3 + bytes / Schema.pageBytes
    }
}
