import AuctionDomain
import EventLog

/// SQL for the index by user.
enum UserStatements {
    /// The parts of the append statement that write the index. `won` has one row per appended chain, with its place `i` in the batch.
    static let written = """
        changed AS MATERIALIZED (
            SELECT w.number, p.user_id, p.role, p.bid_round
            FROM unnest($44::bigint[], $45::text[], $46::text[], $47::bigint[]) AS p(i, user_id, role, bid_round)
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
        ended AS (
            INSERT INTO archived_room (room) SELECT number FROM won WHERE i = ANY ($48::bigint[]) ON CONFLICT DO NOTHING
        ),
        sold AS (
            INSERT INTO win (user_id, at, room, round, price, item, item_name)
            SELECT s.user_id, s.at, w.number, s.round, s.price, s.item, s.item_name
            FROM unnest($49::bigint[], $50::text[], $51::bigint[], $52::bigint[], $53::bigint[], $54::text[], $55::text[])
                AS s(i, user_id, at, round, price, item, item_name) JOIN won w ON w.i = s.i
            ON CONFLICT DO NOTHING
        )
        """

    /// The further parts of an append statement that move sales, and remove those of some rounds. They see those from before the append
    /// only. No row is in both parts: a statement cannot change a row twice.
    static let moved = """
        moved AS (
            UPDATE win s SET user_id = t.new_user
            FROM unnest($56::bigint[], $57::text[], $58::text[]) AS t(i, old_user, new_user) JOIN won w ON w.i = t.i
            WHERE s.room = w.number AND s.user_id = t.old_user AND NOT EXISTS (
                SELECT FROM unnest($59::bigint[], $60::bigint[]) AS r(i, round) WHERE r.i = t.i AND r.round = s.round)
        ),
        removed AS (
            DELETE FROM win s USING unnest($59::bigint[], $60::bigint[]) AS r(i, round) JOIN won w ON w.i = r.i
            WHERE s.room = w.number AND s.round = r.round
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
    /// Writes rows of a room that differ, without deleting any and without marking the room as indexed.
    ///
    /// Like an append, this and `index` lock the room before its rows, and skip a room that is locked: no deadlock is possible, and
    /// appends never wait for a client. Nothing is written if the room has been appended to since it was replayed.
    static let prefill = Statement(name: "prefill_users", sql: "WITH \(unindexed), \(upserted) SELECT count(*) FROM unindexed")
    /// Adds and removes a room's rows so that they are those of the parameters, and marks the room as indexed. The price of a sale that is
    /// there is not corrected. The rows of an archived room are deleted later.
    static let index = Statement(
        name: "index_users",
        sql: """
            WITH \(unindexed), \(upserted),
            departed AS (
                DELETE FROM participation p USING unindexed u
                WHERE p.room = u.number AND NOT $6::bool AND p.user_id IN (
                    SELECT q.user_id FROM participation q WHERE q.room = u.number EXCEPT SELECT * FROM unnest($3::text[]))
            ),
            ended AS (
                INSERT INTO archived_room (room) SELECT number FROM unindexed WHERE $6::bool ON CONFLICT DO NOTHING
            ),
            resold AS (
                DELETE FROM win w USING unindexed u WHERE w.room = u.number AND NOT EXISTS (
                    SELECT FROM unnest($7::text[], $8::bigint[], $9::bigint[]) AS s(user_id, at, round)
                    WHERE (s.user_id, s.at, s.round) = (w.user_id, w.at, w.round))
            ),
            sold AS (
                INSERT INTO win (room, user_id, at, round, price, item, item_name)
                SELECT u.number, s.user_id, s.at, s.round, s.price, s.item, s.item_name
                FROM unindexed u, unnest($7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::text[])
                    AS s(user_id, at, round, price, item, item_name)
                ON CONFLICT DO NOTHING
            )
            UPDATE room r SET users_seq = r.seq FROM unindexed u WHERE r.number = u.number
            """)

    private static let unindexed = """
        unindexed AS MATERIALIZED (
            SELECT number FROM room WHERE id = $1 AND seq = $2 AND users_seq <> seq FOR NO KEY UPDATE SKIP LOCKED
        )
        """
    /// EXCEPT compares by sorting or hashing, so a room of many members costs no more than reading its rows.
    private static let upserted = """
        upserted AS (
            INSERT INTO participation (room, user_id, role, bid_round)
            SELECT u.number, d.user_id, d.role, d.bid_round FROM unindexed u, LATERAL (
                SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[]) AS p(user_id, role, bid_round)
                EXCEPT SELECT user_id, role, bid_round FROM participation WHERE room = u.number) AS d
            ON CONFLICT (user_id, room) DO UPDATE SET role = excluded.role, bid_round = excluded.bid_round
        )
        """

    // MARK: - Archived rooms

    /// Deletes rows of an archived room, at most `$1`, and forgets the room after its last one.
    static let deleteArchived = Statement(
        name: "delete_archived_users",
        sql: """
            WITH next AS MATERIALIZED (SELECT room FROM archived_room ORDER BY room LIMIT 1),
            part AS MATERIALIZED (
                SELECT p.user_id, p.room FROM next n JOIN participation p ON p.room = n.room LIMIT $1
            ),
            gone AS (DELETE FROM participation p USING part WHERE p.user_id = part.user_id AND p.room = part.room)
            DELETE FROM archived_room a USING next n WHERE a.room = n.room AND (SELECT count(*) FROM part) < $1
            """)

    // MARK: - Reading

    /// Reads at most `UserRoomQuery.scanLimit` rows of `participation`, and for `linkable` all sales to the user. The last two columns:
    /// the position of the last row that was read, and whether that many were; one row with NULL as the room's id stands for no room.
    static func list(_ selection: UserRoomQuery.Selection) -> Statement {
        switch selection {
        case .memberships: list("rooms_of_user", newest, where: "NOT r.archived AND mine.role IS NOT NULL")
        case .standingBids: list("rooms_with_bids", newest, where: "NOT r.archived AND \(standing)")
        case .linkable: list("rooms_to_link", linkable, where: "(NOT r.archived OR mine.is_buyer)")
        }
    }

    private static let newest = """
        SELECT room, role, bid_round, false AS is_buyer FROM participation
        WHERE user_id = $1 AND room < $2 ORDER BY room DESC LIMIT \(UserRoomQuery.scanLimit)
        """

    private static let linkable = """
        SELECT room, max(role) AS role, max(bid_round) AS bid_round, bool_or(is_buyer) AS is_buyer FROM (
            (\(newest)) UNION ALL SELECT room, NULL, NULL, true FROM win WHERE user_id = $1 AND room < $2) AS traces
        GROUP BY room ORDER BY room DESC LIMIT \(UserRoomQuery.scanLimit)
        """

    private static func list(_ name: String, _ mine: String, where condition: String) -> Statement {
        Statement(
            name: name,
            sql: """
                WITH mine AS MATERIALIZED (\(mine))
                SELECT r.id, r.number, r.seq, r.tip, r.state, r.round, r.ends_at, r.price, r.archived, r.is_open, r.name, r.host,
                    r.host_nickname, r.currency, r.visibility, r.opened_at, r.item_name, r.premium, r.offer_name,
                    r.offer_picture, r.offer_price, r.starts_at, mine.role, last.room
                FROM (SELECT CASE WHEN count(*) = \(UserRoomQuery.scanLimit) THEN min(room) END AS room FROM mine) last
                LEFT JOIN (mine JOIN room r ON r.number = mine.room AND \(condition)) ON true
                ORDER BY r.number DESC LIMIT $3
                """)
    }

    private static let standing = "mine.bid_round = r.round AND r.state <> '\(RoomState.closed.rawValue)'"

    static let roomCount = Statement(
        name: "rooms_of_user_count",
        sql: """
            SELECT count(*) FROM participation p JOIN room r ON r.number = p.room
            WHERE p.user_id = $1 AND p.role IS NOT NULL AND NOT r.archived
            """)
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
        add(placesOf: chains) { $0.users.participations.count }
        add(participations.map(\.user.description))
        add(participations.map(\.role))
        add(participations.map { $0.bidRound.map { Int64($0) } })
        add(placesOf: chains) { $0.users.archives ? 1 : 0 }
        add(placesOf: chains) { $0.users.wins.count }
        add(wins: chains.flatMap(\.users.wins))
    }

    /// The parameters of `UserStatements.moved`.
    mutating func addTransfers(_ chains: [AppendPlan.Chain]) {
        let transfers = chains.flatMap(\.users.transfers)
        add(placesOf: chains) { $0.users.transfers.count }
        add(transfers.map(\.from.description))
        add(transfers.map(\.to.description))
        add(placesOf: chains) { $0.users.rewritten.count }
        add(chains.flatMap { $0.users.rewritten.sorted().map { Int64($0) } })
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
