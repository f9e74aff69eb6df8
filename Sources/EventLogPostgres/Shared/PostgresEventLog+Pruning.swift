package import AuctionDomain
package import EventLog

// Deletes rooms as a whole. Any node may, also while others have the room in memory: an append of theirs finds it locked or gone, and a
// comparison with the log removes it from their memory (`Replication`).
extension PostgresEventLog: RoomPruning {
    /// Rows of each table that one transaction deletes.
    static let rowsPerPruning = 128
    /// Numbers of rooms that one statement examines, …
    private static let numbersPerSearch: Int64 = 1000
    /// … and how long a pruning waits for another node's; an archive keeps the lock for longer.
    private static let lockMilliseconds = 1000

    /// Throws unless there is a log that this program can read; creates none, and migrates none.
    /// - Throws: `.unavailable` if the server cannot be reached or its database has no log, or an older one; `.newerSchema`.
    package static func requireLog(_ url: String) throws(EventLogError) {
        let connector = Connector(url: url, limits: PostgresLimits())
        let session = try EventLogError.translating("connect", in: connector.store) { () throws(SessionFailure) in
            try connector.connect()
        }
        try Schema.check(session, store: connector.store)
    }

    /// See `RoomPruning.prunableRooms`. Gives numbers to all events first, since a reader of the feed must learn of those that are deleted.
    package func prunableRooms(
        before cutoff: Timestamp, after number: Int64, limit: Int
    ) throws(EventLogError) -> [PrunableRoom] {
        try numberEvents(ofAll: true)
        let last = try using("find the last room") { session throws(SessionFailure) in
            try session.run([Call(UserStatements.lastRoom)])[0][0].long(0)
        }
        var (found, examined) = ([PrunableRoom](), number)
        while examined < last, found.count < limit {
            let end = min(examined + Self.numbersPerSearch, last)
            let wanted = limit - found.count
            let page = try using("find rooms to prune") { session throws(SessionFailure) in
                let call = Call(PruningStatements.candidates, examined, end, cutoff, wanted)
                return try session.run([call])[0].map(PruningCandidate.init)
            }
            for candidate in page { found.append(try prunable(candidate)) }
            examined = page.count == wanted ? page.last?.number ?? end : end
        }
        return found
    }

    private func prunable(_ candidate: PruningCandidate) throws(EventLogError) -> PrunableRoom {
        let events = try using("count the events of \(candidate.id)") { session throws(SessionFailure) in
            try session.run([Call(PruningStatements.count, candidate.number)])[0][0].integer(0)
        }
        return PrunableRoom(
            id: candidate.id, number: candidate.number, seq: candidate.head.seq, isWhole: events == candidate.head.seq,
            end: FeedPosition(number: candidate.last, hash: candidate.head.headHash))
    }

    /// See `RoomPruning.prune`. The rows of which there may be many stay for `deletePrunedRows`.
    /// - Throws: `.unavailable` also while an archive is open.
    package func prune(_ room: PrunableRoom) throws(EventLogError) -> Bool {
        let pruning = UInt64.random(in: 1 ... .max)
        return try using("prune \(room.id)") { session throws(SessionFailure) in
            try session.transaction { () throws(SessionFailure) in
                try Self.lockPruning(session)
                let locked = Call(
                    PruningStatements.lock, room.number, room.seq, Int64(bitPattern: room.end.hash), room.end.number)
                let replies = try session.run([locked, FeedStatements.horizon])
                guard replies[0].count == 1 else { return false }
                let horizon = FeedHorizon(pruning: pruning, through: room.end, after: try FeedHorizon(replies[1]))
                _ = try session.run(
                    PruningStatements.deletions.map { Call($0, room.number) } + [
                        Call(PruningStatements.putHorizon, InternalRecords.feed, FeedHorizon.recordID, horizon.content),
                        Call(PruningStatements.leave, InternalRecords.pruned, String(room.number)),
                    ])
                return true
            }
        }
    }

    private static func lockPruning(_ session: Session) throws(SessionFailure) {
        try session.execute("SET LOCAL lock_timeout = \(lockMilliseconds)")
        do throws(SessionFailure) {
            _ = try session.run([Call(PruningStatements.turn)])
        } catch  where error.kind == .server(state: "55P03") {
            throw SessionFailure(kind: error.kind, message: "an export, a copy or another command reads the log")
        }
    }

    /// See `RoomPruning.deletePrunedRows`.
    package func deletePrunedRows() throws(EventLogError) -> Bool { try deletePrunedRows(Self.rowsPerPruning) }

    /// - Parameter limit: of the rows of each table.
    func deletePrunedRows(_ limit: Int) throws(EventLogError) -> Bool {
        try using("delete the rows of a pruned room") { session throws(SessionFailure) in
            let call = Call(PruningStatements.slice, InternalRecords.pruned, limit)
            return try session.run([Call(Statements.asynchronousCommit), call])[1][0].flag(0)
        }
    }
}

