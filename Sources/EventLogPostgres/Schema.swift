import EventLog

/// The tables, and the steps from each version to the next.
enum Schema {
    /// What this program reads and writes.
    static var version: Int { migrations.count }

    /// Keeps every other migration off: one at a time in a database. "Auct", as in the application id of a SQLite log.
    static let lock: Int64 = 0x4175_6374

    /// Each brings a database from the version of its index to the next one; a released one is never changed.
    static let migrations = [first, second, third]

    /// A bid is one row in `event` and a changed row in `room`. That row is rewritten in its page as long as no column of an
    /// index changes (`fillfactor` leaves the space for it), which is why nothing indexes `ends_at` or `due_at`.
    ///
    /// `room.number` is the room's place in lists and stands for its identifier everywhere else. Times are milliseconds since
    /// 1970. What is hidden stands in `event.private`, apart from the bytes that streams and exports send. Tickets and presence
    /// are of seconds: their tables are not logged, and empty after a crash.
    private static let first = """
        CREATE TABLE room (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            seq bigint NOT NULL,
            tip bigint NOT NULL,
            round bigint NOT NULL,
            ends_at bigint,
            due_at bigint,
            price bigint,
            opened_at bigint NOT NULL,
            is_open boolean NOT NULL,
            archived boolean NOT NULL,
            state text NOT NULL,
            id text COLLATE "C" NOT NULL UNIQUE,
            name text NOT NULL,
            host text COLLATE "C" NOT NULL,
            host_nickname text NOT NULL,
            currency text NOT NULL,
            visibility text NOT NULL,
            item_name text
        ) WITH (fillfactor = 50);
        CREATE INDEX room_open ON room (number) WHERE is_open;
        CREATE INDEX room_listed ON room (visibility, number) WHERE NOT archived;
        CREATE INDEX room_listed_by_state ON room (visibility, state, number) WHERE NOT archived;
        CREATE INDEX room_hosted ON room (host, number) WHERE NOT archived;
        CREATE TABLE event (
            room bigint NOT NULL,
            seq bigint NOT NULL,
            at bigint NOT NULL,
            hash bytea NOT NULL,
            type text NOT NULL,
            public bytea NOT NULL,
            private bytea,
            PRIMARY KEY (room, seq)
        );
        CREATE TABLE answer (
            position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            room bigint NOT NULL,
            fingerprint bigint NOT NULL,
            at bigint NOT NULL,
            status bigint NOT NULL,
            key bytea NOT NULL,
            headers bytea NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX answer_of_room ON answer (room, position);
        CREATE TABLE snapshot (
            room bigint PRIMARY KEY,
            seq bigint NOT NULL,
            bytes bytea NOT NULL
        );
        CREATE TABLE secret (name text PRIMARY KEY, content bytea NOT NULL);
        CREATE TABLE node (id text PRIMARY KEY, seen_at bigint NOT NULL) WITH (fillfactor = 50);
        CREATE TABLE liveness (single boolean PRIMARY KEY DEFAULT true CHECK (single), last_seen bigint) WITH (fillfactor = 50);
        INSERT INTO liveness DEFAULT VALUES;
        CREATE TABLE outage (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            since bigint NOT NULL,
            until bigint NOT NULL,
            claimed_by text,
            settled_at bigint
        );
        CREATE INDEX outage_open ON outage (since) WHERE settled_at IS NULL;
        CREATE UNLOGGED TABLE ticket (
            key bytea PRIMARY KEY,
            number bigint GENERATED ALWAYS AS IDENTITY,
            owner text COLLATE "C" NOT NULL,
            content bytea NOT NULL,
            expires_at bigint NOT NULL
        );
        CREATE INDEX ticket_of_owner ON ticket (owner, number);
        CREATE UNLOGGED TABLE presence (
            room text COLLATE "C" NOT NULL,
            node text NOT NULL,
            count bigint NOT NULL,
            people text[] NOT NULL,
            PRIMARY KEY (room, node)
        );
        CREATE INDEX presence_of_node ON presence (node);
        CREATE TABLE revocation (key bytea PRIMARY KEY, at bigint NOT NULL, until bigint NOT NULL);
        CREATE INDEX revocation_at ON revocation (at);
        """

