package import EventLog
import Synchronization

/// A log in one SQLite file, for one process.
///
/// An append writes little more than its events; the event index and the rooms' rows are updated later, in bulk. Until then the
/// pending changes are kept in memory (`RoomCache`), and a start after a crash restores them from the events.
///
/// Durable when `append` returns (WAL, `synchronous = FULL`: one fdatasync per batch). All files are readable by their owner only;
/// `PATH.lock` and a lock on the file exclude other processes. After a disk failure the log rejects all writes, because what is
/// durable is unknown until it is opened again.
package final class SQLiteEventLog: EventLog {
    /// Bounds; the defaults are for production.
    struct Limits {
        /// Connections for reading.
        var readers = 6
        /// How long a start waits for programs that read the log, in milliseconds: a backup notices the start after its next step.
        var startWait = 15_000
        /// Pages by which the write-ahead log grows before a checkpoint, which costs two syncs.
        var checkpointPages = 1000
        /// Pages in the write-ahead log above which it is emptied even if the committer has to wait.
        var restartPages = 8192
        /// Size of the write-ahead log's file above which it is truncated. Large, because a growing file makes every sync slower;
        /// usually the file is reused from its start.
        var walBytes: Int64 = 256 << 20
        /// Size of that file from which it is also truncated if less than twice as much of the disk is free: on a small disk it would take the
        /// space into which its own pages have to be moved.
        var scarceWalBytes: Int64 = 4 << 20
        /// Free bytes on the disk; nil if unknown.
        var freeOnDisk: @Sendable (LogFile) -> Int64? = \.freeBytes
        /// Free disk space below which `probe` reports `.full`.
        var freeBytes: Int64 = 16 << 20
        /// Responses deleted per transaction; small, because the committer waits for it.
        var deletedPerTransaction = 256
        /// Rooms in the cache.
        var rooms = 100_000
        /// Pending events and responses at which `maintain` flushes. Large, because flushing more events of a room at once writes
        /// fewer pages.
        var flushThreshold = 50_000
        /// … or the number of calls of `maintain`, about a second apart, after which it flushes anyway.
        var callsPerFlush = 10
        /// Rooms and events per transaction of a flush; small, because the committer waits for it.
        var roomsPerSlice = 64
        var eventsPerSlice = 500
        /// Size above which a snapshot is written in pieces of this many bytes, because the committer waits for each transaction.
        var snapshotPieceBytes = 131_072
        /// Pending events and responses above which an append flushes first. Bounds memory and the time of the next start, together
        /// with one batch.
        var maximumPending = 150_000
        /// Rooms, and rows of the index by user, per transaction while that index is built.
        var roomsPerIndexing = 256
        var rowsPerIndexing = 4096
        /// Participations of archived rooms deleted per call of `maintain`, in one transaction; each is in another page.
        var participationsPerDeletion = 128
        /// Events of a pruned room deleted per transaction, and rows of the index by user; small, because the committer waits for it.
        var eventsPerPruning = 128
    }

    let limits: Limits
    let file: LogFile
    let writer: SQLiteWriter
    let readers: ConnectionPool
    let checkpointer: SharedConnection
    private let storedPictures: SQLitePictures
    /// How often `maintain` was called since it last flushed.
    let callsSinceFlush: Atomic<Int>
    /// Whether `maintain` no longer deletes participations of archived rooms, because their table is damaged.
    let leavesArchived = Atomic<Bool>(false)
    /// Why the index by user could not be completed when the log was opened; see `buildUserIndex`.
    let userIndexFailure = Mutex<EventLogError?>(nil)
    /// The last of all, so that the lock in it outlives the connections of a log that is not closed.
    private let lifecycle: Mutex<Lifecycle>

    private struct Lifecycle: ~Copyable {
        var isClosed = false
        var failure: EventLogError?
        var lock: LockFile?
    }

    /// Opens the log, creating the file and its directory if they are missing.
    /// - Parameters:
    ///   - rebuildsUserIndex: Whether the index by user is made anew, because its pages are damaged.
    ///   - report: Receives lines for an operator while the log is opened: progress, and what failed without loss of data.
    /// - Throws: `.locked`, `.newerSchema`, `.corrupt`, `.unavailable`, `.full` or `.io`; the message names the file.
    package convenience init(
        path: String, rebuildsUserIndex: Bool = false, report: (String) -> Void = { _ in }
    ) throws(EventLogError) {
        try self.init(path: path, limits: Limits(), rebuildsUserIndex: rebuildsUserIndex, report: report)
    }

    init(
        path: String, limits: Limits, rebuildsUserIndex: Bool = false, report: (String) -> Void = { _ in }
    ) throws(EventLogError) {
        let file = LogFile(path: path)
        try file.create()
        let lock = try LockFile(for: path)
        if file.isEmpty, lock.wasUsed || file.walBytes > 0 {
            throw EventLogError(
                .corrupt,
                "\(path) is empty or gone, but a log was kept there: put a copy of it back, or remove \(path).lock and "
                    + "\(file.walPath) as well to begin a new one")
        }
        (writer, readers, checkpointer) = try EventLogError.translating("open the log", path: path) {
            let connection = try SharedConnection(path, Connections.writer)
            try connection.use { db in
                try Schema.prepare(db, path: path)
                try Self.enterWAL(db, path: path, wait: limits.startWait)
            }
            let writer = SQLiteWriter(connection, path: path, limits: limits)
            try writer.recover()
            try file.syncDirectory()
            return (
                writer, try ConnectionPool(path: path, count: limits.readers),
                try SharedConnection(path, Connections.writer)
            )
        }
        lock.markUsed()
        self.file = file
        self.limits = limits
        storedPictures = SQLitePictures(beside: path)
        lifecycle = Mutex(Lifecycle(lock: lock))
        // Pending changes from before a crash are flushed by the first `maintain`.
        callsSinceFlush = Atomic(writer.cache.pendingCount > 0 ? limits.callsPerFlush : 0)
        do throws(EventLogError) {
            // Before anything is written to it.
            if rebuildsUserIndex { try writing("make the index by user anew") { try writer.recreateUserIndex() } }
            try buildUserIndex(report)
        } catch {
            closeConnections()
            throw error
        }
        // A room is worth more than its pictures.
        do throws(EventLogError) { try storedPictures.open() } catch { report("there are no pictures: \(error.message)") }
    }

    /// See `EventLog.pictures`: in a file of their own.
    package var pictures: any PictureStore { storedPictures }

    /// The pictures of a log that another process may have open, for `PictureStore.remove`.
    package static func pictures(beside path: String) -> any PictureStore { SQLitePictures(beside: path) }

    /// Moves everything into the database file and syncs it before the first append: after a failed sync and a restart, the page
    /// cache may contain write-ahead log pages that are not on the disk.
    private static func enterWAL(_ db: Connection, path: String, wait: Int) throws {
        guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw EventLogError(.unavailable, "\(path): its file system does not support SQLite's write-ahead log")
        }
        try db.setBusyTimeout(milliseconds: wait)
        let busy = try db.long("PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        if busy != 0 { throw EventLogError(.locked, "\(path) is being read by another program; end it and start again") }
        try db.setBusyTimeout(milliseconds: Connections.busyMilliseconds)
    }

    /// See `EventLog.append`.
    package func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if batch.isEmpty { return [] }
        return try writing("append") { try writer.append(batch) }
    }

    /// See `EventLog.save`. Damage that it finds does not end the log: rooms are loaded without their snapshots, and damage of anything
    /// else is found by the next append to it.
    package func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        for snapshot in snapshots { try writing("save a snapshot") { try save(snapshot) } }
    }

    private func save(_ snapshot: RoomSnapshot) throws(EventLogError) {
        do throws(EventLogError) {
            try EventLogError.translating("save a snapshot", path: file.path) { try writer.save(snapshot) }
        } catch {
            throw error.code == .corrupt ? EventLogError(.statement, error.message) : error
        }
    }

    /// Frees the pages that the writing connections have cached, 64 MiB each at most.
    package func releaseMemory() {
        for connection in [writer.connection, checkpointer] { try? connection.use { $0.releaseMemory() } }
    }

    /// Throws if no write transaction can begin or the disk is nearly full (`.full`).
    package func probe() throws(EventLogError) {
        try writing("begin a transaction") { try writer.probe() }
        if let free = limits.freeOnDisk(file), free < limits.freeBytes {
            throw EventLogError(.full, "the disk of \(file.path) has only \(free) bytes left")
        }
    }

    /// See `EventLog.size`.
    package func size() throws(EventLogError) -> LogSize {
        // The write-ahead log beside it has a bound of its own.
        let bytes = try reading("count pages") { db in
            let pages = try (db.long("PRAGMA page_count") ?? 0) - (db.long("PRAGMA freelist_count") ?? 0)
            return try pages * (db.long("PRAGMA page_size") ?? 0)
        }
        return LogSize(bytes: bytes, freeBytes: limits.freeOnDisk(file))
    }

    /// Flushes, closes all connections and releases the lock. Idempotent; calls in progress throw `.unavailable`.
    package func close() {
        let wasClosed = lifecycle.withLock { lifecycle in
            defer { lifecycle.isClosed = true }
            return lifecycle.isClosed
        }
        if wasClosed { return }
        // Shortens the next start.
        if lifecycle.withLock({ $0.failure }) == nil { try? writer.flushAll() }
        closeConnections()
        lifecycle.withLock { $0.lock = nil }
    }

    /// Closing the last connection moves the write-ahead log into the database. If that fails nothing is lost, because the next
    /// start does it again. The lock is held until then (`DatabaseLock`).
    private func closeConnections() {
        storedPictures.close()
        readers.close()
        checkpointer.close()
        writer.close()
    }

    // MARK: - Guards

    func reading<Result>(_ action: String, _ body: (Connection) throws -> Result) throws(EventLogError) -> Result {
        try guarded(action) { try readers.read(body) }
    }

    /// Runs a write, unless an earlier one failed with a final error (`EventLogError.isFinal`); reads remain possible. Later writes
    /// fail with the same code, so that housekeeping finds out that the log has failed, whatever wrote first.
    func writing<Result>(_ action: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        if let failure = lifecycle.withLock({ $0.failure }) {
            throw EventLogError(failure.code, "the log rejects writes since it failed: \(failure.message)")
        }
        do {
            return try guarded(action, body)
        } catch {
            if error.isFinal { lifecycle.withLock { $0.failure = $0.failure ?? error } }
            throw error
        }
    }

    private func guarded<Result>(_ action: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        if lifecycle.withLock({ $0.isClosed }) { throw closed }
        do {
            return try EventLogError.translating(action, path: file.path, body)
        } catch {
            // The log was closed during the call.
            throw lifecycle.withLock({ $0.isClosed }) ? closed : error
        }
    }

    private var closed: EventLogError { EventLogError(.unavailable, "the log \(file.path) has been closed") }
}