/// An archived room that is old enough, before its events are counted.
private struct PruningCandidate {
    let number: Int64
    let id: RoomID
    let head: RoomHead
    /// Number of its last event in the feed.
    let last: Int64

    init(_ row: Row) throws(SessionFailure) {
        (number, id) = (try row.long(0), try row.identifier(1))
        head = RoomHead(seq: try row.integer(2), headHash: try row.bits(3))
        last = try row.long(4)
    }
}

/// SQL for the deletion of old rooms.
private enum PruningStatements {
    /// Rooms in a range of numbers whose last event has a number and is old enough.
    static let candidates = Statement(
        name: "prunable",
        sql: """
            SELECT r.number, r.id, r.seq, r.tip, f.number + f.count - 1
            FROM room r JOIN event e ON e.room = r.number AND e.seq = r.seq
                CROSS JOIN LATERAL (SELECT * FROM feed WHERE feed.room = r.number ORDER BY seq DESC LIMIT 1) f
            WHERE r.number > $1 AND r.number <= $2 AND r.archived AND e.at < $3 AND f.seq + f.count = r.seq + 1
                AND r.number < (SELECT max(number) FROM room)
                AND f.number + f.count - 1 < (SELECT number FROM feed_end)
            ORDER BY r.number LIMIT $4
            """)
    static let count = Statement(name: "count_events", sql: "SELECT count(*) FROM event WHERE room = $1")

    /// Until the end of the transaction no other pruning runs, and no archive is opened.
    static let turn = Statement(name: "lock_pruning", sql: "SELECT pg_advisory_xact_lock(\(Schema.pruningLock))")
    /// Locks a room against appends, which take it for locked meanwhile, if it is as it was found. A room to which one appends now has
    /// changed.
    static let lock = Statement(
        name: "lock_pruned",
        sql: """
            SELECT number FROM room WHERE number = $1 AND seq = $2 AND tip = $3 AND archived
                AND number < (SELECT max(number) FROM room) AND $4::bigint < (SELECT number FROM feed_end)
            FOR UPDATE SKIP LOCKED
            """)
    /// The room's row last: what the other tables have is shown with it only.
    static let deletions = [
        "DELETE FROM feed_room WHERE room = $1", "DELETE FROM win WHERE room = $1", "DELETE FROM archived_room WHERE room = $1",
        "DELETE FROM room WHERE number = $1",
    ].enumerated().map { Statement(name: "prune_\($0)", sql: $1) }
    static let putHorizon = Statement(
        name: "put_horizon",
        sql: """
            INSERT INTO record AS r (kind, id, version, content) VALUES ($1, $2, 1, $3)
            ON CONFLICT (kind, id) DO UPDATE SET version = r.version + 1, content = excluded.content
            """)
    static let leave = Statement(
        name: "leave_pruned",
        sql: "INSERT INTO record (kind, id, version, content) VALUES ($1, $2, 1, '') ON CONFLICT DO NOTHING")

    /// Deletes rows of one room, and its record once the transactions before have left none. Nodes that do so at the same time, and what
    /// deletes old responses and participations, pass over each other's rows.
    static let slice = Statement(
        name: "delete_pruned",
        sql: """
            WITH next AS MATERIALIZED (
                SELECT id, id::bigint AS room FROM record WHERE kind = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
            ),
            \(slices.map(\.sql).joined(separator: ",\n")),
            done AS (
                DELETE FROM record USING next n WHERE record.kind = $1 AND record.id = n.id
                    AND \(slices.map(\.isEmpty).joined(separator: " AND "))
            )
            SELECT EXISTS (SELECT FROM next)
            """)

    private static let slices = [
        Slice(table: "event", key: "seq"), Slice(table: "feed", key: "number"), Slice(table: "answer", key: "position"),
        Slice(table: "participation", key: "user_id"), Slice(table: "snapshot", key: "seq"),
    ]

    /// The part of `slice` for one table, whose rows of a room have different keys.
    private struct Slice {
        let table: String
        let key: String

        var sql: String {
            """
            \(table)_rows AS MATERIALIZED (
                SELECT t.room, t.\(key) FROM next n JOIN \(table) t ON t.room = n.room LIMIT $2 FOR UPDATE OF t SKIP LOCKED
            ),
            \(table)_gone AS (
                DELETE FROM \(table) t USING \(table)_rows r WHERE t.room = r.room AND t.\(key) = r.\(key)
            )
            """
        }

        var isEmpty: String { "NOT EXISTS (SELECT FROM \(table) t WHERE t.room = n.room)" }
    }
}
