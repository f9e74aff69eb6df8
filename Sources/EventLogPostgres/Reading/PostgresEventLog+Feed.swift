import AuctionDomain
package import EventLog

// The order of all rooms. Nodes commit at the same time, so no number that an append takes says which event is visible first. Events
// get their numbers after the commit, from whichever node's reader comes next: decision "The feed's numbers are given after the commit".
extension PostgresEventLog {
    /// See `EventFeed.feedID`.
    package func feedID() throws(EventLogError) -> UInt64 {
        try feedID(orCreate: UInt64.random(in: .min ... .max))
    }

    /// See `EventFeed.feedEnd(asOf:)`.
    package func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition {
        try numberEvents(asOf: age)
        return try using("find the end of the feed") { session throws(SessionFailure) in
            let rows = try session.run([Call(FeedStatements.end)])[0]
            return rows.count == 1 ? FeedPosition(number: try rows[0].long(0), hash: try rows[0].hash(1).headHash) : .beginning
        }
    }

    /// See `EventFeed.prunedEnd`.
    package func prunedEnd() throws(EventLogError) -> FeedPosition {
        try using("find the end of what was pruned") { session throws(SessionFailure) in
            try FeedHorizon(session.run([FeedStatements.horizon])[0])?.position ?? .beginning
        }
    }

    /// See `EventFeed.scanFeed`. The join with rooms leaves out what pruned ones have left.
    package func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        let numbered = try scanNumbered(query)
        guard query.isFresh, case .events(let events, let end, isAtEnd: true) = numbered else { return numbered }
        // Only a reader that has come to the end needs events that have no number yet.
        try numberEvents()
        var rest = query
        (rest.position, rest.limit) = (end, query.limit - events.count)
        guard case .events(let more, let last, let isAtEnd) = try scanNumbered(rest) else { return .gone }
        return .events(events + more, end: last, isAtEnd: isAtEnd)
    }

    private func scanNumbered(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        try using("read the feed") { session throws(SessionFailure) in
            let position = query.position
            // One snapshot: a reader gets a room's events, or learns that they were pruned.
            let replies = try session.run([
                Call(Statements.begin), FeedStatements.horizon, Call(FeedStatements.hash, position.number),
                FeedStatements.page(query), Call(Statements.commit),
            ])
            let horizon = try FeedHorizon(replies[1])
            if position != .beginning {
                let hash = replies[2].count == 1 ? try replies[2][0].hash(0).headHash : nil
                guard horizon?.admits(position, overPruned: query.overPruned) ?? (hash == position.hash) else { return .gone }
            }
            let (rows, pruning) = (replies[3], horizon?.pruning ?? 0)
            guard rows.count > 0 else { return .events([], end: position, isAtEnd: query.limit > 0) }
            let last = rows[rows.count - 1]
            let end = FeedPosition(number: try last.long(0), hash: try last.hash(6).headHash, pruning: pruning)
            var examined = rows.count
            var events: [FeedEvent] = []
            for index in 0..<rows.count {
                let row = rows[index]
                // The last one that was examined is there in any case, and without its bytes if it is of another type.
                if query.types != nil {
                    examined = try row.integer(7)
                    if row.isNull(5) { continue }
                }
                events.append(try FeedEvent(row, pruning: pruning))
            }
            return .events(events, end: end, isAtEnd: examined < query.limit)
        }
    }

    /// Gives numbers to events that have none: see `FeedSearchPlan`. Another node that does the same meanwhile is waited for.
    /// - Parameters:
    ///   - all: Whether all rooms are searched in any case.
    ///   - age: A search is enough that began so many nanoseconds ago.
    func numberEvents(ofAll all: Bool = false, asOf age: Int64 = 0) throws(EventLogError) {
        try using("number the events of the feed") { session throws(SessionFailure) in
            try notices.feedSearch.run(all: all, asOf: age, now: Session.monotonicNanoseconds) { rooms throws(SessionFailure) in
                let isBehind = try session.run([FeedStatements.isBehind(rooms)])[0][0].flag(0)
                let end = Session.monotonicNanoseconds()
                // The second statement sees what was committed until the first one had the lock.
                if isBehind { _ = try session.run([Call(FeedStatements.lock), FeedStatements.number(rooms)]) }
                return end
            }
        }
    }
}

extension FeedEvent {
    fileprivate init(_ row: Row, pruning: UInt64) throws(SessionFailure) {
        let event = StoredEvent(
            seq: try row.integer(2), at: try row.instant(3), type: row.text(4), publicBytes: row.bytes(5), privateBytes: nil,
            hash: try row.hash(6))
        self.init(room: try row.identifier(1), number: try row.long(0), event: event, pruning: pruning)
    }
}

extension FeedHorizon {
    /// Of the reply to `FeedStatements.horizon`; nil if nothing was pruned.
    init?(_ rows: Rows) throws(SessionFailure) {
        guard rows.count == 1 else { return nil }
        guard let horizon = FeedHorizon(content: rows[0].bytes(0)) else { throw rows[0].unreadable(0, "what was pruned") }
        self = horizon
    }
}

