import AuctionDomain
import AuctionTestKit
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// Rooms that are not in the index by user are indexed when the file is opened.
@Suite struct SQLiteUserIndexBuild {
    /// A file with rooms that have the same members, none of them indexed.
    private func store(_ count: Int, in scratch: Scratch) throws -> [ArchiveStub] {
        let history = try Scenario.twoRounds().history
        let stubs = (1...count).map { ArchiveStub(SampleRoom(UInt64($0)).id, history) }
        let log = try scratch.open()
        for stub in stubs { try log.commit(stub.append()) }
        log.close()
        try change(
            scratch,
            "DELETE FROM participation; DELETE FROM win; INSERT INTO unindexed SELECT number FROM room")
        return stubs
    }

    private func change(_ scratch: Scratch, _ sql: String) throws {
        try Connection(scratch.path).execute(sql)
    }

    private func rooms(of stub: ArchiveStub, in log: SQLiteEventLog) throws -> [RoomID] {
        let user = try #require(try stub.users(after: stub.events.count).participations.first?.user)
        return try log.rooms(UserRoomQuery(user: user, .memberships, limit: 100)).rows.map(\.room.room)
    }

    @Test func `a room that cannot be read stays out of the index, and the next opening tries it again`() throws {
        let scratch = try Scratch()
        let stubs = try store(3, in: scratch)
        try change(scratch, "UPDATE room SET id = 'damaged' WHERE number = 2")
        for _ in 0..<2 {
            var lines: [String] = []
            let log = try SQLiteEventLog(path: scratch.path) { lines.append($0) }
            #expect(try rooms(of: stubs[0], in: log) == [stubs[2].room, stubs[0].room])
            #expect(lines.contains { $0.contains("room number 2") })
            log.close()
        }
        try change(scratch, "UPDATE room SET id = '\(stubs[1].room)' WHERE number = 2")
        var lines: [String] = []
        let log = try SQLiteEventLog(path: scratch.path) { lines.append($0) }
        defer { log.close() }
        #expect(try rooms(of: stubs[0], in: log) == stubs.map(\.room).reversed())
        #expect(lines == [])
        for stub in stubs {
            #expect(try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: scratch.path)) == [])
        }
    }

    @Test func `indexing a room replaces a sale whose buyer is another one now`() throws {
        let scratch = try Scratch()
        let stub = try store(1, in: scratch)[0]
        try scratch.open().close()
        try change(scratch, "UPDATE win SET user = '\(UserID(bits: 0x9E57))'; INSERT INTO unindexed VALUES (1)")
        try scratch.open().close()
        #expect(try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: scratch.path)) == [])
    }

    @Test func `a list of unindexed rooms that cannot be read does not refuse the start`() throws {
        let scratch = try Scratch()
        let stubs = try store(1, in: scratch)
        try scratch.open().close()
        try change(scratch, "DROP TABLE unindexed; CREATE TABLE unindexed (other)")
        var lines: [String] = []
        let log = try SQLiteEventLog(path: scratch.path) { lines.append($0) }
        defer { log.close() }
        #expect(lines.count == 1)
        #expect(try rooms(of: stubs[0], in: log) == [stubs[0].room])
    }

    @Test func `a list of unindexed rooms that cannot be read fails a migration, and a rebuild repairs it`() throws {
        let scratch = try Scratch()
        let stubs = try store(1, in: scratch)
        try SQLiteEventLog.migrate(scratch.path)
        try change(scratch, "DROP TABLE unindexed; CREATE TABLE unindexed (other)")
        var lines: [String] = []
        let error = #expect(throws: EventLogError.self) { try SQLiteEventLog.migrate(scratch.path) { lines.append($0) } }
        #expect(error?.code == .statement)
        #expect(error?.message.contains("is not complete; `auction-room migrate --rebuild-user-index`") == true)
        #expect(lines.count == 1)
        try SQLiteEventLog.migrate(scratch.path, rebuildsUserIndex: true)
        try SQLiteEventLog.migrate(scratch.path)
        let log = try scratch.open()
        defer { log.close() }
        #expect(try rooms(of: stubs[0], in: log) == [stubs[0].room])
    }

