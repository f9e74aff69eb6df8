import EventLog
import Glibc

/// The tables of a log in PostgreSQL, and the migrations between versions.
enum Schema {
    /// The version that this program reads and writes.
    static var version: Int { version(after: migrations) }

    /// Key of the advisory lock that allows one migration at a time per database: "Auct", as the application id of a SQLite log.
    static let lock: Int64 = 0x4175_6374
    /// The two keys of the advisory lock under which a log's rooms are pruned, one at a time; archives share it while they are open.
    static let pruningLock = "\(lock), hashtext('prune ' || current_schema())"

    /// Each migrates a database to the next version; the first one from version 1, that of `tables`. A released migration must never be
    /// changed.
    static let migrations = [
        "ALTER TABLE room ADD COLUMN premium bigint",
        """
        CREATE TABLE media_preview (
            id text COLLATE "C" PRIMARY KEY,
            room text COLLATE "C" NOT NULL,
            user_id text COLLATE "C" NOT NULL,
            digest text COLLATE "C" NOT NULL,
            type text NOT NULL,
            width bigint NOT NULL,
            height bigint NOT NULL,
            size bigint NOT NULL,
            bytes bytea NOT NULL
        );
        ALTER TABLE media_preview ALTER COLUMN bytes SET STORAGE EXTERNAL
        """,
        """
        ALTER TABLE room ADD COLUMN offer_name text, ADD COLUMN offer_picture text, ADD COLUMN offer_price bigint,
            ADD COLUMN starts_at bigint
        """,
        """
        CREATE TABLE user_block (
            user_id text COLLATE "C" NOT NULL,
            blocked text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (user_id, blocked)
        )
        """,
        """
        CREATE TABLE record (
            kind text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            expires_at bigint,
            content bytea NOT NULL,
            PRIMARY KEY (kind, id)
        );
        CREATE INDEX record_expiry ON record (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE feed_end (single boolean PRIMARY KEY DEFAULT true CHECK (single), number bigint NOT NULL) WITH (fillfactor = 50);
        INSERT INTO feed_end (number) VALUES (0);
        CREATE TABLE feed_room (room bigint PRIMARY KEY, seq bigint NOT NULL) WITH (fillfactor = 50);
        CREATE TABLE feed (number bigint PRIMARY KEY, room bigint NOT NULL, seq bigint NOT NULL, count bigint NOT NULL)
        """,
        "CREATE INDEX feed_of_room ON feed (room, seq)",
    ]

    private static func version(after migrations: [String]) -> Int { 1 + migrations.count }

