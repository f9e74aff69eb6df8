package import AuctionDomain
package import EventLog
import Synchronization

extension SQLiteEventLog {
    /// Deletes from the front only, up to the first response that is not older than `cutoff`, so that the remaining positions have no
    /// gap. One short transaction per `limits.deletedPerTransaction` responses.
    package func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        var deleted = 0
        while deleted < limit {
            let wanted = min(limit - deleted, limits.deletedPerTransaction)
            let positions = try reading("find old answers") { db in
                var rows = try db.rows(.kept("SELECT position, at FROM answer ORDER BY position LIMIT ?"), wanted)
                var positions: [Int64] = []
                while try rows.next(), try rows.instant(1) < cutoff { positions.append(try rows.long(0)) }
                return positions
            }
            guard let last = positions.last else { break }
            try writing("delete old answers") { try writer.deleteResponses(through: last) }
            deleted += positions.count
            if positions.count < wanted { break }
        }
        return deleted
    }

    /// See `EventLog.discardResponses`. One short transaction per `limits.deletedPerTransaction` responses.
    package func discardResponses(at positions: [Int64]) throws(EventLogError) {
        var left = positions[...]
        while !left.isEmpty {
            let slice = left.prefix(limits.deletedPerTransaction)
            left = left.dropFirst(slice.count)
            try writing("discard answers") { try writer.discardResponses(at: slice) }
        }
    }

    /// Periodically flushes committed changes to the event index and the rooms' rows, deletes participations of archived rooms, and
    /// checkpoints the write-ahead log.
    package func maintain() throws(EventLogError) {
        try flush()
        try deleteArchivedParticipations()
        try checkpoint()
    }

    /// A damaged index by user makes this stop, and not the log: `verify` and the next append to it report it.
    private func deleteArchivedParticipations() throws(EventLogError) {
        if leavesArchived.load(ordering: .relaxed) { return }
        try writing("delete the participations of an archived room") {
            do {
                try writer.deleteArchivedParticipations()
            } catch let error as SQLiteError where error.isDamage {
                leavesArchived.store(true, ordering: .relaxed)
            }
        }
    }

    /// Flushes slice by slice, so that appends can run between two slices.
    private func flush() throws(EventLogError) {
        let pendingCount = writer.cache.pendingCount
        let calls = callsSinceFlush.add(1, ordering: .relaxed).newValue
        guard pendingCount >= limits.flushThreshold || (pendingCount > 0 && calls >= limits.callsPerFlush) else { return }
        callsSinceFlush.store(0, ordering: .relaxed)
        while try writing("flush", { try writer.flushSlice() }) {}
    }

    /// Moves the write-ahead log's pages into the database, so that its file is reused from the start.
    ///
    /// Most of it runs concurrently with the committer. Under steady load that never empties the log, so from time to time the small
    /// rest is moved while the committer waits, which costs it two syncs.
    /// - Parameter truncates: Whether the file is to be emptied, whatever it has.
    /// - Returns: Whether it is empty; false if readers have kept some of it.
    @discardableResult
    func checkpoint(truncates: Bool = false) throws(EventLogError) -> Bool {
        let bytes = file.walBytes
        let isScarce = bytes > limits.scarceWalBytes && limits.freeOnDisk(file).map { $0 < 2 * bytes } ?? false
        let isLong = truncates || bytes > limits.walBytes || isScarce
        return try writing("checkpoint") {
            // One at a time, those of erasures too: `resetGuard` must not be asked while another checkpoint runs.
            try checkpointer.use { checkpointing -> Bool in
                guard writer.pagesWritten.load(ordering: .relaxed) >= limits.checkpointPages || isLong else { return false }
                var log = CheckpointedLog(pages: 0, left: 0)
                for _ in 0..<Self.checkpointRounds where writer.resetGuard.allowsConcurrentCheckpoint {
                    // While the connection is this thread's, every written commit has been counted.
                    defer { try? writer.connection.use { _ in writer.resetGuard.checkpointEnded() } }
                    writer.pagesWritten.store(0, ordering: .relaxed)
                    log = try Self.checkpoint(checkpointing, "PASSIVE")
                    if log.left + writer.pagesWritten.load(ordering: .relaxed) < limits.checkpointPages { break }
                }
                if !isLong, log.pages < limits.restartPages { return false }
                return try writer.connection.use { db -> Bool in
                    defer { writer.resetGuard.checkpointEnded() }
                    if isLong { return try Self.truncateLog(db) }
                    _ = try Self.checkpoint(db, "PASSIVE")
                    return false
                }
            }
        }
    }

    /// Moves all of the write-ahead log into the database and truncates its file.
    /// - Returns: False if readers have kept some of it.
    private static func truncateLog(_ db: Connection) throws(SQLiteError) -> Bool {
        // Readers may block it; wait only briefly, because the committer waits too, and retry at the next call.
        try db.setBusyTimeout(milliseconds: truncationWait)
        defer { try? db.setBusyTimeout(milliseconds: Connections.busyMilliseconds) }
        return try db.long("PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }

    /// How long a truncating checkpoint waits for readers, in milliseconds.
    private static let truncationWait = 20

    /// Concurrent passes, each over the pages written during the previous one.
    private static let checkpointRounds = 3

    /// State of the write-ahead log after a checkpoint.
    private struct CheckpointedLog {
        /// Pages in the log.
        let pages: Int
        /// Pages that could not be moved, because they are newer or still being read.
        let left: Int
    }

    private static func checkpoint(_ db: Connection, _ mode: String) throws(SQLiteError) -> CheckpointedLog {
        var rows = try db.rows("PRAGMA wal_checkpoint(\(mode))")
        guard try rows.next() else { return CheckpointedLog(pages: 0, left: 0) }
        return CheckpointedLog(pages: try rows.integer(1), left: try rows.integer(1) - rows.integer(2))
    }
}
