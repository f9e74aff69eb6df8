import EventLog

/// The tables of a log in SQLite, their version and migrations.
enum Schema {
    /// The version that this program reads and writes.
    static var version: Int { version(after: migrations) }
    /// "Auc1" in `PRAGMA application_id`: identifies the file for `file(1)` and prevents use of another program's database.
    static let applicationID: Int64 = 0x4175_6331
    /// That of files from before version 1.0.0 of this program.
    private static let unreleasedID: Int64 = 0x4175_6374

    /// Each migrates a file to the next version; the first one from version 1, that of `tables`. A released migration must never be changed.
    static let migrations = [
        "ALTER TABLE room ADD COLUMN premium INTEGER",
        """
        ALTER TABLE room ADD COLUMN offer_name TEXT;
        ALTER TABLE room ADD COLUMN offer_picture TEXT;
        ALTER TABLE room ADD COLUMN offer_price INTEGER;
        ALTER TABLE room ADD COLUMN starts_at INTEGER
        """,
        """
        CREATE TABLE user_block (
            user TEXT NOT NULL,
            blocked TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (user, blocked)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE record (
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            expires_at INTEGER,
            content BLOB NOT NULL,
            PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        CREATE INDEX record_expiry ON record (expires_at) WHERE expires_at IS NOT NULL
        """,
    ]

    private static func version(after migrations: [String]) -> Int { 1 + migrations.count }

    /// Creates the tables in an empty file, or checks the version; then migrates the file.
    /// - Parameter migrations: Others than the program's, for a test.
    static func prepare(_ db: Connection, path: String, migrations: [String] = migrations) throws {
        let isNew = try db.long("SELECT count(*) FROM sqlite_schema") == 0 && application(of: db) == 0
        if isNew { try create(db) } else { try check(db, path: path, migrations: migrations) }
        let found = try storedVersion(of: db)
        guard found < version(after: migrations) else { return }
        try db.transaction(.immediate) {
            for migration in migrations[(found - 1)...] { try db.execute(migration) }
            try db.execute("PRAGMA user_version = \(version(after: migrations))")
        }
    }

    /// Checks that this program can read the file; writes nothing.
    static func check(_ db: Connection, path: String, migrations: [String] = migrations) throws {
        let (found, application) = (try storedVersion(of: db), try application(of: db))
        guard application != unreleasedID else {
            throw EventLogError(
                .unavailable,
                "\(path) was written by a program from before version 1.0.0, which was never released: begin a new log")
        }
        guard application == applicationID, found > 0 else {
            throw EventLogError(.corrupt, "\(path) is a database of another program, not an auction log")
        }
        let known = version(after: migrations)
        guard found <= known else {
            throw EventLogError(
                .newerSchema, "\(path) has schema version \(found); this program knows up to \(known): run a newer one")
        }
    }

    private static func application(of db: Connection) throws(SQLiteError) -> Int64 {
        try db.long("PRAGMA application_id") ?? 0
    }

    private static func storedVersion(of db: Connection) throws(SQLiteError) -> Int {
        Int(try db.long("PRAGMA user_version") ?? 0)
    }

    /// Page size. A transaction writes at least three pages: the last leaf of `event`, its parent and the file's header.
    static let pageBytes = 4096

    /// `answer.at` of a response that was discarded (`SQLiteWriter.discardResponses`): before every other time.
    static let discardedAt: Int64 = -1

    private static func create(_ db: Connection) throws {
        try db.execute("PRAGMA page_size = \(pageBytes)")
        try db.transaction(.immediate) {
            try db.execute(tables + userIndex)
            try db.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
        }
    }

    /// The index by user: `Participation` and `Win`. A row is written together with the events that it follows from, and only if it
    /// changes, which a user's further bids of a round do not. The indexes by room are for `verify`, and for archived rooms.
    ///
    /// `unindexed` has the numbers of rooms that are not in the index yet after it was made anew (`SQLiteEventLog+UserIndex.swift`),
    /// and `archived_room` those of rooms whose participations are still to be deleted, which an append leaves to `maintain`.
    private static let userIndex = """
        CREATE TABLE participation (
            user TEXT NOT NULL,
            room INTEGER NOT NULL,
            role TEXT,
            bid_round INTEGER,
            PRIMARY KEY (user, room)
        ) WITHOUT ROWID;
        CREATE INDEX participation_of_room ON participation (room);
        CREATE TABLE win (
            user TEXT NOT NULL,
            at INTEGER NOT NULL,
            room INTEGER NOT NULL,
            round INTEGER NOT NULL,
            price INTEGER NOT NULL,
            item TEXT NOT NULL,
            item_name TEXT NOT NULL,
            PRIMARY KEY (user, at, room, round)
        ) WITHOUT ROWID;
        CREATE INDEX win_of_room ON win (room);
        CREATE TABLE unindexed (room INTEGER PRIMARY KEY);
        CREATE TABLE archived_room (room INTEGER PRIMARY KEY);

        """

    /// Every room is to be indexed. Their numbers are counted, not read, so that a damaged row does not prevent it.
    private static let allUnindexed = """
        WITH RECURSIVE numbers (number) AS (
            SELECT 1 WHERE (SELECT max(number) FROM room) >= 1
            UNION ALL SELECT number + 1 FROM numbers WHERE number < (SELECT max(number) FROM room)
        )
        INSERT INTO unindexed SELECT number FROM numbers;
        """

