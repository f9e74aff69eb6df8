import AuctionDomain
import EventLog
import Synchronization

/// Pictures in tables beside the log's, on sessions of their own: a picture of megabytes delays neither appends nor reads of events.
final class PostgresPictures: PictureStore {
    private let pool: SessionPool
    private let lastTotal = Mutex(PictureTotal())

    init(_ connector: Connector) { pool = SessionPool(connector, count: 2) }

    func close() { pool.close() }

    var total: PictureTotal { lastTotal.withLock { $0 } }

    /// Uploads at the same time may exceed a limit together, each by its own picture.
    func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        try pool.use("store a picture") { session throws(SessionFailure) in
            let call = Call(PictureSQL.used, picture.id.description, upload.room.description, upload.user.description)
            let used = try session.run([call])[0][0]
            let (isKnown, isRepeated) = (try used.flag(0), try used.flag(1))
            if try used.flag(6) { return .removed }
            let total = PictureTotal(count: try used.integer(4), bytes: try used.integer(5))
            if !isRepeated {
                let quota = limits.reached(
                    by: picture.countedBytes, room: try used.integer(2), user: try used.integer(3),
                    total: isKnown ? nil : total.countedBytes)
                if let quota { return .overQuota(quota) }
            }
            // Also for a known picture, which housekeeping may delete meanwhile.
            let isStored = try session.run(Self.upload(picture, by: upload))[1].count == 1
            try refreshTotal(session)
            return isStored ? .stored : .removed
        }
    }

    /// The second has a row unless the picture has been removed meanwhile.
    static func upload(_ picture: StoredPicture, by upload: PictureUpload) -> [Call] {
        [
            Call(
                PictureSQL.insert, picture.id.description, picture.type, picture.width, picture.height, picture.bytes.count,
                upload.at, picture.bytes),
            Call(
                PictureSQL.upload, picture.id.description, upload.room.description, upload.user.description, upload.at,
                picture.countedBytes),
            Call(PictureSQL.dropPreview, picture.id.description, upload.user.description),
        ]
    }

    /// Previews at the same time may exceed a limit together, each by its own bytes.
    func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        try pool.use("store a preview") { session throws(SessionFailure) in
            let (id, room, user) = (original.description, upload.room.description, upload.user.description)
            let row = try session.run([Call(PictureSQL.previewFacts, id, room, user)])[0][0]
            let facts = PreviewFacts(
                pictureBytes: try row.optionalLong(0).map { Int($0) }, isUploader: try row.flag(1),
                hasOtherUploaders: try row.flag(2), current: try Self.previewRecord(row, at: 3), roomBytes: try row.integer(6),
                userBytes: try row.integer(7), total: PictureTotal(count: try row.integer(8), bytes: try row.integer(9)))
            let verdict = facts.verdict(on: preview.bytes.count, limits)
            guard verdict == .stored else { return verdict }
            let stored = try session.run([
                Call(PictureSQL.touch, id, upload.at),
                Call(
                    PictureSQL.preview, id, room, user, upload.at, preview.id.description, preview.type, preview.width,
                    preview.height, preview.bytes.count, preview.bytes),
            ])
            try refreshTotal(session)
            if stored[1].count == 1 { return .stored }
            // Meanwhile another user has uploaded the picture, or it has been removed or deleted.
            return stored[0].count == 1 ? .notUploader : .unknownOriginal
        }
    }

    func preview(of original: PictureID) throws(EventLogError) -> StoredPicture? {
        try pool.use("read a preview") { session throws(SessionFailure) in
            let rows = try session.run([Call(PictureSQL.readPreview, original.description)])[0]
            guard rows.count == 1 else { return nil }
            let row = rows[0]
            guard let id = PictureID(row.text(0)) else { throw row.unreadable(0, "a digest") }
            return StoredPicture(
                id: id, type: row.text(1), width: try row.integer(2), height: try row.integer(3), bytes: row.bytes(4))
        }
    }

    /// The room, the user and the size in three columns; nil if they are NULL.
    private static func previewRecord(_ row: Row, at column: Int) throws(SessionFailure) -> PreviewRecord? {
        if row.isNull(column) { return nil }
        return PreviewRecord(
            room: try row.identifier(column), user: try row.identifier(column + 1), bytes: try row.integer(column + 2))
    }

    static func removal(of id: PictureID, at instant: Timestamp) -> [Call] {
        [PictureSQL.reserve, PictureSQL.remove].map { Call($0, id.description, instant) }
    }

    private func refreshTotal(_ session: Session) throws(SessionFailure) {
        let row = try session.run([Call(PictureSQL.total)])[0][0]
        let total = PictureTotal(count: try row.integer(0), bytes: try row.integer(1))
        lastTotal.withLock { $0 = total }
    }

    func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture? {
        try pool.use("read a picture") { session throws(SessionFailure) in
            let rows = try session.run([Call(PictureSQL.picture, id.description)])[0]
            guard rows.count == 1 else { return nil }
            let row = rows[0]
            return StoredPicture(
                id: id, type: row.text(0), width: try row.integer(1), height: try row.integer(2), bytes: row.bytes(3))
        }
    }

    /// Whether each of the pictures is kept; of those that are stored.
    private func kept(_ ids: [PictureID], _ session: Session) throws(SessionFailure) -> [PictureID: Bool] {
        var found: [PictureID: Bool] = [:]
        for row in try session.run([Call(PictureSQL.kept) { $0.add(ids.map(\.description)) }])[0].map({ $0 }) {
            guard let id = PictureID(row.text(0)) else { throw row.unreadable(0, "a digest") }
            found[id] = try row.flag(1)
        }
        return found
    }

    func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        try pool.use("find pictures") { session throws(SessionFailure) in
            let stored = try kept(ids, session)
            return ids.filter { stored[$0] == nil }
        }
    }

    func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        if ids.isEmpty { return [] }
        return try pool.use("keep pictures") { session throws(SessionFailure) in
            let stored = try kept(ids, session)
            guard ids.allSatisfy({ stored[$0] != nil }) else { return ids.filter { stored[$0] == nil } }
            let others = stored.filter { !$0.value }.keys.sorted()
            if others.isEmpty { return [] }
            let rows = try session.run([Call(PictureSQL.keep) { $0.add(others.map(\.description)) }])[0]
            let kept = Set(try rows.map { row throws(SessionFailure) in row.text(0) })
            return others.filter { !kept.contains($0.description) }
        }
    }

    func release(_ ids: [PictureID]) throws(EventLogError) {
        if ids.isEmpty { return }
        try pool.use("release pictures") { session throws(SessionFailure) in
            _ = try session.run([Call(PictureSQL.release) { $0.add(ids.map(\.description)) }])
        }
    }

    func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try pool.use("delete unused pictures") { session throws(SessionFailure) in
            let count = try session.run([Call(PictureSQL.deleteUnused, cutoff, limit)])[0][0].integer(0)
            try refreshTotal(session)
            return count
        }
    }

    func remove(_ id: PictureID, at instant: Timestamp) throws(EventLogError) -> Bool {
        try pool.use("remove a picture") { session throws(SessionFailure) in
            let isRemoved = try session.run(Self.removal(of: id, at: instant))[1][0].flag(0)
            try refreshTotal(session)
            return isRemoved
        }
    }

    func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        try pool.use("list pictures") { session throws(SessionFailure) in
            let list = Call(PictureSQL.records, after?.description ?? "", limit)
            var records: [PictureRecord] = []
            for row in try session.run([list])[0].map({ row throws(SessionFailure) in row }) {
                guard let id = PictureID(row.text(0)) else { throw row.unreadable(0, "a digest") }
                let uploads = try session.run([Call(PictureSQL.uploads, id.description)])[0]
                    .map { row throws(SessionFailure) in
                        PictureUpload(room: try row.identifier(0), user: try row.identifier(1), at: try row.instant(2))
                    }
                records.append(
                    PictureRecord(
                        id: id, isKept: try row.flag(1), bytes: try row.integer(2), changedAt: try row.instant(3),
                        uploads: uploads, preview: try Self.previewRecord(row, at: 4)))
            }
            return records
        }
    }
}

