import AuctionDomain
import EventLog

/// The tables of a file with pictures.
enum PictureSchema {
    static let version = 1
    /// "AucP" in `PRAGMA application_id`.
    static let applicationID = 0x4175_6350
    /// Larger than the log's: a picture has many pages, and each is read by following the one before it.
    static let pageBytes = 16384

    /// Creates the tables in an empty file, and moves everything into the file as `SQLiteEventLog.enterWAL` does.
    static func prepare(_ db: Connection, path: String) throws {
        if try db.long("SELECT count(*) FROM sqlite_master") == 0 {
            try db.execute("PRAGMA page_size = \(pageBytes)")
            try db.transaction(.immediate) {
                try db.execute(tables)
                try db.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            }
        }
        try check(db, path: path)
        try db.execute("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    static func check(_ db: Connection, path: String) throws {
        guard try db.long("PRAGMA application_id") == Int64(applicationID) else {
            throw EventLogError(.corrupt, "\(path) has no pictures of an auction log")
        }
        let found = try db.long("PRAGMA user_version") ?? 0
        guard found <= version else {
            throw EventLogError(
                .newerSchema, "\(path) has schema version \(found); this program knows up to \(version): run a newer one")
        }
    }

    static func total(_ db: Connection) throws(SQLiteError) -> PictureTotal {
        var rows = try db.rows(.kept("SELECT count, bytes FROM total"))
        guard try rows.next() else { return PictureTotal() }
        return PictureTotal(count: try rows.integer(0), bytes: try rows.integer(1))
    }

    /// `upload.size` is what the picture counts for. The bytes are last, so that reading the other columns reads one page.
    /// A picture that an operator has removed is a row without bytes, of size 0, kept, with the time of that in `uploaded_at`.
    private static let tables = """
        CREATE TABLE picture (
            id TEXT NOT NULL PRIMARY KEY,
            type TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            size INTEGER NOT NULL,
            kept INTEGER NOT NULL,
            uploaded_at INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX picture_unused ON picture (uploaded_at) WHERE NOT kept;
        CREATE TABLE upload (
            id TEXT NOT NULL,
            room TEXT NOT NULL,
            user TEXT NOT NULL,
            at INTEGER NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (id, room, user)
        ) WITHOUT ROWID;
        CREATE INDEX upload_of_room ON upload (room, size);
        CREATE INDEX upload_of_user ON upload (user, size);
        CREATE TABLE total (count INTEGER NOT NULL, bytes INTEGER NOT NULL);
        INSERT INTO total VALUES (0, 0);

        """
}

/// Each runs in a transaction of its caller.
enum PictureStatements {
    static func store(
        _ picture: StoredPicture, by upload: PictureUpload, _ limits: PictureLimits, _ db: Connection
    ) throws(SQLiteError) -> PictureVerdict {
        let id = picture.id.description
        let size = try size(of: id, db)
        if size == 0 { return .removed }
        let isKnown = size != nil
        let (room, user) = (upload.room.description, upload.user.description)
        let isRepeated = try db.long("SELECT 1 FROM upload WHERE id = ? AND room = ? AND user = ?", id, room, user) != nil
        if !isRepeated {
            let total = isKnown ? nil : try PictureSchema.total(db).countedBytes
            let quota = limits.reached(
                by: picture.countedBytes, room: try used("room", room, db),
                user: try used("user", user, db), total: total)
            if let quota { return .overQuota(quota) }
        }
        if isKnown {
            try db.run("UPDATE picture SET uploaded_at = max(uploaded_at, ?) WHERE id = ?", upload.at, id)
        } else {
            try db.run(
                "INSERT INTO picture VALUES (?, ?, ?, ?, ?, 0, ?, ?)", id, picture.type, picture.width, picture.height,
                picture.bytes.count, upload.at, picture.bytes)
            try db.run("UPDATE total SET count = count + 1, bytes = bytes + ?", picture.bytes.count)
        }
        try db.run(
            "INSERT INTO upload VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at", id, room, user, upload.at,
            picture.countedBytes)
        return .stored
    }

    /// Nil without a row.
    private static func size(of id: String, _ db: Connection) throws(SQLiteError) -> Int? {
        try db.long(.kept("SELECT size FROM picture WHERE id = ?"), id).map { Int($0) }
    }

    static func remove(_ id: PictureID, at instant: Timestamp, _ db: Connection) throws(SQLiteError) -> Bool {
        let size = try size(of: id.description, db)
        if size == 0 { return false }
        try db.run(
            """
            INSERT INTO picture VALUES (?, '', 0, 0, 0, 1, ?, x'') ON CONFLICT (id) DO UPDATE
            SET type = '', width = 0, height = 0, size = 0, kept = 1, uploaded_at = excluded.uploaded_at, bytes = x''
            """, id.description, instant)
        guard let size else { return false }
        try db.run("DELETE FROM upload WHERE id = ?", id.description)
        try db.run("UPDATE total SET count = count - 1, bytes = bytes - ?", size)
        return true
    }

    private static func used(_ column: String, _ value: String, _ db: Connection) throws(SQLiteError) -> Int {
        Int(try db.long(.kept("SELECT coalesce(sum(size), 0) FROM upload WHERE \(column) = ?"), value) ?? 0)
    }

    static func unused(before cutoff: Timestamp, _ limit: Int, _ db: Connection) throws(SQLiteError) -> [(
        id: String, size: Int
    )] {
        let sql = "SELECT id, size FROM picture WHERE NOT kept AND uploaded_at < ? ORDER BY uploaded_at LIMIT ?"
        var rows = try db.rows(.kept(sql), cutoff, limit)
        return try rows.map { row throws(SQLiteError) in (try row.text(0), try row.integer(1)) }
    }

    static func deleteUnused(before cutoff: Timestamp, _ limit: Int, _ db: Connection) throws(SQLiteError) -> Int {
        let unused = try unused(before: cutoff, limit, db)
        for (id, size) in unused {
            try db.run("DELETE FROM picture WHERE id = ?", id)
            try db.run("DELETE FROM upload WHERE id = ?", id)
            try db.run("UPDATE total SET count = count - 1, bytes = bytes - ?", size)
        }
        return unused.count
    }

    static func records(after: PictureID?, _ limit: Int, _ db: Connection) throws(SQLiteError) -> [PictureRecord] {
        var rows = try db.rows(
            .kept("SELECT id, kept, size, uploaded_at FROM picture WHERE id > ? ORDER BY id LIMIT ?"), after?.description ?? "",
            limit)
        return try rows.map { row throws(SQLiteError) in
            let text = try row.text(0)
            guard let id = PictureID(text) else { throw SQLiteError(unreadable: "\(text) is no digest") }
            var uploads = try db.rows(.kept("SELECT room, user, at FROM upload WHERE id = ? ORDER BY room, user"), text)
            return PictureRecord(
                id: id, isKept: try row.integer(1) != 0, bytes: try row.integer(2), changedAt: try row.instant(3),
                uploads: try uploads.map { upload throws(SQLiteError) in
                    PictureUpload(room: try upload.identifier(0), user: try upload.identifier(1), at: try upload.instant(2))
                })
        }
    }
}
