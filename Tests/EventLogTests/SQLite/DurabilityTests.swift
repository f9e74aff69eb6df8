import AuctionDomain
import EventLog
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EventLogSQLite

@Suite struct SQLiteDurability {
    @Test func `a batch is one transaction`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let commits = Counter()
        log.writer.queue.writeWithoutTransaction { db in
            db.trace { if "\($0)".hasPrefix("COMMIT") { commits.add() } }
        }
        var rooms = (1...50).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next(2, responses: [Samples.response(1)]) })
        #expect(commits.value == 1)
        for _ in 0..<10 { _ = try log.append(rooms.indices.map { rooms[$0].next() }) }
        #expect(commits.value == 11)
    }

    @Test func `commits are synchronous and automatic checkpoints are off`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        for queue in [log.writer.queue, log.checkpointer] {
            try queue.writeWithoutTransaction { db throws in
                #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
                #expect(try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") == 0)
                #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            }
        }
    }

    @Test func `everything acknowledged survives a crash`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var rooms = (1...20).map { SampleRoom(UInt64($0)) }
        for turn in 0..<6 {
            for _ in 0..<10 { _ = try log.append(rooms.indices.map { rooms[$0].next(2) }) }
            if turn == 3 { try log.maintain() }
            // The files as a crash would leave them: copied without SQLite's locks, and without the shared memory file.
            let copy = try Scratch()
            try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: scratch.path + suffix, toPath: copy.path + suffix)
            }
            let restarted = try copy.open()
            for room in rooms {
                let loaded = try #require(try restarted.load(room.id, responsesSince: Samples.noon))
                #expect(loaded.head == room.head)
                #expect(loaded.events.map(\.seq) == Array(1...room.head.seq))
            }
            restarted.close()
        }
    }

    @Test func `a partially written commit is discarded`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        let kept = try scratch.size(scratch.path + "-wal")
        _ = try log.append([room.next(50)])
        let copy = try Scratch()
        try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: scratch.path + suffix, toPath: copy.path + suffix)
        }
        log.close()
        let whole = try copy.size(copy.path + "-wal")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: copy.path + "-wal"))
        try handle.truncate(atOffset: UInt64((kept + whole) / 2))
        try handle.close()
        let restarted = try copy.open()
        #expect(try restarted.seqs(room.id) == [1])
        restarted.close()
    }

    @Test func `the write-ahead log stays bounded`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.checkpointPages = 50
        limits.walBytes = 1 << 20
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = SampleRoom(1)
        let bytes = [UInt8](repeating: 7, count: 20_000)
        var longest: Int64 = 0
        for _ in 0..<100 {
            for _ in 0..<5 { try log.commit(room.next(bytes: bytes)) }
            longest = max(longest, try scratch.size(scratch.path + "-wal"))
            try log.maintain()
            #expect(try scratch.size(scratch.path + "-wal") <= limits.walBytes)
        }
        // Ten megabytes were written in total.
        #expect(longest < 2 << 20)
        #expect(try log.events(of: room.id, after: 0, limit: 1000).count == 500)
    }

    @Test(arguments: [0, .max])
    func `a reader that blocks a checkpoint causes no error`(walBytes: Int64) throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.checkpointPages = 1
        limits.walBytes = walBytes
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        try log.readers.read { db throws in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM event")
            try log.commit(room.next(50))
            try log.maintain()
            try log.commit(room.next(50))
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM event") == 1)
        }
        try log.maintain()
        #expect(try log.seqs(room.id).count == 101)
    }
}

final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
