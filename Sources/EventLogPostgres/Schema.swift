import EventLog
import Glibc

/// The tables of a log in PostgreSQL, and the migrations between versions.
enum Schema {
    /// The version that this program reads and writes.
    static var version: Int { migrations.count }

    /// Key of the advisory lock that allows one migration at a time per database: "Auct", as the application id of a SQLite log.
    static let lock: Int64 = 0x4175_6374

    /// Each migrates a database from the version equal to its index to the next one. A released migration must never be changed.
    static let migrations = [first, second, third, fourth, fifth]

    /// A bid inserts one row into `event` and updates one in `room`. The update stays in the row's page (a HOT update, for which
    /// `fillfactor` reserves space) as long as no indexed column changes, so `ends_at` and `due_at` have no index.
    ///
    /// `room.number` is the room's position in lists and replaces its identifier in most tables. Its column "tip" is the
    /// first 64 bits of the head's hash, `room.is_open` means that it has a pending deadline, `due_at`. Times are milliseconds since
    /// 1970. `event.private` contains confidential fields, apart from the bytes that streams and exports send. The table "answer"
    /// contains responses to commands with an Idempotency-Key. `liveness` has one row, the last heartbeat of any node;
    /// `node.seen_at` is that of each node. `outage` is described by `Outage`. Tickets and presence are short-lived, so their tables
    /// are unlogged and empty after a crash.
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

    /// `revocation.before` limits a revocation to tokens issued earlier. `room.quiet_mark` is no longer used, but nodes of the previous
    /// version that are still running write it.
    private static let second = """
        ALTER TABLE revocation ADD COLUMN before bigint;
        ALTER TABLE room ADD COLUMN quiet_mark bigint NOT NULL DEFAULT 0
        """

    /// Owner of a response's key (`KeyOwner`); NULL in rows from before this version or from nodes of the previous version.
    private static let third = "ALTER TABLE answer ADD COLUMN owner bigint"

    /// The index by user: `Participation` and `Win`. A row is written together with the events that it follows from, and only if it
    /// changes, which a user's further bids of a round do not. The indexes by room are for `verify`, and for archived rooms.
    ///
    /// `room.users_seq` is the seq up to which the room is in that index. Rooms from before this version, and rooms to which nodes of the
    /// previous version append while they are being replaced, lag behind until they are indexed (`PostgresEventLog+UserIndexing.swift`).
    /// `user_index` has the number of the last room from before this version, and how far indexing those has come. `archived_room` has
    /// the rooms whose participations are still to be deleted, which an append leaves to `maintain`.
    private static let fourth = """
        ALTER TABLE room ADD COLUMN users_seq bigint NOT NULL DEFAULT 0;
        CREATE TABLE participation (
            user_id text COLLATE "C" NOT NULL,
            room bigint NOT NULL,
            bid_round bigint,
            role text,
            PRIMARY KEY (user_id, room)
        ) WITH (fillfactor = 80);
        CREATE INDEX participation_of_room ON participation (room);
        CREATE TABLE win (
            user_id text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            room bigint NOT NULL,
            round bigint NOT NULL,
            price bigint NOT NULL,
            item text NOT NULL,
            item_name text NOT NULL,
            PRIMARY KEY (user_id, at, room, round)
        );
        CREATE INDEX win_of_room ON win (room);
        CREATE TABLE archived_room (room bigint PRIMARY KEY);
        CREATE TABLE user_index (
            single boolean PRIMARY KEY DEFAULT true CHECK (single),
            walked bigint NOT NULL,
            last bigint NOT NULL
        );
        INSERT INTO user_index (walked, last) SELECT 0, coalesce(max(number), 0) FROM room
        """

    /// Pictures, who uploaded them where, and their number and bytes. `media_upload.size` is what a picture counts for. The bytes are not
    /// compressed again.
    private static let fifth = """
        CREATE TABLE media (
            id text COLLATE "C" PRIMARY KEY,
            type text NOT NULL,
            width bigint NOT NULL,
            height bigint NOT NULL,
            size bigint NOT NULL,
            uploaded_at bigint NOT NULL,
            kept boolean NOT NULL,
            bytes bytea NOT NULL
        );
        ALTER TABLE media ALTER COLUMN bytes SET STORAGE EXTERNAL;
        CREATE INDEX media_unused ON media (uploaded_at) WHERE NOT kept;
        CREATE TABLE media_upload (
            id text COLLATE "C" NOT NULL,
            room text COLLATE "C" NOT NULL,
            user_id text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            size bigint NOT NULL,
            PRIMARY KEY (id, room, user_id)
        );
        CREATE INDEX media_upload_of_room ON media_upload (room) INCLUDE (size);
        CREATE INDEX media_upload_of_user ON media_upload (user_id) INCLUDE (size);
        CREATE TABLE media_total (
            single boolean PRIMARY KEY DEFAULT true CHECK (single),
            count bigint NOT NULL,
            bytes bigint NOT NULL
        );
        INSERT INTO media_total (count, bytes) VALUES (0, 0)
        """

    /// Creates or migrates the tables; safe to run on any number of nodes concurrently.
    ///
    /// A migration locks tables that appends use. Behind a long reader such as a dump it waits only briefly, because every append waits
    /// with it, and tries again after a pause.
    static func migrate(
        _ session: Session, store: String, _ limits: PostgresLimits, report: (String) -> Void
    ) throws(EventLogError) {
        do throws(SessionFailure) {
            var attempt = 1
            while true {
                let found = try version(in: session)
                if found == version { return }
                if found > version { throw SessionFailure(kind: .unreadable, message: "\(found)") }
                do throws(SessionFailure) {
                    return try runMigrations(session, limits)
                } catch  where error.kind == .server(state: "55P03") && attempt < limits.migrationAttempts {
                    if attempt == 1 { report("the migration of \(store) waits: \(isLocked)") }
                    attempt += 1
                    usleep(UInt32(clamping: limits.migrationPauseMilliseconds * 1000))
                }
            }
        } catch  where error.kind == .unreadable {
            throw newer(error.message, store)
        } catch  where error.kind == .server(state: "55P03") {
            throw EventLogError(.unavailable, "cannot migrate \(store): \(isLocked)")
        } catch {
            throw EventLogError(error, while: "prepare the tables", in: store)
        }
    }

    private static let isLocked = "another session, such as that of a dump, keeps a table locked: end it, or wait for its end"

    /// Checks that this program can read the tables; writes nothing.
    static func check(_ session: Session, store: String) throws(EventLogError) {
        let found = try EventLogError.translating("read the schema version", in: store) { () throws(SessionFailure) in
            try version(in: session)
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

    /// Runs all missing migrations in one transaction, under the advisory lock.
    private static func runMigrations(_ session: Session, _ limits: PostgresLimits) throws(SessionFailure) {
        try session.transaction { () throws(SessionFailure) in
            try session.execute("SET LOCAL statement_timeout = 0")
            try session.execute("SELECT pg_advisory_xact_lock(\(lock))")
            try session.execute("SET LOCAL lock_timeout = \(limits.migrationLockMilliseconds)")
            // Another node may have migrated while this one waited for the lock.
            let found = try version(in: session)
            if found > version || found < 0 { throw SessionFailure(kind: .unreadable, message: "\(found)") }
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
    /// Runs a statement without keeping it prepared.
    func execute(_ sql: String) throws(SessionFailure) { _ = try run([Call(Statement(name: "", sql: sql))]) }

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
