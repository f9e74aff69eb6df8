import AuctionDomain
import EventLog

/// The statement that appends the chains of one round; each chain succeeds or fails independently.
///
/// Existing rooms are locked in order of identifier, skipping those locked by another node; new rooms are inserted unless another
/// node has created them. A room is updated only if its seq and hash (column "tip") match the expected head,
/// and only then are the chain's events and responses written. The result has one row per chain: whether it was appended, why it
/// was deferred, the actual head, the positions of its responses, and the server's clock.
enum AppendStatement {
    /// The call for one round. With `validatesTime`, chains are deferred by the rules of `LogTime`.
    static func call(_ chains: [AppendPlan.Chain], validatesTime: Bool) -> Call {
        let writesUsers = chains.contains { !$0.users.isEmpty }
        let movesWins = writesUsers && chains.contains { !$0.users.transfers.isEmpty }
        let users: UsersPart = movesWins ? .movedToo : writesUsers ? .written : .none
        return Call(statement(validatesTime: validatesTime, users)) { parameters in
            parameters.addChains(chains)
            parameters.addProfiles(chains)
            parameters.addEvents(chains)
            parameters.addResponses(chains)
            if writesUsers { parameters.addUsers(chains) }
            if movesWins { parameters.addTransfers(chains) }
        }
    }

    /// What the statement writes to the index by user.
    private enum UsersPart {
        case none
        case written
        case movedToo
    }

    /// The result of one chain.
    struct Outcome {
        /// Whether the chain was appended.
        let isAppended: Bool
        let deferral: AppendVerdict.Deferral?
        /// The room's actual head if the chain was not appended.
        let found: RoomHead
        /// Positions of the chain's responses, in order.
        let positions: [Int64]
        /// The server's clock at the end of the statement.
        let clock: Timestamp
    }

    /// Decodes the results, in the order of the chains.
    static func outcomes(_ rows: Rows) throws(SessionFailure) -> [Outcome] {
        try rows.map { row throws(SessionFailure) in
            let deferral: AppendVerdict.Deferral? =
                switch try row.long(1) {
                case 1: .locked
                case 2: .stamp
                case 3: .early
                case 4: .outage
                default: nil
                }
            return Outcome(
                isAppended: try row.flag(0), deferral: deferral,
                found: RoomHead(seq: try row.integer(2), headHash: try row.bits(3)), positions: try row.longs(4),
                clock: try row.instant(5))
        }
    }

    /// Most appends change nothing in the index by user, and hardly any moves sales, so the statements that do are others.
    private static func statement(validatesTime: Bool, _ users: UsersPart) -> Statement {
        switch (validatesTime, users) {
        case (true, .none): validating
        case (true, .written): validatingUsers
        case (true, .movedToo): validatingMoves
        case (false, .none): plain
        case (false, .written): plainUsers
        case (false, .movedToo): plainMoves
        }
    }

    private static let validating = Statement(name: "append", sql: sql(validatesTime: true, ""))
    private static let validatingUsers = Statement(name: "append_users", sql: sql(validatesTime: true, UserStatements.written))
    private static let validatingMoves = Statement(
        name: "append_moves", sql: sql(validatesTime: true, UserStatements.written + UserStatements.moved))
    private static let plain = Statement(name: "append_any_time", sql: sql(validatesTime: false, ""))
    private static let plainUsers = Statement(
        name: "append_users_any_time", sql: sql(validatesTime: false, UserStatements.written))
    private static let plainMoves = Statement(
        name: "append_moves_any_time", sql: sql(validatesTime: false, UserStatements.written + UserStatements.moved))

    /// All parts of WITH see the same snapshot and not each other's changes, so later parts depend only on the rows returned in `won`.
    private static func sql(validatesTime: Bool, _ users: String) -> String {
        "WITH \(judged(validatesTime: validatesTime)), \(rooms), \(contents) \(users) \(outcome)"
    }