    /// A bid inserts one row into `event` and updates one in `room`. The update stays in the row's page (a HOT update, for which
    /// `fillfactor` reserves space) as long as no indexed column changes, so `ends_at` and `due_at` have no index.
    ///
    /// `room.number` is the room's position in lists and replaces its identifier in most tables. Its column "tip" is the
    /// first 64 bits of the head's hash, `room.is_open` means that it has a pending deadline, `due_at`. Times are milliseconds since
    /// 1970. `event.private` contains confidential fields, apart from the bytes that streams and exports send. The table "answer"
    /// contains responses to commands with an Idempotency-Key. `liveness` has one row, the last heartbeat of any node;
    /// `node.seen_at` is that of each node. `outage` is described by `Outage`. Tickets and presence are short-lived, so their tables
    /// are unlogged and empty after a crash. `revocation.before` limits a revocation to tokens issued earlier.
    ///
    /// `participation` and `win` are the index by user (`Participation`, `Win`). A row is written together with the events that it
    /// follows from, and only if it changes, which a user's further bids of a round do not. Their indexes by room are for `verify`, and
    /// for archived rooms. `room.users_seq` is the seq up to which the room is in that index; it lags behind while the index is made
    /// anew (`PostgresEventLog+UserIndexing.swift`), and `user_index` says how far that has come. `archived_room` has the rooms whose
    /// participations are still to be deleted, which an append leaves to `maintain`.
    ///
    /// `media` has the pictures, `media_upload` who uploaded them where, with what a picture counts for (`size`). Their bytes are not
    /// compressed again. `media_preview` has their previews; each counts with the upload of its picture by the same user to the same room.
    ///
    /// `user_block` has whom users block (`UserBlock`), in all rooms. `record` has the records of a `RecordStore`.
    ///
    /// A row of `feed` gives consecutive events of a room, from `seq` on, consecutive numbers of the feed. Events get them after their
    /// commit (`PostgresEventLog+Feed.swift`): those of a room up to `feed_room.seq` have one; `feed_end` is the last number. The index by
    /// room is for the deletion of old rooms (`PostgresEventLog+Pruning.swift`).
    private static let tables = """
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
            item_name text,
            users_seq bigint NOT NULL
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
            body bytea NOT NULL,
            owner bigint NOT NULL
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
        CREATE TABLE revocation (key bytea PRIMARY KEY, at bigint NOT NULL, until bigint NOT NULL, before bigint);
        CREATE INDEX revocation_at ON revocation (at);
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
        INSERT INTO user_index (walked, last) VALUES (0, 0);
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
    /// - Parameter migrations: Others than the program's, for a test.
    static func migrate(
        _ session: Session, store: String, _ limits: PostgresLimits, migrations: [String] = migrations, report: (String) -> Void
    ) throws(EventLogError) {
        try refuseUnreleased(session, store)
        do throws(SessionFailure) {
            var attempt = 1
            while true {
                let (found, known) = (try version(in: session), version(after: migrations))
                if found == known { return }
                if found > known { throw SessionFailure(kind: .unreadable, message: "\(found)") }
                do throws(SessionFailure) {
                    return try run(migrations, in: session, limits)
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

    /// Refuses the tables of a program from before version 1.0.0, which was never released.
    private static func refuseUnreleased(_ session: Session, _ store: String) throws(EventLogError) {
        let isUnreleased = try EventLogError.translating("look for older tables", in: store) { () throws(SessionFailure) in
            try exists("auction_schema", session)
        }
        guard isUnreleased else { return }
        throw EventLogError(
            .unavailable,
            "\(store) has the tables of a program from before version 1.0.0, which was never released: use another database")
    }

    private static let isLocked = "another session, such as that of a dump, keeps a table locked: end it, or wait for its end"

    /// Checks that this program can read the tables; writes nothing.
    static func check(_ session: Session, store: String) throws(EventLogError) {
        try refuseUnreleased(session, store)
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

    private static func exists(_ table: String, _ session: Session) throws(SessionFailure) -> Bool {
        let exists = try session.run([Call(Statements.tableExists, table)])[0]
        guard exists.count == 1 else { return false }
        return try exists[0].flag(0)
    }

    /// 0 for a database without the tables.
    private static func version(in session: Session) throws(SessionFailure) -> Int {
        guard try exists("auction_log", session) else { return 0 }
        return try session.run([Call(Statements.schemaVersion)])[0][0].integer(0)
    }

    /// Creates the tables where they are missing, and runs all missing migrations, in one transaction, under the advisory lock.
    private static func run(
        _ migrations: [String], in session: Session, _ limits: PostgresLimits
    ) throws(SessionFailure) {
        try session.transaction { () throws(SessionFailure) in
            try session.execute("SET LOCAL statement_timeout = 0")
            try session.execute("SELECT pg_advisory_xact_lock(\(lock))")
            try session.execute("SET LOCAL lock_timeout = \(limits.migrationLockMilliseconds)")
            // Another node may have migrated while this one waited for the lock.
            let found = try version(in: session)
            let known = version(after: migrations)
            if found > known || found < 0 { throw SessionFailure(kind: .unreadable, message: "\(found)") }
            let steps = found == 0 ? [tables] + migrations : Array(migrations[(found - 1)...])
            for step in steps {
                for statement in step.split(separator: ";\n") { try session.execute(String(statement)) }
            }
            if found == 0 {
                try session.execute("CREATE TABLE auction_log (version bigint NOT NULL)")
                try session.execute("INSERT INTO auction_log VALUES (0)")
            }
            try session.execute("UPDATE auction_log SET version = \(known)")
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
