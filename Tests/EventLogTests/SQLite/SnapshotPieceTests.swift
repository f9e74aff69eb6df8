import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// Large snapshots, which are written in pieces.
@Suite struct SQLiteSnapshotPieces {
    private func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) &+ seed } }

    private var limits: SQLiteEventLog.Limits {
        var limits = SQLiteEventLog.Limits()
        limits.snapshotPieceBytes = 10_000
        return limits
    }

    private func pieces(_ log: SQLiteEventLog) throws -> Int64 {
        try log.readers.read { try $0.long("SELECT count(*) FROM snapshot_piece") ?? -1 }
    }

    @Test func `a snapshot of any size replaces the previous one and is loaded completely`() throws {
        let scratch = try Scratch()
        var log = try scratch.open(limits)
        var room = try log.create(SampleRoom(1))
        for (turn, size) in [10_000, 95_000, 1, 10_001, 200_000, 50_000].enumerated() {
            try log.commit(room.next())
            let snapshot = RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(size, UInt8(turn)))
            try log.save([snapshot])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == snapshot)
            #expect(try pieces(log) == (size > 10_000 ? (size + 9_999) / 10_000 : 0))
            try log.save([RoomSnapshot(room: room.id, seq: room.head.seq - 1, bytes: bytes(30_000, 9))])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == snapshot, "an older snapshot is ignored")
        }
        log.close()
        log = try scratch.open(limits)
        defer { log.close() }
        let last = try #require(try log.load(room.id, responsesSince: Samples.noon)?.snapshot)
        #expect(last.bytes == bytes(50_000, 5))
        let archive = try SQLiteArchive(path: scratch.path)
        #expect(try archive.record(of: room.id)?.snapshot == last)
        #expect(try archive.damage() == [])
    }

    @Test func `pieces of an incomplete snapshot are not read, and are deleted by the next save`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        let first = RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(25_000, 1))
        try log.save([first])
        try log.commit(room.next())
        try log.writer.connection.use { db in
            try db.execute("INSERT INTO snapshot_piece (room, seq, bytes) VALUES (1, 2, x'00'), (1, 2, x'01')")
        }
        #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == first)
        let second = RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(35_000, 2))
        try log.save([second])
        #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == second)
        #expect(try pieces(log) == 4)
    }

    @Test func `a snapshot that cannot be read is left out, and the next one replaces it`() throws {
        let scratch = try Scratch()
        var log = try scratch.open(limits)
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next(3))
        try log.save([RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(500, 1))])
        log.close()
        try Connection(scratch.path).execute("UPDATE snapshot SET seq = 'x'")
        log = try scratch.open(limits)
        defer { log.close() }
        // Before the room is in the cache, and after.
        for _ in 0..<2 {
            let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
            #expect(loaded.snapshot == nil)
            #expect(loaded.events.map(\.seq) == Array(1...room.head.seq))
            #expect(loaded.head == room.head)
            try log.commit(room.next())
        }
        let next = RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(25_000, 2))
        try log.save([next])
        #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == next)
    }

    @Test func `a damaged page of snapshots costs neither a room nor the log`() throws {
        let scratch = try Scratch()
        var log = try scratch.open(limits)
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next(3))
        try log.save([RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(500, 1))])
        log.close()
        try overwriteRoot(of: "snapshot", scratch)
        log = try scratch.open(limits)
        defer { log.close() }
        for size in [500, 25_000] {
            let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
            #expect(loaded.snapshot == nil)
            #expect(loaded.events.map(\.seq) == Array(1...room.head.seq))
            let snapshot = RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(size, 2))
            let error = #expect(throws: EventLogError.self) { try log.save([snapshot]) }
            #expect(error?.isFinal == false)
            #expect(error?.message.contains("malformed") == true)
            try log.commit(room.next())
        }
    }

    @Test func `a damaged snapshot does not hide that events before it are lost`() throws {
        let scratch = try Scratch()
        var log = try scratch.open(limits)
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next(3))
        try log.save([RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(25_000, 1))])
        log.close()
        try overwriteRoot(of: "snapshot_piece_of", scratch)
        log = try scratch.open(limits)
        #expect(try log.load(room.id, responsesSince: Samples.noon)?.events.count == 4)
        log.close()
        // As if the log had had a fifth event.
        try Connection(scratch.path).execute("UPDATE snapshot SET seq = 5")
        log = try scratch.open(limits)
        defer { log.close() }
        let error = #expect(throws: EventLogError.self) { try log.load(room.id, responsesSince: Samples.noon) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("ahead of its events") == true)
    }

    private func overwriteRoot(of name: String, _ scratch: Scratch) throws {
        let root = try Connection(scratch.path).long("SELECT rootpage FROM sqlite_schema WHERE name = ?", name)
        let file = try FileHandle(forWritingTo: URL(filePath: scratch.path))
        try file.seek(toOffset: UInt64(Schema.pageBytes * (Int(try #require(root)) - 1)))
        try file.write(contentsOf: Data(repeating: 0xA5, count: Schema.pageBytes))
        try file.close()
    }

    @Test func `a snapshot adds little more than its own size to the write-ahead log`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let room = try log.create(SampleRoom(1))
        let before = try scratch.size(scratch.path + "-wal")
        try log.save([RoomSnapshot(room: room.id, seq: room.head.seq, bytes: bytes(2_000_000, 1))])
        let added = try scratch.size(scratch.path + "-wal") - before
        #expect(added >= 2_000_000 && added < 2_400_000, "\(added)")
    }
}
