import AuctionDomain
import EventLog

/// The tables of a file with pictures.
enum PictureSchema {
    static var version: Int { 1 + migrations.count }
    /// "AucP" in `PRAGMA application_id`.
    static let applicationID = 0x4175_6350
    /// Larger than the log's: a picture has many pages, and each is read by following the one before it.
    static let pageBytes = 16384

    /// Each migrates a file to the next version; the first one from version 1, that of `tables`. A released migration must never be changed.
    ///
    /// A preview counts with the upload of its picture by the same user to the same room: `upload.size` has its bytes too.
    private static let migrations = [
        """
        CREATE TABLE preview (
            id TEXT NOT NULL PRIMARY KEY,
            room TEXT NOT NULL,
            user TEXT NOT NULL,
            digest TEXT NOT NULL,
            type TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            size INTEGER NOT NULL,
            bytes BLOB NOT NULL
        )
        """
    ]

    /// Creates the tables in an empty file, or migrates them, and moves everything into the file as `SQLiteEventLog.enterWAL` does.
    static func prepare(_ db: Connection, path: String) throws {
        if try db.long("SELECT count(*) FROM sqlite_master") == 0 {
            try db.execute("PRAGMA page_size = \(pageBytes)")
            try db.transaction(.immediate) {
                try db.execute(tables)
                try db.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
            }
        }
        try check(db, path: path)
        if try storedVersion(of: db) < version {
            try db.transaction(.immediate) {
                // Another process may have migrated the file meanwhile.
                let found = try storedVersion(of: db)
                if found >= version { return }
                for migration in migrations[(found - 1)...] { try db.execute(migration) }
                try db.execute("PRAGMA user_version = \(version)")
            }
        }
        try db.execute("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    static func check(_ db: Connection, path: String) throws {
        guard try db.long("PRAGMA application_id") == Int64(applicationID) else {
            throw EventLogError(.corrupt, "\(path) has no pictures of an auction log")
        }
        let found = try storedVersion(of: db)
        guard found > 0 else { throw EventLogError(.corrupt, "\(path) has schema version \(found)") }
        guard found <= version else {
            throw EventLogError(
                .newerSchema, "\(path) has schema version \(found); this program knows up to \(version): run a newer one")
        }
    }

    private static func storedVersion(of db: Connection) throws(SQLiteError) -> Int {
        Int(try db.long("PRAGMA user_version") ?? 0)
    }

    /// False for a file of version 1.0.0 that is only read.
    static func hasPreviews(_ db: Connection) throws(SQLiteError) -> Bool { try storedVersion(of: db) > 1 }

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
        if let preview = try previewRecord(of: id, db), preview.user != upload.user { try drop(preview, of: id, db) }
        return .stored
    }

    private static func drop(_ preview: PreviewRecord, of id: String, _ db: Connection) throws(SQLiteError) {
        let (room, user) = (preview.room.description, preview.user.description)
        try db.run("DELETE FROM preview WHERE id = ?", id)
        try db.run(
            "UPDATE upload SET size = size - ? WHERE id = ? AND room = ? AND user = ?", preview.bytes, id, room, user)
        try db.run("UPDATE total SET bytes = bytes - ?", preview.bytes)
    }

    static func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, _ limits: PictureLimits, _ db: Connection
    ) throws(SQLiteError) -> PictureVerdict {
        let (id, room, user) = (original.description, upload.room.description, upload.user.description)
        let current = try previewRecord(of: id, db)
        let counted = current?.room.description ?? room
        let facts = PreviewFacts(
            pictureBytes: try size(of: id, db),
            isUploader: try db.long("SELECT 1 FROM upload WHERE id = ? AND room = ? AND user = ?", id, room, user) != nil,
            hasOtherUploaders: try db.long("SELECT 1 FROM upload WHERE id = ? AND user <> ? LIMIT 1", id, user) != nil,
            current: current, roomBytes: try used("room", counted, db), userBytes: try used("user", user, db),
            total: try PictureSchema.total(db))
        let verdict = facts.verdict(on: preview.bytes.count, limits)
        guard verdict == .stored else { return verdict }
        let more = preview.bytes.count - (current?.bytes ?? 0)
        try db.run(
            """
            INSERT INTO preview VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET digest = excluded.digest,
            type = excluded.type, width = excluded.width, height = excluded.height, size = excluded.size, bytes = excluded.bytes
            """, id, room, user, preview.id.description, preview.type, preview.width, preview.height, preview.bytes.count,
            preview.bytes)
        try db.run(
            "UPDATE upload SET at = ?, size = size + ? WHERE id = ? AND room = ? AND user = ?", upload.at, more, id, counted,
            user)
        try db.run("UPDATE picture SET uploaded_at = max(uploaded_at, ?) WHERE id = ?", upload.at, id)
        try db.run("UPDATE total SET bytes = bytes + ?", more)
        return .stored
    }

    static func preview(of original: PictureID, _ db: Connection) throws(SQLiteError) -> StoredPicture? {
        guard try PictureSchema.hasPreviews(db) else { return nil }
        var rows = try db.rows(
            .kept("SELECT digest, type, width, height, bytes FROM preview WHERE id = ?"), original.description)
        return try rows.first { row throws(SQLiteError) in
            StoredPicture(
                id: try row.digest(0), type: try row.text(1), width: try row.integer(2), height: try row.integer(3),
                bytes: try row.bytes(4))
        }
    }

    private static func previewRecord(of id: String, _ db: Connection) throws(SQLiteError) -> PreviewRecord? {
        guard try PictureSchema.hasPreviews(db) else { return nil }
        var rows = try db.rows(.kept("SELECT room, user, size FROM preview WHERE id = ?"), id)
        return try rows.first { row throws(SQLiteError) in
            PreviewRecord(room: try row.identifier(0), user: try row.identifier(1), bytes: try row.integer(2))
        }
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
        try forget(id.description, size, db)
        return true
    }

    /// Deletes what belongs to a picture of `size` bytes, but for its row.
    private static func forget(_ id: String, _ size: Int, _ db: Connection) throws(SQLiteError) {
        if let preview = try previewRecord(of: id, db) { try drop(preview, of: id, db) }
        try db.run("DELETE FROM upload WHERE id = ?", id)
        try db.run("UPDATE total SET count = count - 1, bytes = bytes - ?", size)
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
            try forget(id, size, db)
        }
        return unused.count
    }

    static func records(after: PictureID?, _ limit: Int, _ db: Connection) throws(SQLiteError) -> [PictureRecord] {
        var rows = try db.rows(
            .kept("SELECT id, kept, size, uploaded_at FROM picture WHERE id > ? ORDER BY id LIMIT ?"), after?.description ?? "",
            limit)
        return try rows.map { row throws(SQLiteError) in
            let id = try row.digest(0)
            let text = id.description
            var uploads = try db.rows(.kept("SELECT room, user, at FROM upload WHERE id = ? ORDER BY room, user"), text)
            return PictureRecord(
                id: id, isKept: try row.integer(1) != 0, bytes: try row.integer(2), changedAt: try row.instant(3),
                uploads: try uploads.map { upload throws(SQLiteError) in
                    PictureUpload(room: try upload.identifier(0), user: try upload.identifier(1), at: try upload.instant(2))
                }, preview: try previewRecord(of: text, db))
        }
    }
}

extension Rows {
    fileprivate func digest(_ column: Int) throws(SQLiteError) -> PictureID {
        let text = try text(column)
        guard let id = PictureID(text) else { throw SQLiteError(unreadable: "\(text) is no digest") }
        return id
    }
}