    /// Revocations of what was made before an instant; and `quiet_mark`, which is no longer read or written. It stays for nodes of the
    /// version before, which go on with the sessions that they have until they are stopped.
    private static let second = """
        ALTER TABLE revocation ADD COLUMN before bigint;
        ALTER TABLE room ADD COLUMN quiet_mark bigint NOT NULL DEFAULT 0
        """

    /// Whose keys they are: NULL in what was stored before, and by nodes of the version before.
    private static let third = "ALTER TABLE answer ADD COLUMN owner bigint"

    /// Makes the tables or brings them up to date; safe on any number of nodes at once.
    static func migrate(_ session: Session, store: String) throws(EventLogError) {
        do throws(SessionFailure) {
            let found = try version(in: session)
            if found == version { return }
            if found < version { return try advance(session) }
            throw SessionFailure(kind: .unreadable, message: "\(found)")
        } catch  where error.kind == .unreadable {
            throw newer(error.message, store)
        } catch {
            throw EventLogError(error, while: "prepare the tables", in: store)
        }
    }

    /// Makes sure that this program can read what is there; writes nothing.
    static func check(_ session: Session, store: String) throws(EventLogError) {
        let found: Int
        do throws(SessionFailure) {
            found = try version(in: session)
        } catch {
            throw EventLogError(error, while: "look at the tables", in: store)
        }
        if found > version { throw newer("\(found)", store) }
        if found < version {
            let what = found == 0 ? "there is no auction log in \(store)" : "\(store) has schema version \(found)"
            throw EventLogError(.unavailable, "\(what): run `auction-room migrate` or `auction-room serve` on it first")
        }
    }

    private static func newer(_ found: String, _ store: String) -> EventLogError {
        EventLogError(
            .newerSchema, "\(store) has schema version \(found); this program knows up to \(version): run a newer one")
    }

    /// 0 for a database without the tables.
    private static func version(in session: Session) throws(SessionFailure) -> Int {
        let exists = try session.run([Call(Statements.schemaExists)])[0]
        guard exists.count == 1, try exists[0].flag(0) else { return 0 }
        return try session.run([Call(Statements.schemaVersion)])[0][0].integer(0)
    }

    /// One transaction: a migration is there as a whole or not at all.
    private static func advance(_ session: Session) throws(SessionFailure) {
        try session.transaction { () throws(SessionFailure) in
            try session.execute("SET LOCAL statement_timeout = 0")
            try session.execute("SELECT pg_advisory_xact_lock(\(lock))")
            // Another node may have done it meanwhile.
            let found = try version(in: session)
            if found > version { throw SessionFailure(kind: .unreadable, message: "\(found)") }
            if found == 0 {
                try session.execute("CREATE TABLE auction_schema (version bigint NOT NULL)")
                try session.execute("INSERT INTO auction_schema VALUES (0)")
            }
            for step in migrations[found...] {
                for statement in step.split(separator: ";\n") { try session.execute(String(statement)) }
            }
            try session.execute("UPDATE auction_schema SET version = \(version)")
        }
    }
}

extension Session {
    /// Runs something once, without keeping it prepared.
    func execute(_ sql: String) throws(SessionFailure) {
        _ = try run([Call(Statement(name: "", sql: sql))])
    }

    /// Runs `body` in one transaction of several round trips.
    func transaction<Result>(_ body: () throws(SessionFailure) -> Result) throws(SessionFailure) -> Result {
        try execute("BEGIN")
        do throws(SessionFailure) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            if !error.endsSession { try execute("ROLLBACK") }
            throw error
        }
    }
}
