import AuctionDomain
import EventLog
import Synchronization

/// Pictures in a SQLite file of their own beside the log, so that a write of megabytes delays no commit of the log. The log's lock is
/// for both files; only `remove` is also called by another process than that which has it.
///
/// The file is created by the first upload or removal. After a failure of the disk, or if it cannot be opened with the log, it
/// accepts no more writes until the log is opened again.
final class SQLitePictures: PictureStore {
    private let path: String
    private let isReadOnly: Bool
    private let state = Mutex(State())
    private let lastTotal = Mutex(PictureTotal())

    private struct State {
        var connections: PictureConnections?
        var failure: EventLogError?
        var isClosed = false
    }

    /// The file with the pictures of a log.
    static func path(beside log: String) -> String { log + ".media" }

    /// - Parameter log: the log's path.
    init(beside log: String, isReadOnly: Bool = false) {
        path = Self.path(beside: log)
        self.isReadOnly = isReadOnly
    }

    /// Opens the file if there is one.
    func open() throws(EventLogError) {
        do throws(EventLogError) {
            _ = try connections(creating: false)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    var failure: EventLogError? { state.withLock { $0.failure } }

    func close() {
        let connections = state.withLock { state in
            defer { (state.connections, state.isClosed) = (nil, true) }
            return state.connections
        }
        connections?.close()
    }

    private func connections(creating: Bool) throws(EventLogError) -> PictureConnections? {
        try state.withLock { state throws(EventLogError) in
            if state.isClosed { throw EventLogError(.unavailable, "the pictures \(path) have been closed") }
            if let connections = state.connections { return connections }
            let file = LogFile(path: path)
            guard creating || !file.isEmpty else { return nil }
            if !isReadOnly { try file.create() }
            let connections = try EventLogError.translating("open the pictures", path: path) {
                try PictureConnections(path: path, isReadOnly: isReadOnly)
            }
            if !isReadOnly { try file.syncDirectory() }
            state.connections = connections
            lastTotal.withLock { $0 = connections.totalAtOpening }
            return connections
        }
    }

    private func reading<Result>(
        _ action: String, absent: Result, _ body: (Connection) throws -> Result
    ) throws(EventLogError) -> Result {
        guard let connections = try connections(creating: false) else { return absent }
        return try EventLogError.translating(action, path: path) { try connections.readers.read(body) }
    }

    /// Runs `body` in a transaction and takes over the total after it.
    private func writing<Result>(
        _ action: String, creating: Bool = false, absent: Result, _ body: (Connection) throws -> Result
    ) throws(EventLogError) -> Result {
        if let failure {
            throw EventLogError(.unavailable, "the pictures accept no writes since they failed: \(failure.message)")
        }
        do throws(EventLogError) {
            guard let connections = try connections(creating: creating) else { return absent }
            let (result, total) = try EventLogError.translating(action, path: path) {
                try connections.writer.use { db in
                    try db.transaction(.immediate) { (try body(db), try PictureSchema.total(db)) }
                }
            }
            lastTotal.withLock { $0 = total }
            return result
        } catch {
            if error.isFinal { state.withLock { $0.failure = $0.failure ?? error } }
            throw error
        }
    }

    var total: PictureTotal { lastTotal.withLock { $0 } }

    func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        try checkSpace(for: picture, limits)
        return try writing("store a picture", creating: true, absent: .stored) { db in
            try PictureStatements.store(picture, by: upload, limits, db)
        }
    }

    func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        try checkSpace(for: preview, limits)
        return try writing("store a preview", absent: .unknownOriginal) { db in
            try PictureStatements.store(preview: preview, of: original, by: upload, limits, db)
        }
    }

    private func checkSpace(for picture: StoredPicture, _ limits: PictureLimits) throws(EventLogError) {
        let directory = LogFile(path: LogFile.directory(of: path))
        if let free = directory.freeBytes, limits.freeBytes > 0, free - Int64(picture.bytes.count) < Int64(limits.freeBytes) {
            throw EventLogError(.full, "the disk of \(path) has only \(free) bytes left, which the log may need")
        }
    }

    func preview(of original: PictureID) throws(EventLogError) -> StoredPicture? {
        try reading("read a preview", absent: nil) { db in try PictureStatements.preview(of: original, db) }
    }

    func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture? {
        try reading("read a picture", absent: nil) { db in
            var rows = try db.rows(
                .kept("SELECT type, width, height, bytes FROM picture WHERE id = ? AND size > 0"), id.description)
            return try rows.first { row throws(SQLiteError) in
                StoredPicture(
                    id: id, type: try row.text(0), width: try row.integer(1), height: try row.integer(2),
                    bytes: try row.bytes(3))
            }
        }
    }

    /// Whether each of the pictures is kept; of those that are stored.
    private func kept(_ ids: [PictureID]) throws(EventLogError) -> [PictureID: Bool] {
        try reading("find pictures", absent: [:]) { db in
            var found: [PictureID: Bool] = [:]
            for id in ids {
                let kept = try db.long(.kept("SELECT kept FROM picture WHERE id = ? AND size > 0"), id.description)
                found[id] = kept.map { $0 != 0 }
            }
            return found
        }
    }

    func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        let stored = try kept(ids)
        return ids.filter { stored[$0] == nil }
    }

    func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        let stored = try kept(ids)
        guard ids.allSatisfy({ stored[$0] != nil }) else { return ids.filter { stored[$0] == nil } }
        // Mostly they are kept already, and nothing is written.
        let others = stored.filter { !$0.value }.keys.sorted()
        if others.isEmpty { return [] }
        return try writing("keep pictures", absent: others) { db in
            try others.filter { id in
                try db.run("UPDATE picture SET kept = 1 WHERE id = ? AND size > 0", id.description)
                return db.changeCount == 0
            }
        }
    }

    func release(_ ids: [PictureID]) throws(EventLogError) {
        try writing("release pictures", absent: ()) { db in
            for id in ids { try db.run("UPDATE picture SET kept = 0 WHERE id = ? AND size > 0", id.description) }
        }
    }

    func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        let unused = try reading("find unused pictures", absent: []) { db in
            try PictureStatements.unused(before: cutoff, limit, db)
        }
        if unused.isEmpty { return 0 }
        return try writing("delete unused pictures", absent: 0) { db in
            try PictureStatements.deleteUnused(before: cutoff, limit, db)
        }
    }

    func remove(_ id: PictureID, at instant: Timestamp) throws(EventLogError) -> Bool {
        // Also where nothing has been uploaded yet, as in the target of a copy: the record has to be made all the same.
        try writing("remove a picture", creating: true, absent: false) { db in
            try PictureStatements.remove(id, at: instant, db)
        }
    }

    func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        try reading("list pictures", absent: []) { db in try PictureStatements.records(after: after, limit, db) }
    }
}

/// The open connections to a file of pictures.
struct PictureConnections {
    let writer: SharedConnection
    let readers: ConnectionPool
    let totalAtOpening: PictureTotal

    init(path: String, isReadOnly: Bool) throws {
        writer = try SharedConnection(path, isReadOnly ? Connections.reader : Connections.pictureWriter)
        totalAtOpening = try writer.use { db in
            if !isReadOnly { try PictureSchema.prepare(db, path: path) }
            try PictureSchema.check(db, path: path)
            return try PictureSchema.total(db)
        }
        readers = try ConnectionPool(path: path, count: 2)
    }

    func close() {
        readers.close()
        writer.close()
    }
}
