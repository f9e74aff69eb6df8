import EventLog

extension AppendStatement {
    /// In the result's second column: the row has the positions of a chain's responses.
    static let positionsCode: Int64 = -1

    /// All parts of WITH see the same snapshot and not each other's changes, so later parts depend only on the rows returned in `won`.
    static func sql(_ extent: Extent, _ rule: TimeRule) -> String {
        var parts = [asked(extent, rule), locked, rooms(extent), written]
        if extent >= .responses { parts.append(kept) }
        if extent >= .users { parts.append(UserStatements.written) }
        if extent >= .transfers { parts.append(UserStatements.moved) }
        return "WITH \(parts.joined(separator: ", ")) \(result(extent))"
    }

    /// The chains, and why they are not appended now. Values of `deferral`: 0 none, 1 locked, 2 timestamp, 3 early, 4 outage.
    private static func asked(_ extent: Extent, _ rule: TimeRule) -> String {
        let hasProfiles = extent >= .profiles
        let profiles = """
            , $32::text[], $33::text[], $34::text[], $35::text[], $36::text[], $37::bigint[], $38::text[], $39::bigint[], \
            $40::text[], $41::text[], $42::bigint[], $43::bigint[]
            """
        let profileNames = ", name, host, host_nickname, currency, visibility, opened_at, item_name, premium, \(offer)"
        return """
            clock AS MATERIALIZED (SELECT \(Statements.clock) AS now),
            asked AS MATERIALIZED (
                SELECT a.*, \(deferralRule(rule)) AS deferral FROM clock, unnest(
                    $1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[],
                    $9::bigint[], $10::bigint[], $11::bigint[], $12::bool[], $13::bool[], $14::bigint[], $15::bigint[],
                    $16::bigint[]\(hasProfiles ? profiles : ""))
                WITH ORDINALITY AS a(id, kind, seq, tip, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived,
                    first_at, last_at, not_before\(hasProfiles ? profileNames : ""), i)
            )
            """
    }

    /// SQL form of `LogTime.deferral`, by the server's clock.
    private static func deferralRule(_ rule: TimeRule) -> String {
        let clock = "now + \(LogTime.maximumAheadMilliseconds)"
        let latest: String
        switch rule {
        case .anyTime: return "0"
        case .byClock: latest = clock
        case .byClockOrHead: latest = "greatest(\(clock), \(headTime))"
        }
        return """
            CASE WHEN a.last_at > \(latest) OR a.first_at < now - \(LogTime.maximumAgeMilliseconds) THEN 2
                WHEN a.not_before > now THEN 3
                WHEN a.not_before IS NOT NULL AND (
                    EXISTS (SELECT FROM outage o WHERE o.settled_at IS NULL AND o.since <= a.not_before)
                    OR (SELECT last_seen FROM liveness) < now - \(Outage.minimumMilliseconds)) THEN 4
                ELSE 0 END
            """
    }

    /// Time of the event that a chain's first one follows; NULL if there is none.
    private static let headTime = """
        (SELECT e.at FROM event e WHERE e.room = (SELECT r.number FROM room r WHERE r.id = a.id) AND e.seq = a.seq)
        """

    /// `tid` is where the locked version of the row is. If another transaction made that version after this statement's snapshot, it is
    /// not found there: the chain is then not appended.
    private static let locked = """
        locked AS MATERIALIZED (
            SELECT id, seq, tip, ctid AS tid FROM room
            WHERE id = ANY (ARRAY(SELECT id FROM asked WHERE kind = 1 AND deferral = 0))
            ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
        )
        """

    /// Updates and creates rooms. `won` has those whose chain is appended.
    private static func rooms(_ extent: Extent) -> String {
        if extent < .profiles { return "won AS MATERIALIZED (\(updated("")))" }
        return """
            advanced AS (\(updated(profileColumns))),
            created AS (
                INSERT INTO room (id, seq, tip, state, round, ends_at, due_at, price, is_open, archived, name, host, host_nickname,
                    currency, visibility, opened_at, item_name, premium, \(offer), users_seq)
                SELECT id, new_seq, new_tip, state, round, ends_at, due_at, price, is_open, archived, name, host, host_nickname,
                    currency, visibility, opened_at, item_name, premium, \(offer), new_seq
                FROM asked WHERE kind = 2 AND deferral = 0 ORDER BY id
                ON CONFLICT (id) DO NOTHING RETURNING number, id
            ),
            won AS MATERIALIZED (
                SELECT number, i FROM advanced
                UNION ALL SELECT c.number, a.i FROM created c JOIN asked a ON a.id = c.id
            )
            """
    }