    /// Replaces the tables of the index by user, which may be damaged, by new ones in which no room is indexed.
    static func recreateUserIndex(_ db: Connection) throws {
        do {
            try db.transaction(.immediate) {
                for table in userIndexTables { try db.execute("DROP TABLE IF EXISTS \(table)") }
                try db.execute(userIndex + allUnindexed)
            }
        } catch let error as SQLiteError where error.isDamage {
            // SQLite reads all pages of a table to drop it. Without its row in the schema its pages are lost until a VACUUM.
            let names = userIndexTables.map { "'\($0)'" }.joined(separator: ", ")
            let schemaVersion = try db.long("PRAGMA schema_version") ?? 0
            try db.execute("PRAGMA writable_schema = ON")
            try db.transaction(.immediate) {
                try db.execute("DELETE FROM sqlite_master WHERE tbl_name IN (\(names))")
                try db.execute("PRAGMA schema_version = \(schemaVersion + 1)")
            }
            try db.execute("PRAGMA writable_schema = RESET")
            try db.transaction(.immediate) {
                try db.execute(userIndex + allUnindexed)
            }
        }
    }

    private static let userIndexTables = ["participation", "win", "unindexed", "archived_room"]

    static let tableNames =
        ["room", "event", "event_index", "flushed", "answer", "expired", "snapshot", "snapshot_piece", "clock_jump"]
        + userIndexTables + laterTables
    static let (blockTable, recordTable) = ("user_block", "record")
    private static let laterTables = [blockTable, recordTable]

    /// Whether the file has the table, which one of an earlier version may not have before it is migrated.
    static func has(_ table: String, _ db: Connection) throws(SQLiteError) -> Bool {
        guard laterTables.contains(table) else { return true }
        return try db.long("SELECT count(*) FROM sqlite_schema WHERE name = ?", table) != 0
    }

    /// A bid only appends one row at the right edge of `event`. The event index (`event_index`) and the room's row are updated later,
    /// in bulk (`SQLiteWriter+Flush.swift`); `flushed` is the watermark, the last event and response position included in them. The
    /// last event of each append carries the pending values of the room's row (`round`, `ends_at`, `price`; `round` is NULL in the
    /// others), stored before the blobs so that a start reads one page per row.
    ///
    /// `room.number` is the room's position in lists and replaces its identifier in the other tables, at an eighth of the bytes.
    /// The column "tip" is the first 64 bits of the head's hash. seq, tip, round, `ends_at`, price and `last_answer` may lag behind the
    /// events; the other columns never do, because indexes and a start depend on them. `is_open` is not zero if the room has a
    /// pending deadline, and 2 if nothing is due in it before `ends_at`; an index over `ends_at` would instead be rewritten with every bid.
    ///
    /// The table "answer" contains responses to commands with an Idempotency-Key. Those of a room are a linked list: `last_answer` of
    /// the room's row, then "previous" of each response. An index would cost a page per such command; the list costs none. Responses
    /// are deleted oldest first, so the list never has a gap; one whose key was evicted is emptied (`discardedAt`). `expired` is the
    /// highest deleted position, because positions must not be reused.
    ///
    /// A snapshot that is too large for one transaction is in `snapshot_piece`, in order of `number`; its row in `snapshot` then has
    /// empty `bytes`. `clock_jump` has the recorded `ClockJump`s, in milliseconds since 1970.
    private static let tables = """
        CREATE TABLE room (
            number INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            tip INTEGER NOT NULL,
            round INTEGER NOT NULL,
            ends_at INTEGER,
            price INTEGER,
            last_answer INTEGER NOT NULL,
            state TEXT NOT NULL,
            is_open INTEGER NOT NULL,
            archived INTEGER NOT NULL,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            host TEXT NOT NULL,
            host_nickname TEXT NOT NULL,
            currency TEXT NOT NULL,
            visibility TEXT NOT NULL,
            opened_at INTEGER NOT NULL,
            item_name TEXT
        );
        CREATE INDEX room_open ON room (number) WHERE is_open;
        CREATE INDEX room_listed ON room (visibility) WHERE NOT archived;
        CREATE INDEX room_listed_by_state ON room (visibility, state) WHERE NOT archived;
        CREATE INDEX room_own ON room (host) WHERE NOT archived AND visibility <> 'public';
        CREATE INDEX room_hosted ON room (host) WHERE NOT archived;
        CREATE TABLE event (
            position INTEGER PRIMARY KEY,
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            at INTEGER NOT NULL,
            round INTEGER,
            ends_at INTEGER,
            price INTEGER,
            hash BLOB NOT NULL,
            type TEXT NOT NULL,
            public BLOB NOT NULL,
            private BLOB
        );
        CREATE TABLE event_index (
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (room, seq)
        ) WITHOUT ROWID;
        CREATE TABLE flushed (event INTEGER NOT NULL, answer INTEGER NOT NULL);
        INSERT INTO flushed VALUES (0, 0);
        CREATE TABLE answer (
            position INTEGER PRIMARY KEY,
            previous INTEGER NOT NULL,
            room INTEGER NOT NULL,
            key BLOB NOT NULL,
            fingerprint INTEGER NOT NULL,
            at INTEGER NOT NULL,
            status INTEGER NOT NULL,
            headers TEXT NOT NULL,
            body BLOB NOT NULL,
            owner INTEGER NOT NULL
        );
        CREATE TABLE expired (answer INTEGER NOT NULL);
        INSERT INTO expired VALUES (0);
        CREATE TABLE snapshot (
            room INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE TABLE snapshot_piece (
            number INTEGER PRIMARY KEY,
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX snapshot_piece_of ON snapshot_piece (room, seq);
        CREATE TABLE clock_jump (from_at INTEGER NOT NULL, to_at INTEGER NOT NULL);

        """
}
