import AuctionDomain
import EventLog
import Foundation
import GRDB

/// The tables of a file with pictures.
enum PictureSchema {
    static let version = 1
    /// "AucP" in `PRAGMA application_id`.
    static let applicationID = 0x4175_6350
    /// Larger than the log's: a picture has many pages, and each is read by following the one before it.
    static let pageBytes = 16384

    /// Creates the tables in an empty file, and moves everything into the file as `SQLiteEventLog.enterWAL` does.
    static func prepare(_ db: Database, path: String) throws {
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 {
            try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
            try db.inTransaction(.immediate) {
                try db.execute(sql: tables)
                try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
                return .commit
            }
        }
        try check(db, path: path)
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        _ = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    static func check(_ db: Database, path: String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
            throw EventLogError(.corrupt, "\(path) has no pictures of an auction log")
        }
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found <= version else {
            throw EventLogError(
                .newerSchema, "\(path) has schema version \(found); this program knows up to \(version): run a newer one")
        }
    }

    static func total(_ db: Database) throws -> PictureTotal {
        guard let row = try Row.fetchOne(db, sql: "SELECT count, bytes FROM total") else { return PictureTotal() }
        return PictureTotal(count: try row.integer(0), bytes: try row.integer(1))
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
        _ picture: StoredPicture, by upload: PictureUpload, _ limits: PictureLimits, _ db: Database
    ) throws -> PictureVerdict {
        let id = picture.id.description
        let size = try size(of: id, db)
        if size == 0 { return .removed }
        let isKnown = size != nil
        let upsert: StatementArguments = [
            id, upload.room.description, upload.user.description, upload.at.milliseconds, picture.countedBytes,
        ]
        let isRepeated =
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM upload WHERE id = ? AND room = ? AND user = ?",
                arguments: [id, upload.room.description, upload.user.description]) != nil
        if !isRepeated {
            let total = isKnown ? nil : try PictureSchema.total(db).countedBytes
            let quota = limits.reached(
                by: picture.countedBytes, room: try used("room", upload.room.description, db),
                user: try used("user", upload.user.description, db), total: total)
            if let quota { return .overQuota(quota) }
        }
        if isKnown {
            try db.execute(
                sql: "UPDATE picture SET uploaded_at = max(uploaded_at, ?) WHERE id = ?",
                arguments: [upload.at.milliseconds, id])
        } else {
            try db.execute(
                sql: "INSERT INTO picture VALUES (?, ?, ?, ?, ?, 0, ?, ?)",
                arguments: [
                    id, picture.type, picture.width, picture.height, picture.bytes.count, upload.at.milliseconds,
                    Data(picture.bytes),
                ])
            try db.execute(sql: "UPDATE total SET count = count + 1, bytes = bytes + ?", arguments: [picture.bytes.count])
        }
        try db.execute(
            sql: "INSERT INTO upload VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at", arguments: upsert)
        return .stored
    }

    /// Nil without a row.
    private static func size(of id: String, _ db: Database) throws -> Int? {
        try Row.fetchOne(db, sql: "SELECT size FROM picture WHERE id = ?", arguments: [id]).map { try $0.integer(0) }
    }

    static func remove(_ id: PictureID, at instant: Timestamp, _ db: Database) throws -> Bool {
        let size = try size(of: id.description, db)
        if size == 0 { return false }
        try db.execute(
            sql: """
                INSERT INTO picture VALUES (?, '', 0, 0, 0, 1, ?, x'') ON CONFLICT (id) DO UPDATE
                SET type = '', width = 0, height = 0, size = 0, kept = 1, uploaded_at = excluded.uploaded_at, bytes = x''
                """, arguments: [id.description, instant.milliseconds])
        guard let size else { return false }
        try db.execute(sql: "DELETE FROM upload WHERE id = ?", arguments: [id.description])
        try db.execute(sql: "UPDATE total SET count = count - 1, bytes = bytes - ?", arguments: [size])
        return true
    }

    private static func used(_ column: String, _ value: String, _ db: Database) throws -> Int {
        let select = try db.cachedStatement(sql: "SELECT coalesce(sum(size), 0) FROM upload WHERE \(column) = ?")
        return try Row.fetchOne(select, arguments: [value]).map { try $0.integer(0) } ?? 0
    }

    static func unused(before cutoff: Timestamp, _ limit: Int, _ db: Database) throws -> [(id: String, size: Int)] {
        let sql = "SELECT id, size FROM picture WHERE NOT kept AND uploaded_at < ? ORDER BY uploaded_at LIMIT ?"
        return try Row.fetchAll(db, sql: sql, arguments: [cutoff.milliseconds, limit]).map { row in
            (try row.text(0), try row.integer(1))
        }
    }

    static func deleteUnused(before cutoff: Timestamp, _ limit: Int, _ db: Database) throws -> Int {
        let unused = try unused(before: cutoff, limit, db)
        for (id, size) in unused {
            try db.execute(sql: "DELETE FROM picture WHERE id = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM upload WHERE id = ?", arguments: [id])
            try db.execute(sql: "UPDATE total SET count = count - 1, bytes = bytes - ?", arguments: [size])
        }
        return unused.count
    }

    static func records(after: PictureID?, _ limit: Int, _ db: Database) throws -> [PictureRecord] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, kept, size, uploaded_at FROM picture WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [after?.description ?? "", limit])
        return try rows.map { row in
            let text = try row.text(0)
            guard let id = PictureID(text) else { throw UnreadableRow(what: "\(text) is no digest") }
            let uploads = try Row.fetchAll(
                db, sql: "SELECT room, user, at FROM upload WHERE id = ? ORDER BY room, user", arguments: [text])
            return PictureRecord(
                id: id, isKept: try row.integer(1) != 0, bytes: try row.integer(2), changedAt: try row.instant(3),
                uploads: try uploads.map {
                    PictureUpload(room: try $0.identifier(0), user: try $0.identifier(1), at: try $0.instant(2))
                })
        }
    }
}