/// SQL for the feed.
enum FeedStatements {
    /// Most events in one row of `feed`, which bounds how far before a number the row that has it begins.
    private static let rowEvents = 256
    /// Rooms with events that have no number, …
    private static let behind = "room r LEFT JOIN feed_room f ON f.room = r.number WHERE r.seq > coalesce(f.seq, 0)"
    /// … among some rooms.
    private static let behindOfSome = behind + " AND r.id = ANY ($1::text[])"

    static let horizon = Call(
        Statement(name: "feed_horizon", sql: "SELECT content FROM record WHERE kind = $1 AND id = $2"), InternalRecords.feed,
        FeedHorizon.recordID)
    private static let isAnyBehind = Statement(name: "feed_behind", sql: "SELECT EXISTS (SELECT FROM \(behind))")
    private static let isSomeBehind = Statement(
        name: "feed_behind_some", sql: "SELECT EXISTS (SELECT FROM \(behindOfSome))")
    static let lock = Statement(name: "feed_lock", sql: "SELECT number FROM feed_end FOR UPDATE")
    private static let numberAll = Statement(name: "feed_number", sql: number(behind))
    private static let numberSome = Statement(name: "feed_number_some", sql: number(behindOfSome))

    /// Whether there are events without a number.
    /// - Parameter rooms: nil: of all rooms.
    static func isBehind(_ rooms: [RoomID]?) -> Call {
        guard let rooms else { return Call(isAnyBehind) }
        return Call(isSomeBehind) { $0.add(rooms.map(\.description)) }
    }

    /// Gives numbers to them, under the lock.
    static func number(_ rooms: [RoomID]?) -> Call {
        guard let rooms else { return Call(numberAll) }
        return Call(numberSome) { $0.add(rooms.map(\.description)) }
    }

    private static func number(_ behind: String) -> String {
        """
            WITH fresh AS MATERIALIZED (
                SELECT r.number AS room, coalesce(f.seq, 0) AS known, r.seq AS seq FROM \(behind)
            ),
            runs AS MATERIALIZED (
                SELECT room, first AS seq, least(\(rowEvents), fresh.seq - first + 1) AS count
                FROM fresh, generate_series(known + 1, fresh.seq, \(rowEvents)) AS first
            ),
            placed AS (
                INSERT INTO feed (number, room, seq, count)
                SELECT e.number + 1 + sum(count) OVER (ORDER BY room, seq) - count, room, seq, count FROM runs, feed_end e
            ),
            known AS (
                INSERT INTO feed_room (room, seq) SELECT room, seq FROM fresh
                ON CONFLICT (room) DO UPDATE SET seq = excluded.seq
            )
            UPDATE feed_end SET number = number + (SELECT sum(count) FROM runs) WHERE EXISTS (SELECT FROM runs)
        """
    }

    static let hash = Statement(
        name: "feed_hash",
        sql: """
            SELECT e.hash FROM (SELECT * FROM feed WHERE number <= $1::bigint ORDER BY number DESC LIMIT 1) f
                JOIN event e ON e.room = f.room AND e.seq = f.seq + ($1::bigint - f.number)
            WHERE $1::bigint < f.number + f.count
            """)
    static let end = Statement(
        name: "feed_end",
        sql: """
            SELECT n.number, e.hash FROM feed_end n CROSS JOIN LATERAL (SELECT * FROM feed ORDER BY number DESC LIMIT 1) f
                JOIN event e ON e.room = f.room AND e.seq = f.seq + f.count - 1
            """)
    private static let pageOfAll = Statement(name: "feed_page", sql: page("e.public"))
    /// With the last event that was examined, and the number of those that were.
    private static let pageOfTypes = Statement(
        name: "feed_page_of_types",
        sql: """
            WITH page AS MATERIALIZED (\(page("CASE WHEN e.type = ANY ($3::text[]) THEN e.public END")))
            SELECT *, (SELECT count(*) FROM page) FROM page
            WHERE public IS NOT NULL OR number = (SELECT max(number) FROM page) ORDER BY number
            """)

    /// The events that follow a position.
    static func page(_ query: FeedQuery) -> Call {
        guard let types = query.types else { return Call(pageOfAll, query.position.number, query.limit) }
        return Call(pageOfTypes) { parameters in
            query.position.number.add(to: &parameters)
            query.limit.add(to: &parameters)
            parameters.add(types.sorted())
        }
    }

    /// Each table by its index, in this order, whatever the planner knows of them (`LATERAL`, and `OFFSET 0`, which it does not reorder): a plan
    /// that was made while they were small would read all events of a room once they are large. Each row of `feed` has one of the events.
    private static func page(_ bytes: String) -> String {
        """
        SELECT f.number + e.seq - f.seq AS number, f.id, e.seq, e.at, e.type, \(bytes) AS public, e.hash
        FROM (
            SELECT f.*, r.id FROM feed f JOIN LATERAL (SELECT id FROM room WHERE number = f.room OFFSET 0) r ON true
            WHERE f.number > $1::bigint - \(rowEvents) AND f.number + f.count > $1::bigint + 1
            ORDER BY f.number LIMIT $2::bigint
        ) f JOIN LATERAL (
            SELECT * FROM event e WHERE e.room = f.room
                AND e.seq BETWEEN f.seq + greatest($1::bigint + 1 - f.number, 0) AND f.seq + f.count - 1
            ORDER BY e.seq OFFSET 0
        ) e ON true
        ORDER BY f.number, e.seq LIMIT $2::bigint
        """
    }
}
