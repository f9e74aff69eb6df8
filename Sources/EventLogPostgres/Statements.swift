internal import AuctionDomain

/// SQL statements for rooms, responses and the server itself. Placeholders are cast where PostgreSQL cannot infer their type.
enum Statements {
    // MARK: - The server

    /// Reads the catalog directly, because `to_regclass` may use a cache from before a concurrent migration for which this one waited.
    static let tableExists = Statement(
        name: "table_exists",
        sql: """
            SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relname = $1::text AND n.nspname = ANY (current_schemas(false)))
            """)
    static let schemaVersion = Statement(name: "schema_version", sql: "SELECT version FROM auction_log")
    static let settings = Statement(
        name: "settings",
        sql: """
            SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding'),
                current_setting('server_version_num')
            """)
    /// Pins `synchronous_commit` for the session, so that a configuration reload does not change it.
    static let pinSynchronousCommit = Statement(
        name: "", sql: "SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false)")
    /// Makes the commit of this transaction asynchronous, for writes that a crash may lose.
    static let asynchronousCommit = Statement(name: "relaxed", sql: "SELECT set_config('synchronous_commit', 'off', true)")
    static let begin = Statement(name: "begin", sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = Statement(name: "commit", sql: "COMMIT")
    /// Whether the server accepts writes, and its clock.
    static let probe = Statement(
        name: "probe",
        sql: "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off', \(clock)")

    /// SQL expression of the server's clock, in milliseconds since 1970.
    static let clock = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    // MARK: - One room

    static let room = Statement(name: "room", sql: "SELECT seq, tip FROM room WHERE id = $1")
    static let snapshot = Statement(
        name: "snapshot",
        sql: """
            SELECT s.seq, s.bytes, e.hash FROM room r JOIN snapshot s ON s.room = r.number
            LEFT JOIN event e ON e.room = r.number AND e.seq = s.seq WHERE r.id = $1
            """)
    static let eventsSinceSnapshot = Statement(
        name: "events_since_snapshot",
        sql: """
            SELECT \(events) FROM event
            WHERE room = (SELECT number FROM room WHERE id = $1) AND seq > coalesce(
                (SELECT s.seq FROM room r JOIN snapshot s ON s.room = r.number WHERE r.id = $1), 0)
            ORDER BY seq
            """)
    /// A room's newest keys before a position. Compares and sorts by the room too, so that only `answer_of_room` has the order: with
    /// `room = …` the planner may choose the primary key, and read the responses of all rooms to find those of a quiet one.
    static let responsesBefore = Statement(
        name: "answers_before",
        sql: """
            SELECT \(keys) FROM answer
            WHERE (room, position) < ((SELECT number FROM room WHERE id = $1), $2::bigint)
                AND room >= (SELECT number FROM room WHERE id = $1)
            ORDER BY room DESC, position DESC LIMIT $3
            """)
    static let eventsAfter = Statement(
        name: "events_after",
        sql: """
            SELECT \(events) FROM event
            WHERE room = (SELECT number FROM room WHERE id = $1) AND seq > $2 ORDER BY seq LIMIT $3
            """)
    /// Events up to a count and a total size. Of the events beyond the size only the sizes are read, not the contents.
    static let eventPage = Statement(
        name: "event_page",
        sql: """
            SELECT \(events) FROM (
                SELECT \(events), sum(octet_length(public) + coalesce(octet_length(private), 0)) OVER (ORDER BY seq) AS bytes
                FROM event WHERE room = (SELECT number FROM room WHERE id = $1) AND seq > $2 ORDER BY seq LIMIT $3) AS page
            WHERE bytes <= $4 OR seq = $2 + 1 ORDER BY seq
            """)
    static let responsesAfter = Statement(
        name: "answers_after",
        sql: """
            SELECT \(keys) FROM answer
            WHERE room = (SELECT number FROM room WHERE id = $1) AND position > $2 ORDER BY position
            """)
    static let hashAt = Statement(
        name: "tip_at",
        sql: "SELECT hash FROM event WHERE room = (SELECT number FROM room WHERE id = $1) AND seq = $2")
    static let response = Statement(
        name: "answer", sql: "SELECT key, fingerprint, at, status, headers, body, owner FROM answer WHERE position = $1")

    static let events = "seq, at, type, public, private, hash"
    private static let keys = "position, key, fingerprint, at, owner"

    // MARK: - Many rooms

    static let openRooms = Statement(name: "open_rooms", sql: "SELECT id FROM room WHERE is_open")
    static let heads = Statement(
        name: "heads",
        sql: """
            SELECT coalesce(r.seq, 0), coalesce(r.tip, 0) FROM unnest($1::text[]) WITH ORDINALITY AS a(id, i)
            LEFT JOIN room r ON r.id = a.id ORDER BY a.i
            """)
    static let pastDeadline = Statement(
        name: "past_deadline",
        // The subquery evaluates the clock once instead of per row: with 10,000 open rooms 0.9 ms instead of 2.9 ms.
        sql: "SELECT id FROM room WHERE is_open AND due_at <= (SELECT \(clock)) - $1::bigint ORDER BY due_at, id LIMIT $2")
    static let roomCount = Statement(name: "room_count", sql: "SELECT count(*) FROM room WHERE host = $1 AND NOT archived")
    static let allRooms = Statement(
        name: "all_rooms",
        sql:
            "SELECT r.id, r.number, r.seq, r.tip, s.seq FROM room r LEFT JOIN snapshot s ON s.room = r.number ORDER BY r.number"
    )

    /// Each variant for users has a partial index that contains only matching rows, so that the cost is proportional to the page.
    static func list(_ rooms: ListedRooms, hasState: Bool) -> Statement {
        Statement(
            name: "list_\(rooms.name)_\(hasState ? "state" : "all")",
            sql: """
                SELECT id, number, seq, tip, state, round, ends_at, price, archived, is_open, name, host, host_nickname,
                    currency, visibility, opened_at, item_name, premium, offer_name, offer_picture, offer_price, starts_at
                FROM room WHERE NOT archived AND number < $1 AND \(rooms.condition)
                \(hasState ? "AND state = \(rooms.host == nil ? "$3" : "$4")" : "")
                ORDER BY number DESC LIMIT $2
                """)
    }

    // MARK: - Snapshots and stored responses

    static let saveSnapshot = Statement(
        name: "save_snapshot",
        sql: """
            INSERT INTO snapshot AS s (room, seq, bytes) SELECT number, $2, $3 FROM room WHERE id = $1 AND seq >= $2
            ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes WHERE excluded.seq >= s.seq
            """)
    /// Reads only the oldest positions, so that the cost is proportional to the number deleted.
    static let deleteResponses = Statement(
        name: "delete_answers",
        sql: """
            WITH old AS (SELECT position, at FROM answer ORDER BY position LIMIT $2),
                gone AS (DELETE FROM answer WHERE position IN (SELECT position FROM old WHERE at < $1) RETURNING 1)
            SELECT count(*) FROM gone
            """)
    /// `octet_length` of a value that is stored apart does not read it.
    static let discardResponses = Statement(
        name: "discard_answers",
        sql: """
            DELETE FROM answer WHERE position IN (
                SELECT position FROM answer WHERE position = ANY ($1::bigint[]) AND octet_length(body) > $2::bigint
                FOR UPDATE SKIP LOCKED)
            """)
}

/// Which rooms a list has.
enum ListedRooms {
    case `public`
    case privateOf(UserID)
    /// For the operator, as the next one.
    case all
    case of(UserID)

    var host: UserID? {
        switch self {
        case .public, .all: nil
        case .privateOf(let host), .of(let host): host
        }
    }

    /// Part of the statement's name.
    fileprivate var name: String {
        switch self {
        case .public: "public"
        case .privateOf: "own"
        case .all: "complete"
        case .of: "host"
        }
    }

    /// The host is the third parameter.
    fileprivate var condition: String {
        switch self {
        case .public: "visibility = 'public'"
        case .privateOf: "host = $3 AND visibility <> 'public'"
        case .all: "TRUE"
        case .of: "host = $3"
        }
    }
}
