import AuctionDomain
package import EventLog

// The order of all rooms. Nodes commit at the same time, so no number that an append takes says which event is visible first. Events
// get their numbers after the commit, from whichever node's reader comes next: decision "The feed's numbers are given after the commit".
extension PostgresEventLog {
    /// See `EventFeed.feedID`.
    package func feedID() throws(EventLogError) -> UInt64 {
        try feedID(orCreate: UInt64.random(in: .min ... .max))
    }

    /// See `EventFeed.feedEnd`.
    package func feedEnd() throws(EventLogError) -> FeedPosition {
        try numberEvents()
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

    /// See `EventFeed.feed(after:limit:overPruned:)`. The join with rooms leaves out what pruned ones have left.
    package func feed(after position: FeedPosition, limit: Int, overPruned: Bool) throws(EventLogError) -> FeedPage {
        let page = try storedFeed(after: position, limit: limit, overPruned: overPruned)
        guard case .events(let events) = page, events.count < limit else { return page }
        // Only a reader that has come to the end needs events that have no number yet.
        try numberEvents()
        return try storedFeed(after: position, limit: limit, overPruned: overPruned)
    }

    private func storedFeed(after position: FeedPosition, limit: Int, overPruned: Bool) throws(EventLogError) -> FeedPage {
        try using("read the feed") { session throws(SessionFailure) in
            // One snapshot: a reader gets a room's events, or learns that they were pruned.
            let replies = try session.run([
                Call(Statements.begin), FeedStatements.horizon, Call(FeedStatements.hash, position.number),
                Call(FeedStatements.page, position.number, max(limit, 0)), Call(Statements.commit),
            ])
            let horizon = try FeedHorizon(replies[1])
            if position != .beginning {
                let hash = replies[2].count == 1 ? try replies[2][0].hash(0).headHash : nil
                guard horizon?.admits(position, overPruned: overPruned) ?? (hash == position.hash) else { return .gone }
            }
            let pruning = horizon?.pruning ?? 0
            return .events(try replies[3].map { row throws(SessionFailure) in try FeedEvent(row, pruning: pruning) })
        }
    }

    /// Gives numbers to events that have none: see `FeedSearchPlan`. Another node that does the same meanwhile is waited for.
    /// - Parameter all: Whether all rooms are searched in any case.
    func numberEvents(ofAll all: Bool = false) throws(EventLogError) {
        try using("number the events of the feed") { session throws(SessionFailure) in
            try notices.feedSearch.run(all: all, now: Session.monotonicNanoseconds) { rooms throws(SessionFailure) in
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
    static let page = Statement(
        name: "feed_page",
        sql: """
            SELECT f.number + e.seq - f.seq, r.id, e.seq, e.at, e.type, e.public, e.hash
            FROM feed f JOIN room r ON r.number = f.room JOIN event e ON e.room = f.room
                AND e.seq BETWEEN f.seq + greatest($1::bigint + 1 - f.number, 0) AND f.seq + f.count - 1
            WHERE f.number > $1::bigint - \(rowEvents) AND f.number + f.count > $1::bigint + 1
            ORDER BY f.number, e.seq LIMIT $2::bigint
            """)
}
