import AuctionDomain
import AuctionTestKit
import EventLog
import EventLogSQLite
import Foundation
import GRDB
import Testing

/// A log in a file is read beside whoever runs on it.
struct SQLiteArchiveTests {
    private func append(_ shelf: Shelf, _ range: Range<Int>) -> RoomAppend {
        let before = range.lowerBound == 0 ? nil : shelf.events[range.lowerBound - 1]
        return RoomAppend(
            room: shelf.room, expected: before.map { RoomHead(seq: $0.seq, tip: $0.hash.tip) } ?? .none,
            events: Array(shelf.events[range]), profile: before == nil ? Samples.profile() : nil, status: Samples.status(),
            answers: [])
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "rooms.db").path)
    }

    @Test func `a running log is read whole, whether the index has it yet or not`() throws {
        let shelf = try Shelf(try Scenario.twoRounds(), snapshotAt: 9)
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            defer { log.close() }
            try log.commit(append(shelf, 0..<5))
            for _ in 0..<20 { try log.maintain() }
            try log.commit(append(shelf, 5..<12))
            try log.save([try #require(shelf.snapshot)])
            let archive = try SQLiteArchive(path: path)
            #expect(try archive.allRooms() == [shelf.room])
            #expect(try archive.events(of: shelf.room, after: 0, limit: 100) == Array(shelf.events[..<12]))
            #expect(try archive.events(of: shelf.room, after: 3, limit: 4) == Array(shelf.events[3..<7]))
            #expect(try LogAudit.findings(of: shelf.room, in: archive) == [])
            // What the server does now is not part of this reading, and does not disturb it.
            try log.commit(append(shelf, 12..<shelf.events.count))
            for _ in 0..<20 { try log.maintain() }
            #expect(try LogAudit.findings(of: shelf.room, in: archive) == [])
            #expect(try LogAudit.findings(of: shelf.room, in: try SQLiteArchive(path: path)) == [])
        }
    }

    @Test func `a closed log is read, and a byte that was changed in it is found`() throws {
        let shelf = try Shelf(try Scenario.twoRounds())
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(append(shelf, 0..<shelf.events.count))
            log.close()
            #expect(try LogAudit.findings(of: shelf.room, in: try SQLiteArchive(path: path)) == [])
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(
                    sql: """
                        UPDATE event SET public = CAST(replace(CAST(public AS TEXT), '"120.00"', '"920.00"') AS BLOB)
                        WHERE type = 'item.sold'
                        """)
            }
            try queue.close()
            let texts = try LogAudit.findings(of: shelf.room, in: try SQLiteArchive(path: path)).map(\.text)
            #expect(texts.contains("it does not match its hash"))
            #expect(texts.contains("Yves never offered the price of 92000 minor units in round 1"))
        }
    }

    @Test func `of a file that was cut short everything is read that is still in it`() throws {
        let shelf = try Shelf(try Scenario.twoRounds())
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(append(shelf, 0..<shelf.events.count))
            // Written last, and larger than a page: what is cut off is of this one.
            var last = SampleRoom(1)
            try log.commit(last.next(bytes: [UInt8](repeating: 0x20, count: 9000)))
            log.close()
            let whole = try SQLiteArchive(path: path)
            #expect(try (whole.damage(), whole.isDamaged) == ([], false))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.truncate(atOffset: try file.seekToEnd() - 4096)
            try file.close()
            let archive = try SQLiteArchive(path: path)
            #expect(try archive.allRooms().contains(shelf.room))
            #expect(try archive.events(of: shelf.room, after: 0, limit: 1000) == shelf.events)
            #expect(try archive.damage().first == "\(path): the file ends 4096 bytes too early")
            #expect(try archive.damage().allSatisfy { $0.hasPrefix(path) })
        }
    }

    @Test(arguments: [false, true])
    func `of a file with a page of rubbish every other page is read, and verify says what is missing`(isIndex: Bool) throws {
        let shelf = try Shelf(try Scenario.twoRounds())
        try inFolder { path in
            let log = try SQLiteEventLog(path: path)
            try log.commit(append(shelf, 0..<shelf.events.count))
            log.close()
            let page = try isIndex ? rootOfIndex(path) : page(of: shelf.events[0], path)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seek(toOffset: UInt64(4096 * page))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try file.close()
            let archive = try SQLiteArchive(path: path)
            let events = try archive.events(of: shelf.room, after: 0, limit: 1000)
            #expect(archive.isDamaged)
            #expect(try !archive.damage().isEmpty)
            let findings = try LogAudit.findings(of: shelf.room, in: archive)
            if isIndex {
                #expect(events == shelf.events)
                #expect(findings == [])
            } else {
                #expect(!events.isEmpty && events.count < shelf.events.count)
                #expect(events.allSatisfy { shelf.events.contains($0) })
                #expect(findings.contains { $0.text == "seq 1 is missing before it" })
            }
        }
    }

    /// Counted from 0.
    private func rootOfIndex(_ path: String) throws -> Int {
        let queue = try DatabaseQueue(path: path)
        let root = try queue.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'event_index'")
        }
        try queue.close()
        return try #require(root) - 1
    }

    private func page(of event: StoredEvent, _ path: String) throws -> Int {
        let place = try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(event.publicBytes))
        return try #require(place).lowerBound / 4096
    }

    @Test func `a file that is no log, or is not there, says so`() throws {
        try inFolder { path in
            #expect(throws: EventLogError.self) { try SQLiteArchive(path: path) }
            try Data("hello, this is not a database".utf8).write(to: URL(filePath: path))
            #expect(throws: EventLogError.self) { try SQLiteArchive(path: path) }
        }
    }
}