    @Test func `a migration does not fail on a room that cannot be read`() throws {
        let scratch = try Scratch()
        _ = try store(2, in: scratch)
        try change(scratch, "UPDATE room SET id = 'damaged' WHERE number = 2")
        var lines: [String] = []
        try SQLiteEventLog.migrate(scratch.path) { lines.append($0) }
        #expect(lines.contains { $0.contains("room number 2") })
    }

    @Test func `a damaged index by user is named in the error of an append, and can be made anew`() throws {
        let scratch = try Scratch()
        let stubs = try store(3, in: scratch)
        try scratch.open().close()
        try overwriteRoot(of: "participation", scratch)
        var room = SampleRoom(9)
        let changes = UserChanges(Participation(user: UserID(bits: 7), role: "bidder", bidRound: nil))
        let damaged = try scratch.open()
        let error = #expect(throws: EventLogError.self) { try damaged.commit(room.next(users: changes)) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("migrate --rebuild-user-index") == true)
        damaged.close()
        // A room that could not be read when the file was opened last: this opening would index it.
        try change(scratch, "INSERT INTO unindexed VALUES (2)")
        let refused = scratch.refusal()
        #expect(refused?.message.contains("migrate --rebuild-user-index") == true)
        for _ in 0..<2 {
            let log = try SQLiteEventLog(path: scratch.path, rebuildsUserIndex: true)
            defer { log.close() }
            #expect(try rooms(of: stubs[0], in: log).filter { $0 != room.id } == stubs.map(\.room).reversed())
        }
        let log = try scratch.open()
        defer { log.close() }
        room = SampleRoom(9)
        try log.commit(room.next(users: changes))
        for stub in stubs {
            #expect(try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: scratch.path)) == [])
        }
        #expect(try SQLiteArchive(path: scratch.path).damage() == [])
    }

    @Test func `the participations of an archived room are deleted later, a part at a time`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.participationsPerDeletion = 2
        let log = try scratch.open(limits)
        defer { log.close() }
        var changes = UserChanges()
        changes.participations = (0..<5).map { Participation(user: UserID(bits: UInt128($0)), role: "viewer", bidRound: nil) }
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        try log.commit(room.next(users: changes))
        try log.commit(other.next(users: changes))
        room.status = Samples.status(archived: true)
        try log.commit(room.next(users: UserChanges(archives: true)))
        var counts: [[Int64]] = []
        for _ in 0..<5 {
            counts.append(
                try log.readers.read { db in
                    try ["participation", "archived_room"].map { try db.long("SELECT count(*) FROM \($0)") ?? -1 }
                })
            #expect(try log.roomCount(of: UserID(bits: 0)) == 1)
            try log.maintain()
        }
        #expect(counts == [[10, 1], [8, 1], [6, 1], [5, 0], [5, 0]])
    }

    @Test func `damage where participations of archived rooms are deleted does not stop the log`() throws {
        let scratch = try Scratch()
        _ = try store(1, in: scratch)
        let first = try scratch.open()
        var room = SampleRoom(9)
        try first.commit(room.next())
        first.close()
        try change(scratch, "INSERT INTO archived_room VALUES (1)")
        try overwriteRoot(of: "participation", scratch)
        let log = try scratch.open()
        defer { log.close() }
        for _ in 0..<3 { try log.maintain() }
        try log.commit(room.next())
    }

    private func overwriteRoot(of table: String, _ scratch: Scratch) throws {
        let root = try Connection(scratch.path).long("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
        let file = try FileHandle(forWritingTo: URL(filePath: scratch.path))
        try file.seek(toOffset: UInt64(4096 * (try #require(root) - 1)))
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
    }

    @Test func `the write-ahead log stays short while many rooms are indexed`() throws {
        let scratch = try Scratch()
        let stubs = try store(100, in: scratch)
        var limits = SQLiteEventLog.Limits()
        limits.roomsPerIndexing = 5
        limits.checkpointPages = 20
        let log = try scratch.open(limits)
        defer { log.close() }
        #expect(try rooms(of: stubs[0], in: log).count == 100)
        #expect(try scratch.size(scratch.path + "-wal") < 50 * 4120)
    }
}
