import EventLog
import Synchronization
import Testing

@testable import EventLogSQLite

/// SQLite of Debian 12 can lose pages if a checkpoint begins while another connection begins the write-ahead log anew.
@Suite struct LogResetGuardTests {
    @Test func `after a checkpoint the next one beside the committer waits for a transaction that wrote`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.checkpointPages = 1
        let log = try scratch.open(limits)
        defer { log.close() }
        let allows = { log.writer.resetGuard.allowsConcurrentCheckpoint }
        var room = try log.create(SampleRoom(1))
        #expect(allows())
        try log.checkpoint()
        #expect(!allows())
        // Comparisons and conflicts write nothing, so that the log would not have begun anew yet.
        _ = try log.append([room.comparison(with: room.head)])
        #expect(!allows())
        try log.commit(room.next())
        #expect(allows())
        // As an erasure does.
        #expect(try log.purge())
        #expect(!allows())
    }

    @Test func `pages of a transaction that is not committed yet do not begin a checkpoint`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.checkpointPages = 1
        let log = try scratch.open(limits)
        defer { log.close() }
        _ = try log.create(SampleRoom(1))
        try log.checkpoint()
        log.writer.pagesWritten.store(1_000, ordering: .relaxed)
        try log.checkpoint()
        // A pass would have set the counter to zero.
        #expect(log.writer.pagesWritten.load(ordering: .relaxed) == 1_000)
    }
}
