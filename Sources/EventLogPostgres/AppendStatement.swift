import AuctionDomain
import EventLog

/// The one statement that appends: chains of any number of rooms, each judged by itself.
///
/// Rooms that are to advance are locked in one order, passing over those that another node holds; new rooms are inserted unless
/// another node was faster. Only what matches both `seq` and `tip` advances, and only its events and answers are written. Then
/// there is one row per chain: won or not, what deferred it, the head that was found, and the server's clock.
enum AppendStatement {
    static func call(_ chains: [AppendPlan.Chain], judgesTime: Bool) -> Call {
        Call(judgesTime ? judging : plain) { parameters in
            parameters.addChains(chains)
            parameters.addProfiles(chains)
            parameters.addEvents(chains)
            parameters.addAnswers(chains)
        }
    }

    /// What became of a chain.
    struct Outcome {
        let isWon: Bool
        let deferral: AppendVerdict.Deferral?
        let found: RoomHead
        let positions: [Int64]
        let clock: Timestamp
    }

    /// In the order of the chains.
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
                isWon: try row.flag(0), deferral: deferral,
                found: RoomHead(seq: try row.integer(2), tip: try row.bits(3)), positions: try row.longs(4),
                clock: try row.instant(5))
        }
    }

    private static let judging = Statement(name: "append", sql: sql(judgesTime: true))
    private static let plain = Statement(name: "append_any_time", sql: sql(judgesTime: false))

    /// `won` is complete before anything depends on it: statements in WITH see the same snapshot, not each other's rows.
    private static func sql(judgesTime: Bool) -> String {
        """
        WITH asked AS MATERIALIZED (
            SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
                $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bool[], $13::bool[], $14::bigint[], $15::bigint[],
                $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::bigint[], $23::text[])
            WITH ORDINALITY AS a(id, kind, seq, tip, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived,
                first_at, last_at, not_before, name, host, host_nickname, currency, visibility, opened_at, item_name, i)
        ),
        clock AS MATERIALIZED (SELECT \(Statements.clock) AS now),
        judged AS MATERIALIZED (SELECT a.*, \(judgesTime ? judgement : "0") AS deferral FROM asked a, clock),
        locked AS MATERIALIZED (
            SELECT number, id, seq, tip FROM room
            WHERE id = ANY (ARRAY(SELECT id FROM judged WHERE kind = 1 AND deferral = 0))
            ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
        ),
        advanced AS (
            UPDATE room r SET seq = j.new_seq, tip = j.new_tip, state = j.state, round = j.round, ends_at = j.ends_at,
                due_at = j.due_at, price = j.price, is_open = j.is_open, archived = j.archived,
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
                currency, visibility, opened_at, item_name)
            SELECT id, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived, name, host, host_nickname,
                currency, visibility, opened_at, item_name
            FROM judged WHERE kind = 2 AND deferral = 0 ORDER BY id
            ON CONFLICT (id) DO NOTHING RETURNING number, id
        ),
        won AS MATERIALIZED (
            SELECT number, i FROM advanced
            UNION ALL SELECT c.number, j.i FROM created c JOIN judged j ON j.id = c.id
        ),
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
        SELECT CASE WHEN j.kind = 0 THEN coalesce(s.seq, 0) = j.seq AND coalesce(s.tip, 0) = j.tip
                ELSE w.i IS NOT NULL END,
            CASE WHEN j.deferral = 0 AND j.kind = 1 AND l.id IS NULL AND s.id IS NOT NULL THEN 1 ELSE j.deferral END,
            coalesce(l.seq, s.seq, 0), coalesce(l.tip, s.tip, 0), g.positions, \(Statements.clock)
        FROM judged j LEFT JOIN won w ON w.i = j.i LEFT JOIN locked l ON l.id = j.id LEFT JOIN room s ON s.id = j.id
        LEFT JOIN given g ON g.room = w.number ORDER BY j.i
        """
    }

    /// The rules of `LogTime`, by the server's clock.
    private static let judgement = """
        CASE WHEN a.last_at > now + \(LogTime.aheadMilliseconds) OR a.first_at < now - \(LogTime.behindMilliseconds) THEN 2
            WHEN a.not_before > now THEN 3
            WHEN a.not_before IS NOT NULL AND (
                EXISTS (SELECT FROM outage o WHERE o.settled_at IS NULL AND o.since <= a.not_before)
                OR (SELECT last_seen FROM liveness) < now - \(Outage.leastMilliseconds)) THEN 4
            ELSE 0 END
        """
}

extension Parameters {
    fileprivate mutating func addChains(_ chains: [AppendPlan.Chain]) {
        add(chains.map(\.room.description))
        add(chains.map(\.kind.rawValue))
        add(chains.map { Int64($0.expected.seq) })
        add(chains.map { Int64(bitPattern: $0.expected.tip) })
        add(chains.map { Int64($0.head.seq) })
        add(chains.map { Int64(bitPattern: $0.head.tip) })
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

    fileprivate mutating func addAnswers(_ chains: [AppendPlan.Chain]) {
        let answers = chains.flatMap(\.answers)
        add(chains.enumerated().flatMap { index, chain in chain.answers.map { _ in Int64(index + 1) } })
        add(answers.map { Int64(bitPattern: $0.fingerprint) })
        add(answers.map(\.at.milliseconds))
        add(answers.map { Int64($0.status) })
        add(answers.map { $0.key.bytes as [UInt8]? })
        add(answers.map { StoredHeaders.encode($0.headers) as [UInt8]? })
        add(answers.map { $0.body as [UInt8]? })
        add(answers.map { Int64(bitPattern: $0.owner.bits) })
    }
}