    /// The chains. Values of `deferral`: 0 none, 1 locked, 2 timestamp, 3 early, 4 outage.
    private static func judged(validatesTime: Bool) -> String {
        """
        asked AS MATERIALIZED (
            SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
                $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bool[], $13::bool[], $14::bigint[], $15::bigint[],
                $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::bigint[], $23::text[])
            WITH ORDINALITY AS a(id, kind, seq, tip, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived,
                first_at, last_at, not_before, name, host, host_nickname, currency, visibility, opened_at, item_name, i)
        ),
        clock AS MATERIALIZED (SELECT \(Statements.clock) AS now),
        judged AS MATERIALIZED (SELECT a.*, \(validatesTime ? deferralRule : "0") AS deferral FROM asked a, clock)
        """
    }

    /// Locks, updates and creates rooms. `won` has those whose chain is appended.
    private static let rooms = """
        locked AS MATERIALIZED (
            SELECT number, id, seq, tip FROM room
            WHERE id = ANY (ARRAY(SELECT id FROM judged WHERE kind = 1 AND deferral = 0))
            ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
        ),
        advanced AS (
            UPDATE room r SET seq = j.new_seq, tip = j.new_tip, state = j.state, round = j.round, ends_at = j.ends_at,
                due_at = j.due_at, price = j.price, is_open = j.is_open, archived = j.archived,
                users_seq = CASE WHEN r.users_seq = j.seq THEN j.new_seq ELSE r.users_seq END,
                name = coalesce(j.name, r.name), host = coalesce(j.host, r.host),
                host_nickname = coalesce(j.host_nickname, r.host_nickname), currency = coalesce(j.currency, r.currency),
                visibility = coalesce(j.visibility, r.visibility), opened_at = coalesce(j.opened_at, r.opened_at),
                item_name = CASE WHEN j.name IS NULL THEN r.item_name ELSE j.item_name END
            FROM locked l JOIN judged j ON j.id = l.id AND j.kind = 1
            WHERE r.number = l.number AND l.seq = j.seq AND l.tip = j.tip AND r.seq = j.seq AND r.tip = j.tip
            RETURNING r.number, j.i
        ),
        created AS (
            INSERT INTO room (id, seq, tip, state, round, ends_at, due_at, price, is_open, archived, name, host, host_nickname,
                currency, visibility, opened_at, item_name, users_seq)
            SELECT id, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived, name, host, host_nickname,
                currency, visibility, opened_at, item_name, new_seq
            FROM judged WHERE kind = 2 AND deferral = 0 ORDER BY id
            ON CONFLICT (id) DO NOTHING RETURNING number, id
        ),
        won AS MATERIALIZED (
            SELECT number, i FROM advanced
            UNION ALL SELECT c.number, j.i FROM created c JOIN judged j ON j.id = c.id
        )
        """

    /// Inserts the events and responses of the chains that are appended.
    private static let contents = """
        written AS (
            INSERT INTO event (room, seq, at, hash, type, public, private)
            SELECT w.number, e.seq, e.at, e.hash, e.type, e.public, e.private
            FROM unnest($24::bigint[], $25::bigint[], $26::bigint[], $27::bytea[], $28::text[], $29::bytea[], $30::bytea[])
                AS e(i, seq, at, hash, type, public, private) JOIN won w ON w.i = e.i
        ),
        kept AS (
            INSERT INTO answer (room, fingerprint, at, status, key, headers, body, owner)
            SELECT w.number, a.fingerprint, a.at, a.status, a.key, a.headers, a.body, a.owner
            FROM unnest($31::bigint[], $32::bigint[], $33::bigint[], $34::bigint[], $35::bytea[], $36::bytea[], $37::bytea[],
                $38::bigint[]) WITH ORDINALITY AS a(i, fingerprint, at, status, key, headers, body, owner, n) JOIN won w ON w.i = a.i
            ORDER BY a.n RETURNING room, position
        ),
        given AS (SELECT room, array_agg(position ORDER BY position) AS positions FROM kept GROUP BY room)
        """