    private static func updated(_ profileColumns: String) -> String {
        """
        UPDATE room r SET seq = a.new_seq, tip = a.new_tip, state = a.state, round = a.round, ends_at = a.ends_at,
            due_at = a.due_at, price = a.price, is_open = a.is_open, archived = a.archived,
            users_seq = CASE WHEN r.users_seq = a.seq THEN a.new_seq ELSE r.users_seq END\(profileColumns)
        FROM locked l JOIN asked a ON a.id = l.id AND a.kind = 1 AND a.seq = l.seq AND a.tip = l.tip
        WHERE r.ctid = l.tid AND r.seq = a.seq AND r.tip = a.tip
        RETURNING r.number, a.i
        """
    }

    private static let offer = "offer_name, offer_picture, offer_price, starts_at"

    private static let profileColumns = """
        , name = coalesce(a.name, r.name), host = coalesce(a.host, r.host),
            host_nickname = coalesce(a.host_nickname, r.host_nickname), currency = coalesce(a.currency, r.currency),
            visibility = coalesce(a.visibility, r.visibility), opened_at = coalesce(a.opened_at, r.opened_at),
            item_name = CASE WHEN a.name IS NULL THEN r.item_name ELSE a.item_name END,
            premium = CASE WHEN a.name IS NULL THEN r.premium ELSE a.premium END,
            offer_name = CASE WHEN a.name IS NULL THEN r.offer_name ELSE a.offer_name END,
            offer_picture = CASE WHEN a.name IS NULL THEN r.offer_picture ELSE a.offer_picture END,
            offer_price = CASE WHEN a.name IS NULL THEN r.offer_price ELSE a.offer_price END,
            starts_at = CASE WHEN a.name IS NULL THEN r.starts_at ELSE a.starts_at END
        """

    /// Inserts the events of the chains that are appended.
    private static let written = """
        written AS (
            INSERT INTO event (room, seq, at, hash, type, public, private)
            SELECT w.number, e.seq, e.at, e.hash, e.type, e.public, e.private
            FROM unnest($17::bigint[], $18::bigint[], $19::bigint[], $20::bytea[], $21::text[], $22::bytea[], $23::bytea[])
                AS e(i, seq, at, hash, type, public, private) JOIN won w ON w.i = e.i
        )
        """

    /// Inserts their responses.
    private static let kept = """
        kept AS (
            INSERT INTO answer (room, fingerprint, at, status, key, headers, body, owner)
            SELECT w.number, a.fingerprint, a.at, a.status, a.key, a.headers, a.body, a.owner
            FROM unnest($24::bigint[], $25::bigint[], $26::bigint[], $27::bigint[], $28::bytea[], $29::bytea[], $30::bytea[],
                $31::bigint[]) WITH ORDINALITY AS a(i, fingerprint, at, status, key, headers, body, owner, n) JOIN won w ON w.i = a.i
            ORDER BY a.n RETURNING room, position
        )
        """

    /// A first row with how many chains were appended and the clock, a row for each chain that is not appended or whose head does not
    /// match, and one for each that has responses; see `outcomes`.
    private static func result(_ extent: Extent) -> String {
        """
        SELECT 0::bigint, (SELECT count(*) FROM won), 0::bigint, 0::bigint, NULL::bigint[], \(Statements.clock)
        UNION ALL
        SELECT a.i, CASE WHEN a.deferral = 0 AND a.kind = 1 AND (l.id IS NULL AND s.id IS NOT NULL OR l.seq = a.seq AND l.tip = a.tip)
                THEN 1 ELSE a.deferral END,
            coalesce(l.seq, s.seq, 0), coalesce(l.tip, s.tip, 0), NULL, NULL
        FROM (SELECT * FROM asked WHERE i NOT IN (SELECT i FROM won)) a
        LEFT JOIN locked l ON l.id = a.id LEFT JOIN room s ON s.id = a.id
        WHERE a.kind <> 0 OR a.seq <> coalesce(s.seq, 0) OR a.tip <> coalesce(s.tip, 0)
        \(extent >= .responses ? positions : "")
        """
    }

    private static let positions = """
        UNION ALL
        SELECT w.i, \(positionsCode), 0, 0, array_agg(k.position ORDER BY k.position), NULL
        FROM kept k JOIN won w ON w.number = k.room GROUP BY w.i
        """
}
