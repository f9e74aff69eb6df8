public import EventLog
import GRDB
import Synchronization

/// A log in one SQLite file, for one process.
///
/// An append writes its events and little else; indexes and the rooms' rows follow later, in bulk, and what they lack is
/// kept in memory (`LiveRooms`) until then, and found again in the events by the next start.
///
/// Durable when `append` returns (WAL, `synchronous = FULL`: one fdatasync per batch). The file and its companions are
/// readable by their owner only; `PATH.lock` keeps other processes out. After a failure of the disk the log takes no
/// more appends: what the disk holds is known again only when the log is opened anew.
public final class SQLiteEventLog: EventLog {
    /// Bounds; the defaults are for production.
    struct Limits {
        var readers = 6
        /// A checkpoint is worth its two syncs once the write-ahead log has grown by about this many pages.
        var checkpointPages = 1000
        /// With so many pages in it the write-ahead log is emptied while the committer waits, if it must be.
        var restartPages = 8192
        /// Above this the write-ahead log's file is cut back to nothing. Large, because a file that grows makes every sync
        /// dearer; usually it is written again from its start.
        var walBytes: Int64 = 256 << 20
        /// With less free disk than this the log says that it is full before it is.
        var freeBytes: Int64 = 16 << 20
        /// Answers deleted per transaction, so that the committer waits for little.
        var deletedPerTransaction = 256
        /// Rooms whose heads stay in memory.
        var rooms = 100_000
        /// `maintain` flushes once so many events and answers wait for it: the more of a room at once, the fewer pages.
        var flushedAt = 50_000
        /// … or once it was called so many times, about a second apart, since it last did.
        var callsPerFlush = 10
        /// Rooms and events in one transaction of a flush, so that the committer waits for little.
        var flushedRooms = 64
        var flushedEvents = 500
        /// A larger snapshot goes in pieces of so many bytes, so that the committer waits for little.
        var snapshotPieceBytes = 131_072
        /// With more than this behind, an append flushes before it appends: what is held in memory, and what the next
        /// start has to read before it serves, is at most this and one batch.
        var unflushed = 150_000
    }

    let limits: Limits
    let file: LogFile
    let writer: SQLiteWriter
    let readers: ReaderPool
    let checkpointer: DatabaseQueue
    /// How often `maintain` was called since it last flushed.
    let callsSinceFlush: Atomic<Int>
    private let life: Mutex<Life>

    private struct Life: ~Copyable {
        var isClosed = false
        var failure: EventLogError?
        var lock: LockFile?
    }

    /// Opens the log, creating file and directory where they are missing.
    /// - Throws: `.locked`, `.newerSchema`, `.corrupt`, `.unavailable`, `.full` or `.io`, naming the file.
    public convenience init(path: String) throws(EventLogError) { try self.init(path: path, limits: Limits()) }

    init(path: String, limits: Limits) throws(EventLogError) {
        let file = LogFile(path: path)
        try file.create()
        let lock = try LockFile(for: path)
        if file.isEmpty, lock.wasUsed || file.walBytes > 0 {
            throw EventLogError(
                .corrupt,
                "\(path) is empty or gone, but a log was kept there: put a copy of it back, or remove \(path).lock and "
                    + "\(path)-wal as well to begin a new one")
        }
        (writer, readers, checkpointer) = try EventLogError.translating("open the log", path: path) {
            let queue = try DatabaseQueue(path: path, configuration: Connections.writer)
            try queue.writeWithoutTransaction { db in
                try Schema.prepare(db, path: path)
                try Self.enterWAL(db, path: path)
            }
            let writer = SQLiteWriter(queue: queue, limits: limits)
            try writer.recover()
            return (
                writer, try ReaderPool(path: path, count: limits.readers),
                try DatabaseQueue(path: path, configuration: Connections.writer)
            )
        }
        try file.syncDirectory()
        lock.markUsed()
        self.file = file
        self.limits = limits
        life = Mutex(Life(lock: lock))
        // What a crash left behind is not to wait for long.
        callsSinceFlush = Atomic(writer.live.behind > 0 ? limits.callsPerFlush : 0)
    }

    /// Moves everything into the database file and syncs it before the first promise: after a failed sync and a restart
    /// the page cache may show a write-ahead log that the disk does not hold.
    private static func enterWAL(_ db: Database, path: String) throws {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw EventLogError(.unavailable, "\(path): its file system does not support SQLite's write-ahead log")
        }
        let busy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        if busy != 0 { throw EventLogError(.locked, "\(path) is being read by another program") }
    }

    public func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if batch.isEmpty { return [] }
        return try writing("append") { try writer.append(batch) }
    }

    public func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        if snapshots.isEmpty { return }
        for snapshot in snapshots { try writing("save a snapshot") { try writer.save(snapshot) } }
    }

    public func probe() throws(EventLogError) {
        try writing("begin a transaction") { try writer.probe() }
        if let free = file.freeBytes, free < limits.freeBytes {
            throw EventLogError(.full, "the disk of \(file.path) has only \(free) bytes left")
        }
    }

    public func close() {
        let wasClosed = life.withLock { life in
            defer { life.isClosed = true }
            return life.isClosed
        }
        if wasClosed { return }
        // Spares the next start some reading.
        if life.withLock({ $0.failure }) == nil { try? writer.flushAll() }
        // The last connection to go moves the write-ahead log into the database. Should that fail, nothing is lost: the
        // next start does it again.
        try? readers.close()
        try? checkpointer.close()
        try? writer.close()
        life.withLock { $0.lock = nil }
    }

    // MARK: - Guards

    func reading<Result>(_ action: String, _ body: (Database) throws -> Result) throws(EventLogError) -> Result {
        try guarded(action) { try readers.read(body) }
    }

    /// After a failure of the disk nothing is written any more; reading goes on.
    func writing<Result>(_ action: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        if let failure = life.withLock({ $0.failure }) {
            throw EventLogError(.unavailable, "the log takes nothing more since it failed: \(failure.message)")
        }
        do {
            return try guarded(action, body)
        } catch {
            if error.isFinal { life.withLock { $0.failure = $0.failure ?? error } }
            throw error
        }
    }

    private func guarded<Result>(_ action: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        if life.withLock({ $0.isClosed }) { throw closed }
        do {
            return try EventLogError.translating(action, path: file.path, body)
        } catch {
            // Closed while it was under way.
            throw life.withLock({ $0.isClosed }) ? closed : error
        }
    }

    private var closed: EventLogError { EventLogError(.unavailable, "the log \(file.path) has been closed") }
}