    /// One row per chain, see `outcomes`.
    private static let outcome = """
        SELECT CASE WHEN j.kind = 0 THEN coalesce(s.seq, 0) = j.seq AND coalesce(s.tip, 0) = j.tip
                ELSE w.i IS NOT NULL END,
            CASE WHEN j.deferral = 0 AND j.kind = 1 AND l.id IS NULL AND s.id IS NOT NULL THEN 1 ELSE j.deferral END,
            coalesce(l.seq, s.seq, 0), coalesce(l.tip, s.tip, 0), g.positions, \(Statements.clock)
        FROM judged j LEFT JOIN won w ON w.i = j.i LEFT JOIN locked l ON l.id = j.id LEFT JOIN room s ON s.id = j.id
        LEFT JOIN given g ON g.room = w.number ORDER BY j.i
        """

    /// SQL form of `LogTime.deferral`, by the server's clock.
    private static let deferralRule = """
        CASE WHEN a.last_at > now + \(LogTime.maximumAheadMilliseconds) OR a.first_at < now - \(LogTime.maximumAgeMilliseconds) THEN 2
            WHEN a.not_before > now THEN 3
            WHEN a.not_before IS NOT NULL AND (
                EXISTS (SELECT FROM outage o WHERE o.settled_at IS NULL AND o.since <= a.not_before)
                OR (SELECT last_seen FROM liveness) < now - \(Outage.minimumMilliseconds)) THEN 4
            ELSE 0 END
        """
}

extension Parameters {
    fileprivate mutating func addChains(_ chains: [AppendPlan.Chain]) {
        add(chains.map(\.room.description))
        add(chains.map(\.kind.rawValue))
        add(chains.map { Int64($0.expected.seq) })
        add(chains.map { Int64(bitPattern: $0.expected.headHash) })
        add(chains.map { Int64($0.head.seq) })
        add(chains.map { Int64(bitPattern: $0.head.headHash) })
        add(chains.map { $0.status?.state ?? "" })
        add(chains.map { Int64($0.status?.round ?? 0) })
        add(chains.map { $0.status?.endsAt?.milliseconds })
        add(chains.map { $0.dueAt?.milliseconds })
        add(chains.map { $0.status?.currentPrice })
        add(chains.map { $0.status?.isOpen ?? false })
        add(chains.map { $0.status?.isArchived ?? false })
        add(chains.map { $0.events.first?.at.milliseconds })
        add(chains.map { $0.events.last?.at.milliseconds })
        add(chains.map { $0.notBefore?.milliseconds })
    }

    fileprivate mutating func addProfiles(_ chains: [AppendPlan.Chain]) {
        add(chains.map { $0.profile?.name })
        add(chains.map { $0.profile?.host.id.description })
        add(chains.map { $0.profile?.host.nickname })
        add(chains.map { $0.profile?.currency })
        add(chains.map { $0.profile?.visibility })
        add(chains.map { $0.profile?.openedAt.milliseconds })
        add(chains.map { $0.profile?.itemName })
    }

    fileprivate mutating func addEvents(_ chains: [AppendPlan.Chain]) {
        let events = chains.flatMap(\.events)
        add(chains.enumerated().flatMap { index, chain in chain.events.map { _ in Int64(index + 1) } })
        add(events.map { Int64($0.seq) })
        add(events.map(\.at.milliseconds))
        add(events.map { $0.hash.bytes as [UInt8]? })
        add(events.map(\.type))
        add(events.map { $0.publicBytes as [UInt8]? })
        add(events.map(\.privateBytes))
    }

    fileprivate mutating func addResponses(_ chains: [AppendPlan.Chain]) {
        let responses = chains.flatMap(\.responses)
        add(chains.enumerated().flatMap { index, chain in chain.responses.map { _ in Int64(index + 1) } })
        add(responses.map { Int64(bitPattern: $0.fingerprint) })
        add(responses.map(\.at.milliseconds))
        add(responses.map { Int64($0.status) })
        add(responses.map { $0.key.bytes as [UInt8]? })
        add(responses.map { StoredHeaders.encode($0.headers) as [UInt8]? })
        add(responses.map { $0.body as [UInt8]? })
        add(responses.map { Int64(bitPattern: $0.owner.bits) })
    }
}
