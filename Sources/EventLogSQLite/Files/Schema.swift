import EventLog

/// The tables of a log in SQLite, their version and migrations.
enum Schema {
    static let version = 4
    /// The oldest version that can be migrated. Version 1 was never released.
    private static let oldest = 2
    /// "Auct" in `PRAGMA application_id`: identifies the file for `file(1)` and prevents use of another program's database.
    static let applicationID = 0x4175_6374

    /// Creates the tables in an empty file; otherwise checks the version and migrates the file.
    static func prepare(_ db: Connection, path: String) throws {
        let found = try db.long("PRAGMA user_version") ?? 0
        let application = try db.long("PRAGMA application_id") ?? 0
        let isEmpty = try db.long("SELECT count(*) FROM sqlite_master") == 0
        if found == 0, application == 0, isEmpty { return try create(db) }
        try check(db, path: path)
        if found < version { try runMigrations(db, from: Int(found)) }
        // Added without a new version: files of the same version may lack these tables, and older programs ignore them.
        try db.execute(pieces + clockJumps)
    }

    static func hasTable(_ name: String, _ db: Connection) throws(SQLiteError) -> Bool {
        try db.long("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) != nil
    }

    /// Checks that this program can read the file; writes nothing.
    static func check(_ db: Connection, path: String) throws {
        let found = try db.long("PRAGMA user_version") ?? 0
        let application = try db.long("PRAGMA application_id") ?? 0
        guard application == applicationID, found > 0 else {
            throw EventLogError(.corrupt, "\(path) is a database of another program, not an auction log")
        }
        guard found <= version else {
            throw EventLogError(
                .newerSchema, "\(path) has schema version \(found); this program knows up to \(version): run a newer one")
        }
        guard found >= oldest else {
            throw EventLogError(
                .unavailable, "\(path) has schema version \(found), which this program no longer reads: it needs \(oldest)")
        }
    }

    /// Page size. A transaction writes at least three pages: the last leaf of `event`, its parent and the file's header.
    static let pageBytes = 4096

    /// `answer.at` of a response that was discarded (`SQLiteWriter.discardResponses`): before every other time, so that programs that do not
    /// know of it load no such key either.
    static let discardedAt: Int64 = -1

    private static func create(_ db: Connection) throws {
        try db.execute("PRAGMA page_size = \(pageBytes)")
        try db.transaction(.immediate) {
            try db.execute(tables + userIndex)
            try db.execute(pieces + clockJumps)
            try db.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }

    /// Each migrates a file from one version to the next, starting with `oldest`. A released migration must never be changed.
    private static let migrations = [
        // Owner of a response's key (`KeyOwner`); NULL in rows from before this version.
        "ALTER TABLE answer ADD COLUMN owner INTEGER",
        // Rooms from before this version are not in the index by user yet.
        userIndex + allUnindexed,
    ]

    /// Runs all missing migrations in one transaction.
    private static func runMigrations(_ db: Connection, from found: Int) throws {
        try db.transaction(.immediate) {
            for step in migrations[(found - oldest)...] { try db.execute(step) }
            try db.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Pieces of a snapshot that is too large for one transaction, in order of `number`. Its row in `snapshot` then has empty `bytes`.
    private static let pieces = """
        CREATE TABLE IF NOT EXISTS snapshot_piece (
            number INTEGER PRIMARY KEY,
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX IF NOT EXISTS snapshot_piece_of ON snapshot_piece (room, seq);
        """

    /// Recorded `ClockJump`s, in milliseconds since 1970.
    private static let clockJumps = """
        CREATE TABLE IF NOT EXISTS clock_jump (from_at INTEGER NOT NULL, to_at INTEGER NOT NULL);
        """

    /// The index by user: `Participation` and `Win`. A row is written together with the events that it follows from, and only if it
    /// changes, which a user's further bids of a round do not. The indexes by room are for `verify`, and for archived rooms.
    ///
    /// `unindexed` has the numbers of rooms from before version 4 that are not in the index yet (`SQLiteEventLog+UserIndex.swift`), and
    /// `archived_room` those of rooms whose participations are still to be deleted, which an append leaves to `maintain`.
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

    /// The tables that every file of this version has; `snapshot_piece` and `clock_jump` may be missing. Older files lack the index by
    /// user, which a reader of an archive must expect.
    static let tableNames = ["room", "event", "event_index", "flushed", "answer", "expired", "snapshot"]
    static let laterTableNames = ["snapshot_piece"] + userIndexTables

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
            owner INTEGER
        );
        CREATE TABLE expired (answer INTEGER NOT NULL);
        INSERT INTO expired VALUES (0);
        CREATE TABLE snapshot (
            room INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );

        """
}