/// SQL statements for pictures.
enum PictureSQL {
    static let used = Statement(
        name: "media_used",
        sql: """
            SELECT EXISTS (SELECT FROM media WHERE id = $1),
                EXISTS (SELECT FROM media_upload WHERE id = $1 AND room = $2 AND user_id = $3),
                (SELECT coalesce(sum(size), 0)::bigint FROM media_upload WHERE room = $2),
                (SELECT coalesce(sum(size), 0)::bigint FROM media_upload WHERE user_id = $3), count, bytes,
                EXISTS (SELECT FROM media WHERE id = $1 AND size = 0)
            FROM media_total
            """)
    /// Leaves a picture that has been removed as it is, but locks its row too. The total is changed last, because uploads of all nodes wait for
    /// each other there.
    static let insert = Statement(
        name: "media_insert",
        sql: """
            WITH stored AS (
                INSERT INTO media (id, type, width, height, size, uploaded_at, kept, bytes)
                VALUES ($1, $2, $3, $4, $5, $6, false, $7)
                ON CONFLICT (id) DO UPDATE SET uploaded_at = greatest(media.uploaded_at, excluded.uploaded_at)
                    WHERE media.size > 0
                RETURNING size, xmax = 0 AS is_new
            )
            UPDATE media_total t SET count = t.count + 1, bytes = t.bytes + s.size FROM stored s WHERE s.is_new
            """)
    static let upload = Statement(
        name: "media_upload",
        sql: """
            INSERT INTO media_upload (id, room, user_id, at, size)
            SELECT id, $2::text, $3::text, $4::bigint, $5::bigint FROM media WHERE id = $1 AND size > 0
            ON CONFLICT (id, room, user_id) DO UPDATE SET at = excluded.at RETURNING id
            """)
    /// Drops the preview of a picture that another user than its uploader has uploaded. `insert` has locked the picture's row, so this sees
    /// everything of a preview that it waited for.
    static let dropPreview = Statement(
        name: "media_preview_drop",
        sql: """
            WITH dropped AS (DELETE FROM media_preview WHERE id = $1 AND user_id <> $2 RETURNING id, room, user_id, size),
                uncounted AS (
                    UPDATE media_upload u SET size = u.size - d.size FROM dropped d
                    WHERE u.id = d.id AND u.room = d.room AND u.user_id = d.user_id
                )
            UPDATE media_total t SET bytes = t.bytes - d.size FROM dropped d
            """)
    /// A preview without its picture is none: nodes of the version before delete and remove pictures without theirs.
    static let previewFacts = Statement(
        name: "media_preview_facts",
        sql: """
            SELECT (SELECT size FROM media WHERE id = $1),
                EXISTS (SELECT FROM media_upload WHERE id = $1 AND room = $2 AND user_id = $3),
                EXISTS (SELECT FROM media_upload WHERE id = $1 AND user_id <> $3), p.room, p.user_id, p.size,
                (SELECT coalesce(sum(size), 0)::bigint FROM media_upload WHERE room = coalesce(p.room, $2)),
                (SELECT coalesce(sum(size), 0)::bigint FROM media_upload WHERE user_id = $3), count, t.bytes
            FROM media_total t
                LEFT JOIN (media_preview p JOIN media m ON m.id = p.id AND m.size > 0) ON p.id = $1
            """)
    /// Locks the row of a picture, so that `preview`, the next statement of the transaction, sees everything of a removal, an upload or
    /// another preview that it waited for; and makes the picture younger than what `deleteUnused` deletes.
    static let touch = Statement(
        name: "media_touch",
        sql: "UPDATE media SET uploaded_at = greatest(uploaded_at, $2) WHERE id = $1 AND size > 0 RETURNING id")
    static let preview = Statement(
        name: "media_preview",
        sql: """
            WITH place AS MATERIALIZED (
                    SELECT m.id, coalesce(p.room, $2::text) AS room, $9::bigint - coalesce(p.size, 0) AS more
                    FROM media m LEFT JOIN media_preview p ON p.id = m.id
                    WHERE m.id = $1 AND m.size > 0 AND coalesce(p.user_id, $3::text) = $3::text
                        AND NOT EXISTS (SELECT FROM media_upload u WHERE u.id = m.id AND u.user_id <> $3::text)
                ),
                counted AS (
                    UPDATE media_upload u SET at = $4::bigint, size = u.size + p.more
                    FROM place p WHERE u.id = p.id AND u.room = p.room AND u.user_id = $3::text RETURNING u.id, u.room, p.more
                ),
                total AS (UPDATE media_total t SET bytes = t.bytes + c.more FROM counted c)
            INSERT INTO media_preview (id, room, user_id, digest, type, width, height, size, bytes)
            SELECT id, room, $3::text, $5::text, $6::text, $7::bigint, $8::bigint, $9::bigint, $10::bytea FROM counted
            ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, type = excluded.type, width = excluded.width,
                height = excluded.height, size = excluded.size, bytes = excluded.bytes
            RETURNING id
            """)
    static let readPreview = Statement(
        name: "media_preview_read",
        sql: """
            SELECT p.digest, p.type, p.width, p.height, p.bytes
            FROM media_preview p JOIN media m ON m.id = p.id WHERE p.id = $1 AND m.size > 0
            """)
    static let total = Statement(name: "media_total", sql: "SELECT count, bytes FROM media_total")
    static let picture = Statement(
        name: "media", sql: "SELECT type, width, height, bytes FROM media WHERE id = $1 AND size > 0")
    static let kept = Statement(name: "media_kept", sql: "SELECT id, kept FROM media WHERE id = ANY ($1) AND size > 0")
    static let keep = Statement(
        name: "media_keep",
        sql: """
            WITH found AS MATERIALIZED (SELECT id FROM media WHERE id = ANY ($1) AND size > 0 ORDER BY id FOR UPDATE)
            UPDATE media m SET kept = true FROM found f WHERE m.id = f.id RETURNING m.id
            """)
    static let release = Statement(
        name: "media_release", sql: "UPDATE media SET kept = false WHERE id = ANY ($1) AND size > 0")
    /// Nothing that is being kept or uploaded again at the moment.
    static let deleteUnused = Statement(
        name: "media_delete_unused",
        sql: """
            WITH unused AS MATERIALIZED (
                    SELECT id FROM media WHERE NOT kept AND uploaded_at < $1 ORDER BY uploaded_at LIMIT $2 FOR UPDATE SKIP LOCKED
                ),
                deleted AS (DELETE FROM media m USING unused u WHERE m.id = u.id RETURNING m.id, m.size),
                uploads AS (DELETE FROM media_upload p USING unused u WHERE p.id = u.id),
                previews AS (DELETE FROM media_preview p USING unused u WHERE p.id = u.id RETURNING p.size),
                total AS (
                    UPDATE media_total SET count = count - (SELECT count(*) FROM deleted),
                        bytes = bytes - (SELECT coalesce(sum(size), 0) FROM deleted)
                            - (SELECT coalesce(sum(size), 0) FROM previews)
                    WHERE EXISTS (SELECT FROM deleted)
                )
            SELECT count(*) FROM deleted
            """)
    /// A picture that an operator has removed is a row without bytes, of size 0, kept, with the time of that in `uploaded_at`. This makes
    /// one for a picture that is not stored. Of one that is, it only locks the row, so that `remove`, the next statement of the
    /// transaction, sees everything of an upload that it waited for.
    static let reserve = Statement(
        name: "media_reserve",
        sql: """
            INSERT INTO media (id, type, width, height, size, uploaded_at, kept, bytes) VALUES ($1, '', 0, 0, 0, $2, true, '')
            ON CONFLICT (id) DO UPDATE SET kept = true WHERE false
            """)
    static let remove = Statement(
        name: "media_remove",
        sql: """
            WITH stored AS MATERIALIZED (SELECT size FROM media WHERE id = $1 AND size > 0),
                removed AS (
                    UPDATE media SET type = '', width = 0, height = 0, size = 0, kept = true, bytes = '', uploaded_at = $2
                    WHERE id = $1 AND size > 0
                ),
                uploads AS (DELETE FROM media_upload WHERE id = $1),
                previews AS (DELETE FROM media_preview WHERE id = $1 RETURNING size),
                total AS (
                    UPDATE media_total t SET count = t.count - 1,
                        bytes = t.bytes - s.size - coalesce((SELECT size FROM previews), 0)
                    FROM stored s
                )
            SELECT EXISTS (SELECT FROM stored)
            """)
    static let records = Statement(
        name: "media_records",
        sql: """
            SELECT m.id, m.kept, m.size, m.uploaded_at, p.room, p.user_id, p.size
            FROM media m LEFT JOIN media_preview p ON p.id = m.id WHERE m.id > $1 ORDER BY m.id LIMIT $2
            """)
    static let uploads = Statement(
        name: "media_uploads", sql: "SELECT room, user_id, at FROM media_upload WHERE id = $1 ORDER BY room, user_id")
}
