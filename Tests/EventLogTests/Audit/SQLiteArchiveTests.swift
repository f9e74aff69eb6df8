import AuctionDomain
import AuctionTestKit
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// Reading a log's file, with or without a server running on it.
struct SQLiteArchiveTests {
    private func append(_ stub: ArchiveStub, _ range: Range<Int>) throws -> RoomAppend {
        let before = range.lowerBound == 0 ? nil : stub.events[range.lowerBound - 1]
        return RoomAppend(
            room: stub.room, expected: before.map { RoomHead(seq: $0.seq, headHash: $0.hash.headHash) } ?? .none,
            events: Array(stub.events[range]), profile: before == nil ? Samples.profile() : nil, status: Samples.status(),
            responses: [], users: try stub.users(after: range.upperBound))
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "rooms.db").path)
    }

    @Test func `a running log is read completely, including events that are not indexed yet`() throws {
        let stub = try ArchiveStub(try Scenario.twoRounds(), snapshotAt: 9)
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            defer { log.close() }
            try log.commit(try append(stub, 0..<5))
            for _ in 0..<20 { try log.maintain() }
            try log.commit(try append(stub, 5..<12))
            try log.save([try #require(stub.snapshot)])
            let archive = try SQLiteArchive(path: path)
            #expect(try archive.allRooms() == [stub.room])
            #expect(try archive.events(of: stub.room, after: 0, limit: 100) == Array(stub.events[..<12]))
            #expect(try archive.events(of: stub.room, after: 3, limit: 4) == Array(stub.events[3..<7]))
            #expect(try LogAudit.findings(of: stub.room, in: archive) == [])
            // Later appends and flushes are not part of the open archive and do not affect it.
            try log.commit(try append(stub, 12..<stub.events.count))
            for _ in 0..<20 { try log.maintain() }
            #expect(try LogAudit.findings(of: stub.room, in: archive) == [])
            #expect(try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: path)) == [])
        }
    }

    /// Changes the file of a closed, sound log; returns the texts of what the audit finds then.
    private func findings(after damage: String) throws -> [String] {
        let stub = try ArchiveStub(try Scenario.twoRounds())
        var texts: [String] = []
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(try append(stub, 0..<stub.events.count))
            log.close()
            #expect(try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: path)) == [])
            try Connection(path).execute(damage)
            texts = try LogAudit.findings(of: stub.room, in: try SQLiteArchive(path: path)).map(\.text)
        }
        return texts
    }

    @Test(arguments: ["DELETE FROM participation WHERE role = 'host'", "UPDATE win SET price = price + 1"])
    func `a changed row of the index by user is found`(damage: String) throws {
        #expect(try findings(after: damage).count == 1)
    }

    @Test func `a closed log is readable, and a changed byte in it is found`() throws {
        let texts = try findings(
            after: """
                UPDATE event SET public = CAST(replace(CAST(public AS TEXT), '"120.00"', '"920.00"') AS BLOB)
                WHERE type = 'item.sold'
                """)
        #expect(texts.contains("it does not match its hash"))
        #expect(texts.contains("Yves never offered the price of 92000 minor units in round 1"))
    }

    @Test func `every row that is left in a truncated file is read`() throws {
        let stub = try ArchiveStub(try Scenario.twoRounds())
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(try append(stub, 0..<stub.events.count))
            // Written last and larger than a page, so that the truncated part belongs to this room.
            var last = SampleRoom(1)
            try log.commit(last.next(bytes: [UInt8](repeating: 0x20, count: 9000)))
            log.close()
            let whole = try SQLiteArchive(path: path)
            #expect(try (whole.damage(), whole.isDamaged) == ([], false))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.truncate(atOffset: try file.seekToEnd() - 4096)
            try file.close()
            let archive = try SQLiteArchive(path: path)
            #expect(try archive.allRooms().contains(stub.room))
            #expect(try archive.events(of: stub.room, after: 0, limit: 1000) == stub.events)
            #expect(try archive.damage().first == "\(path): the file ends 4096 bytes too early")
            #expect(try archive.damage().allSatisfy { $0.hasPrefix(path) })
        }
    }

    @Test(arguments: [false, true])
    func `of a file with an overwritten page every other page is read, and the audit finds what is missing`(isIndex: Bool)
        throws
    {
        let stub = try ArchiveStub(try Scenario.twoRounds())
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(try append(stub, 0..<stub.events.count))
            log.close()
            let page = try isIndex ? rootOfIndex(path) : page(of: stub.events[0], path)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seek(toOffset: UInt64(4096 * page))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try file.close()
            let archive = try SQLiteArchive(path: path)
            let events = try archive.events(of: stub.room, after: 0, limit: 1000)
            #expect(archive.isDamaged)
            #expect(try !archive.damage().isEmpty)
            let findings = try LogAudit.findings(of: stub.room, in: archive)
            if isIndex {
                #expect(events == stub.events)
                #expect(findings == [])
            } else {
                #expect(!events.isEmpty && events.count < stub.events.count)
                #expect(events.allSatisfy { stub.events.contains($0) })
                #expect(findings.contains { $0.text == "seq 1 is missing before it" })
            }
        }
    }

    /// Number of the index's root page, counted from 0.
    private func rootOfIndex(_ path: String) throws -> Int {
        let root = try Connection(path).long("SELECT rootpage FROM sqlite_schema WHERE name = 'event_index'")
        return Int(try #require(root)) - 1
    }

    private func page(of event: StoredEvent, _ path: String) throws -> Int {
        let place = try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(event.publicBytes))
        return try #require(place).lowerBound / 4096
    }

    @Test func `opening a missing file or one that is not a log throws`() throws {
        try inFolder { path in
            #expect(throws: EventLogError.self) { try SQLiteArchive(path: path) }
            try Data("hello, this is not a database".utf8).write(to: URL(filePath: path))
            #expect(throws: EventLogError.self) { try SQLiteArchive(path: path) }
        }
    }
}
