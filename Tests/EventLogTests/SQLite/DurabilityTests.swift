import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

@Suite struct SQLiteDurability {
    @Test func `a batch is one transaction`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let before = try scratch.commitCount()
        var rooms = (1...50).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next(2, responses: [Samples.response(1)]) })
        #expect(try scratch.commitCount() - before == 1)
        for _ in 0..<10 { _ = try log.append(rooms.indices.map { rooms[$0].next() }) }
        #expect(try scratch.commitCount() - before == 11)
    }

    @Test func `commits are synchronous and automatic checkpoints are off`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        for connection in [log.writer.connection, log.checkpointer] {
            try connection.use { db throws in
                #expect(try db.long("PRAGMA synchronous") == 2)
                #expect(try db.long("PRAGMA wal_autocheckpoint") == 0)
                #expect(try db.text("PRAGMA journal_mode") == "wal")
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

    @Test func `on a small disk the write-ahead log is emptied while its pages still find space`() throws {
        let scratch = try Scratch()
        let disk: Int64 = 24 << 20
        var limits = SQLiteEventLog.Limits()
        limits.freeOnDisk = { disk - LogFile.bytes($0.path) - $0.walBytes }
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = SampleRoom(1)
        var (bids, least) = (0, disk)
        // As many as fill half of the disk, so that the log has to be emptied earlier and earlier.
        while LogFile.bytes(scratch.path) < disk / 2 {
            for _ in 0..<20 { try log.commit(room.next(100)) }
            bids += 2000
            try log.maintain()
            least = min(least, limits.freeOnDisk(LogFile(path: scratch.path)) ?? 0)
            try #require(bids < 200_000)
        }
        #expect(least > 4 << 20, "of \(disk) bytes \(least) were free")
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
            _ = try db.long("SELECT count(*) FROM event")
            try log.commit(room.next(50))
            try log.maintain()
            try log.commit(room.next(50))
            #expect(try db.long("SELECT count(*) FROM event") == 1)
        }
        try log.maintain()
        #expect(try log.seqs(room.id).count == 101)
    }
}

extension Scratch {
    /// Number of transactions in the write-ahead log, from SQLite's description of that file: the last page of each says how many
    /// pages the database has then; for the others that is 0.
    fileprivate func commitCount() throws -> Int {
        let log = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
        return stride(from: 32, to: log.count, by: 24 + Schema.pageBytes).count { log[$0 + 4..<$0 + 8].contains { $0 > 0 } }
    }
}
