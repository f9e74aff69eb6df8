import EventLog
import GRDB

/// The tables, and which program wrote them.
enum Schema {
    static let version = 3
    /// The oldest that can be read. Version 1 was never released.
    private static let oldest = 2
    /// "Auct" in `PRAGMA application_id`: names the file for `file(1)` and keeps this program off foreign databases.
    static let applicationID = 0x4175_6374

    /// Creates the tables in an empty file; otherwise makes sure that this program can read what is there, and brings it up to date.
    static func prepare(_ db: Database, path: String) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
        if found == 0, application == 0, isEmpty { return try create(db) }
        try check(db, path: path)
        if found < version { try advance(db, from: found) }
        // Files of this version that are older have none of them; programs that are older do without.
        try db.execute(sql: pieces + clockJumps)
    }

    /// Makes sure that this program can read what is there; writes nothing.
    static func check(_ db: Database, path: String) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
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

    /// What a transaction writes at least is three pages: the last leaf of `event`, its parent and the file's header.
    static let pageBytes = 4096

    private static func create(_ db: Database) throws {
        try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
        try db.inTransaction(.immediate) {
            try db.execute(sql: tables)
            try db.execute(sql: pieces + clockJumps)
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Each brings a file from a version, beginning with `oldest`, to the next one; a released one is never changed.
    private static let migrations = [
        // Whose keys they are: NULL in what was stored before.
        "ALTER TABLE answer ADD COLUMN owner INTEGER"
    ]

    /// One transaction: all of it is there, or nothing.
    private static func advance(_ db: Database, from found: Int) throws {
        try db.inTransaction(.immediate) {
            for step in migrations[(found - oldest)...] { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// A snapshot too large for one transaction: its row in `snapshot` has no bytes then, and its pieces are in the order of their
    /// numbers.
    private static let pieces = """
        CREATE TABLE IF NOT EXISTS snapshot_piece (
            number INTEGER PRIMARY KEY,
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX IF NOT EXISTS snapshot_piece_of ON snapshot_piece (room, seq);
        """

    /// `ClockJump`s, oldest first.
    private static let clockJumps = """
        CREATE TABLE IF NOT EXISTS clock_jump (from_at INTEGER NOT NULL, to_at INTEGER NOT NULL);
        """

    /// The tables of every file; `snapshot_piece` and `clock_jump` are not in older ones.
    static let tableNames = ["room", "event", "event_index", "flushed", "answer", "expired", "snapshot"]

    /// A bid is one row at the right edge of `event`, and nothing else: no index holds it yet, and the room's row is not
    /// touched. Both follow in bulk (`SQLiteWriter+Flush.swift`); `flushed` says up to where they have. What the room's row
    /// would have got stands in the last event of each append (`round`, `ends_at`, `price`; `round` is NULL in the others),
    /// ahead of the bytes so that a start reads one page per row.
    ///
    /// `room.number` is the room's place in lists and stands for its identifier everywhere else: an eighth of the bytes
    /// per event and index entry. `seq`, `tip`, `round`, `ends_at`, `price` and `last_answer` may be behind; the other
    /// columns never are, because indexes and a start depend on them. `is_open` says that something is due in the room,
    /// because an index over `ends_at` would be rewritten with every bid.
    ///
    /// Answers of a room are chained: `room.last_answer`, then `answer.previous`. An index would cost a page per keyed
    /// command; the chain costs none. Answers leave oldest first, so a chain never has a hole. `expired` keeps the highest
    /// position that was ever deleted: positions are not used twice.
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
