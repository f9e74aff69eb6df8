import EventLog

/// SQL statements for heartbeats, outages, secrets, tickets, presence and revocations. All times are of the server's clock.
enum SharedStateStatements {
    private static let now = Statements.clock

    /// The last heartbeat of any node, and a row for each node that counts as alive.
    static let liveness = Statement(
        name: "liveness",
        sql: """
            SELECT l.last_seen, n.id, n.seen_at FROM (SELECT \(now) AS now) c CROSS JOIN liveness l
                LEFT JOIN node n ON n.seen_at >= c.now - \(life)
            """)

    /// Locks the single row of `liveness`, so that exactly one node, the first after an outage, records it. The clock is read after that, so
    /// `last_seen` goes back only with it, as it has to: else no outage would be found until the clock has caught up.
    static let heartbeat = Statement(
        name: "heartbeat",
        sql: """
            WITH before AS MATERIALIZED (SELECT last_seen FROM liveness FOR UPDATE),
                clock AS MATERIALIZED (SELECT last_seen, \(now) AS now FROM before),
                beat AS (UPDATE liveness SET last_seen = c.now FROM clock c),
                opened AS (
                    INSERT INTO outage (since, until) SELECT least(last_seen, now), now FROM clock
                    WHERE now - last_seen > \(Outage.minimumMilliseconds) OR last_seen = $2 RETURNING id, since, until, claimed_by
                ),
                seen AS (
                    INSERT INTO node (id, seen_at) SELECT $1, now FROM clock
                    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
                ),
                standing AS (
                    SELECT id, since, until, claimed_by FROM outage WHERE settled_at IS NULL UNION ALL SELECT * FROM opened
                    ORDER BY since LIMIT 1
                )
            SELECT c.now, (SELECT count(*) FROM node n WHERE n.id <> $1 AND n.seen_at >= c.now - \(life)) + 1,
                s.id, s.since, s.until, CASE WHEN s.claimed_by = $1 OR (
                    SELECT n.seen_at FROM node n WHERE n.id = s.claimed_by) >= c.now - \(life) THEN s.claimed_by END
            FROM clock c LEFT JOIN standing s ON true
            """)
    private static let life = Heartbeat.timeoutMilliseconds

    static let retire = [
        Statement(name: "retire_node", sql: "DELETE FROM node WHERE id = $1"),
        Statement(name: "retire_presence", sql: "DELETE FROM presence WHERE node = $1"),
    ]
    static let claimOutage = Statement(
        name: "claim_outage",
        sql: """
            UPDATE outage SET claimed_by = $2 WHERE id = $1 AND settled_at IS NULL AND (claimed_by IS NULL OR claimed_by = $2
                OR NOT EXISTS (SELECT FROM node n WHERE n.id = claimed_by AND n.seen_at >= \(now) - \(life)))
            RETURNING id
            """)
    static let settleOutage = Statement(
        name: "settle_outage",
        sql: """
            UPDATE outage SET settled_at = \(now) WHERE id = $1 AND settled_at IS NULL AND claimed_by = $2 RETURNING id
            """)

    static let createSecret = Statement(
        name: "create_secret", sql: "INSERT INTO secret (name, content) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
    static let secret = Statement(name: "secret", sql: "SELECT content FROM secret WHERE name = $1")

    static let putTicket = Statement(
        name: "put_ticket",
        sql: """
            INSERT INTO ticket (key, owner, content, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (key) DO NOTHING
            """)
    /// Deletes an owner's oldest tickets beyond a limit.
    static let trimTickets = Statement(
        name: "trim_tickets",
        sql: """
            DELETE FROM ticket WHERE owner = $1 AND number IN (
                SELECT number FROM ticket WHERE owner = $1 ORDER BY number DESC OFFSET $2::bigint)
            """)
    static let takeTicket = Statement(
        name: "take_ticket",
        sql: """
            WITH taken AS (DELETE FROM ticket WHERE key = $1 RETURNING content, expires_at)
            SELECT content FROM taken WHERE expires_at > \(now)
            """)

    static let setPresence = Statement(
        name: "set_presence",
        sql: """
            INSERT INTO presence (room, node, count, people) VALUES ($1, $2, $3, $4::text[])
            ON CONFLICT (room, node) DO UPDATE SET count = excluded.count, people = excluded.people
            """)
    static let endPresence = Statement(name: "end_presence", sql: "DELETE FROM presence WHERE room = $1 AND node = $2")
    static let presence = Statement(
        name: "presence",
        sql: """
            SELECT p.room, p.count, array_to_string(p.people, ',')
            FROM unnest($1::text[]) WITH ORDINALITY AS a(room, i) JOIN presence p ON p.room = a.room
            JOIN node n ON n.id = p.node
            WHERE p.node <> $2 AND n.seen_at >= \(now) - \(life) ORDER BY a.i
            """)

    /// Writes in order of key, so that two nodes that revoke the same keys cannot deadlock.
    static let revoke = Statement(
        name: "revoke",
        sql: """
            INSERT INTO revocation AS r (key, at, until, before)
            SELECT a.key, \(now), a.until, a.before
            FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS a(key, until, before) ORDER BY a.key
            ON CONFLICT (key) DO UPDATE SET at = excluded.at, until = greatest(r.until, excluded.until),
                before = CASE WHEN r.until <= excluded.at THEN excluded.before
                    WHEN r.before IS NOT NULL AND excluded.before IS NOT NULL THEN greatest(r.before, excluded.before) END
            """)
    static let restore = Statement(name: "restore", sql: "DELETE FROM revocation WHERE key = ANY ($1::bytea[])")
    static let revocations = Statement(
        name: "revocations",
        sql: "SELECT key, at, until, before FROM revocation WHERE at >= $1 AND until > \(now) ORDER BY at, key")

    static let clock = Statement(name: "clock", sql: "SELECT \(now)")

    /// Deletion of expired rows; without indexes, because these tables are small.
    static let deleteExpired = [
        Statement(name: "forget_tickets", sql: "DELETE FROM ticket WHERE expires_at <= \(now)"),
        Statement(name: "forget_revocations", sql: "DELETE FROM revocation WHERE until <= \(now)"),
        Statement(name: "forget_nodes", sql: "DELETE FROM node WHERE seen_at < \(now) - 86400000"),
        Statement(
            name: "forget_presence", sql: "DELETE FROM presence p WHERE NOT EXISTS (SELECT FROM node n WHERE n.id = p.node)"),
        Statement(name: "forget_outages", sql: "DELETE FROM outage WHERE settled_at < \(now) - 86400000"),
    ]
}
