import AuctionDomain
import EventLog

/// SQL for the index by user.
enum UserStatements {
    /// The parts of the append statement that write the index. `won` has one row per appended chain, with its place `i` in the batch.
    static let written = """
        , changed AS MATERIALIZED (
            SELECT w.number, p.user_id, p.role, p.bid_round
            FROM unnest($39::bigint[], $40::text[], $41::text[], $42::bigint[]) AS p(i, user_id, role, bid_round)
            JOIN won w ON w.i = p.i
        ),
        joined AS (
            INSERT INTO participation (user_id, room, role, bid_round)
            SELECT user_id, number, role, bid_round FROM changed WHERE role IS NOT NULL OR bid_round IS NOT NULL
            ON CONFLICT (user_id, room) DO UPDATE SET role = excluded.role, bid_round = excluded.bid_round
        ),
        departed AS (
            DELETE FROM participation p USING changed c
            WHERE p.user_id = c.user_id AND p.room = c.number AND c.role IS NULL AND c.bid_round IS NULL
        ),
        cleared AS (
            DELETE FROM participation p USING won w WHERE p.room = w.number AND w.i = ANY ($43::bigint[])
        ),
        sold AS (
            INSERT INTO win (user_id, at, room, round, price, item, item_name)
            SELECT s.user_id, s.at, w.number, s.round, s.price, s.item, s.item_name
            FROM unnest($44::bigint[], $45::text[], $46::bigint[], $47::bigint[], $48::bigint[], $49::text[], $50::text[])
                AS s(i, user_id, at, round, price, item, item_name) JOIN won w ON w.i = s.i
            ON CONFLICT DO NOTHING
        )
        """

    // MARK: - Building the index of a room

    /// Rooms in a range of numbers that lag behind.
    static let lagging = Statement(
        name: "lagging",
        sql: """
            SELECT id, number, seq FROM room WHERE number > $1 AND number <= $2 AND users_seq <> seq ORDER BY number LIMIT $3
            """)
    static let lastRoom = Statement(name: "last_room", sql: "SELECT coalesce(max(number), 0) FROM room")
    static let progress = Statement(name: "index_progress", sql: "SELECT walked, last FROM user_index")
    static let recordProgress = Statement(
        name: "record_index_progress", sql: "UPDATE user_index SET walked = greatest(walked, $1)")
    /// Locks the room, so that no append runs between these statements; no row if it has been appended to since it was replayed.
    static let lockUnindexed = Statement(
        name: "lock_unindexed",
        sql: "SELECT number FROM room WHERE id = $1 AND seq = $2 AND users_seq <> seq FOR NO KEY UPDATE")
    static let clear = Statement(name: "clear_users", sql: "DELETE FROM participation WHERE room = $1")
    static let insertParticipations = Statement(
        name: "insert_participations",
        sql: """
            INSERT INTO participation (room, user_id, role, bid_round)
            SELECT $1, p.user_id, p.role, p.bid_round
            FROM unnest($2::text[], $3::text[], $4::bigint[]) AS p(user_id, role, bid_round)
            """)
    static let insertWins = Statement(
        name: "insert_wins",
        sql: """
            INSERT INTO win (room, user_id, at, round, price, item, item_name)
            SELECT $1, s.user_id, s.at, s.round, s.price, s.item, s.item_name
            FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
                AS s(user_id, at, round, price, item, item_name)
            ON CONFLICT DO NOTHING
            """)
    static let markIndexed = Statement(name: "mark_indexed", sql: "UPDATE room SET users_seq = seq WHERE number = $1")

    // MARK: - Reading

    /// Reads at most `UserRoomQuery.scanLimit` rows of the index. The last two columns: the position of the last row that was read, and
    /// whether that many were; one row with NULL as the room's id stands for no room.
    static func list(_ selection: UserRoomQuery.Selection) -> Statement {
        let isBids = selection == .standingBids
        let column = isBids ? "bid_round" : "role"
        return Statement(
            name: isBids ? "rooms_with_bids" : "rooms_of_user",
            sql: """
                WITH mine AS MATERIALIZED (
                    SELECT room, role, bid_round FROM participation
                    WHERE user_id = $1 AND room < $2 AND \(column) IS NOT NULL
                    ORDER BY room DESC LIMIT \(UserRoomQuery.scanLimit))
                SELECT r.id, r.number, r.seq, r.tip, r.state, r.round, r.ends_at, r.price, r.archived, r.is_open, r.name, r.host,
                    r.host_nickname, r.currency, r.visibility, r.opened_at, r.item_name, mine.role, last.room
                FROM (SELECT CASE WHEN count(*) = \(UserRoomQuery.scanLimit) THEN min(room) END AS room FROM mine) last
                LEFT JOIN (mine JOIN room r ON r.number = mine.room AND NOT r.archived AND \(isBids ? standing : visible)) ON true
                ORDER BY r.number DESC LIMIT $3
                """)
    }

    private static let standing = "mine.bid_round = r.round AND r.state <> '\(RoomState.closed.rawValue)'"
    /// A room that lags behind may have lost the member by an event of an older node: only public rooms may be shown nevertheless.
    private static let visible = "(r.visibility = 'public' OR r.users_seq = r.seq)"

    static let roomCount = Statement(
        name: "rooms_of_user_count", sql: "SELECT count(*) FROM participation WHERE user_id = $1 AND role IS NOT NULL")
    static let wins = Statement(
        name: "wins",
        sql: """
            SELECT w.at, w.room, w.round, w.price, w.item, w.item_name, r.id, r.name, r.currency
            FROM win w JOIN room r ON r.number = w.room
            WHERE w.user_id = $1 AND (w.at, w.room, w.round) < ($2, $3, $4)
            ORDER BY w.at DESC, w.room DESC, w.round DESC LIMIT $5
            """)

    /// Heads of a room and of its index, for `verify`.
    static let indexHead = Statement(name: "index_head", sql: "SELECT seq, users_seq FROM room WHERE id = $1")
    static let participationsOfRoom = Statement(
        name: "participations_of_room",
        sql: """
            SELECT user_id, role, bid_round FROM participation
            WHERE room = (SELECT number FROM room WHERE id = $1) ORDER BY user_id
            """)
    static let winsOfRoom = Statement(
        name: "wins_of_room",
        sql: """
            SELECT at, room, round, price, item, item_name, user_id FROM win
            WHERE room = (SELECT number FROM room WHERE id = $1) ORDER BY round
            """)
}

extension Parameters {
    /// The parameters of `UserStatements.written`.
    mutating func addUsers(_ chains: [AppendPlan.Chain]) {
        let participations = chains.flatMap(\.users.participations)
        add(chains.enumerated().flatMap { index, chain in chain.users.participations.map { _ in Int64(index + 1) } })
        add(participations.map(\.user.description))
        add(participations.map(\.role))
        add(participations.map { $0.bidRound.map { Int64($0) } })
        add(chains.enumerated().compactMap { index, chain in chain.users.archives ? Int64(index + 1) : nil } as [Int64])
        add(chains.enumerated().flatMap { index, chain in chain.users.wins.map { _ in Int64(index + 1) } })
        add(wins: chains.flatMap(\.users.wins))
    }

    /// Buyer, time, round, price, item and its name.
    mutating func add(wins: [Win]) {
        add(wins.map(\.winner.description))
        add(wins.map(\.at.milliseconds))
        add(wins.map { Int64($0.round) })
        add(wins.map(\.price))
        add(wins.map(\.item.description))
        add(wins.map(\.itemName))
    }
}
