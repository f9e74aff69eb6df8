public import AuctionDomain
public import EventLog
import GRDB
import Synchronization

extension SQLiteEventLog {
    /// Oldest first, up to the first that is not older than `cutoff`: the positions that are left have no hole.
    public func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        var deleted = 0
        while deleted < limit {
            let wanted = min(limit - deleted, limits.deletedPerTransaction)
            let positions = try reading("find old answers") { db in
                let select = try db.cachedStatement(sql: "SELECT position, at FROM answer ORDER BY position LIMIT ?")
                let oldest = try Row.fetchAll(select, arguments: [wanted])
                return try oldest.prefix { try $0.instant(1) < cutoff }.map { try $0.long(0) }
            }
            guard let last = positions.last else { break }
            try writing("delete old answers") { try writer.deleteAnswers(through: last) }
            deleted += positions.count
            if positions.count < wanted { break }
        }
        return deleted
    }

    /// Lets the index and the rooms' rows follow now and then, and moves the write-ahead log into the database.
    public func maintain() throws(EventLogError) {
        try flush()
        try checkpoint()
    }

    /// A slice at a time, so that appends can go between two.
    private func flush() throws(EventLogError) {
        let behind = writer.live.behind
        let calls = callsSinceFlush.add(1, ordering: .relaxed).newValue
        guard behind >= limits.flushedAt || (behind > 0 && calls >= limits.callsPerFlush) else { return }
        callsSinceFlush.store(0, ordering: .relaxed)
        while try writing("flush", { try writer.flushSlice() }) {}
    }

    /// So that the write-ahead log's file is used again from its start.
    ///
    /// Nearly all of it runs beside the committer. Under steady load that never leaves the log empty at any instant, so now
    /// and then what is left over, little by then, is moved while the committer waits: that costs it two syncs.
    private func checkpoint() throws(EventLogError) {
        let isLong = file.walBytes > limits.walBytes
        try writing("checkpoint") {
            guard writer.pagesWritten.load(ordering: .relaxed) >= limits.checkpointPages || isLong else { return }
            writer.pagesWritten.store(0, ordering: .relaxed)
            var log = CheckpointedLog(pages: 0, left: 0)
            for _ in 0..<Self.checkpointRounds {
                log = try checkpointer.writeWithoutTransaction { try Self.checkpoint($0, "PASSIVE") }
                if log.left + writer.pagesWritten.load(ordering: .relaxed) < limits.checkpointPages { break }
            }
            if !isLong, log.pages < limits.restartPages { return }
            try writer.queue.writeWithoutTransaction { db in
                guard isLong else { return _ = try Self.checkpoint(db, "PASSIVE") }
                // Readers may be in the way: the committer does not wait for them long, there is a next time.
                try Connections.setBusyTimeout(milliseconds: Self.truncationWait, db)
                defer { try? Connections.setBusyTimeout(milliseconds: Int(Connections.busySeconds * 1000), db) }
                _ = try Self.checkpoint(db, "TRUNCATE")
            }
        }
    }

    /// Milliseconds.
    private static let truncationWait = 20

    /// Passes beside the committer, each over what was written during the one before.
    private static let checkpointRounds = 3

    /// What a checkpoint leaves of the write-ahead log.
    private struct CheckpointedLog {
        let pages: Int
        /// Those that could not be moved, because they are newer or still being read.
        let left: Int
    }

    private static func checkpoint(_ db: Database, _ mode: String) throws -> CheckpointedLog {
        guard let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))") else { return .init(pages: 0, left: 0) }
        return CheckpointedLog(pages: try row.integer(1), left: try row.integer(1) - row.integer(2))
    }
}
