import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogSQLite

/// The recorded clock jumps and the newest event's time, from which the service's clock continues after a restart.
@Suite struct SQLiteClockJumps {
    private let jumps = [1, 5].map {
        ClockJump(from: Timestamp(milliseconds: $0 * 1000), to: Timestamp(milliseconds: $0 * 1000 + 700))
    }

    @Test func `recorded clock jumps replace earlier ones and persist`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        #expect(try log.clockJumps() == [])
        try log.keep([jumps[0]])
        try log.keep(jumps)
        log.close()
        log = try scratch.open()
        defer { log.close() }
        #expect(try log.clockJumps() == jumps)
    }

    @Test func `invalid clock jumps are ignored, and a damaged table counts as empty`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        try log.keep(jumps)
        try log.writer.connection.use { db in
            try db.run("INSERT INTO clock_jump VALUES (?, ?), (5, 4), (-1, 8)", Int64.min, Int64.max)
        }
        #expect(try log.clockJumps() == jumps)
        try log.writer.connection.use { try $0.execute("INSERT INTO clock_jump VALUES ('x', 'y')") }
        #expect(try log.clockJumps() == [])
    }

    @Test func `the newest event's time is found before and after a flush`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        #expect(try log.newestEventTime() == nil)
        let stub = try ArchiveStub(try Scenario.twoRounds())
        try log.commit(stub.append())
        #expect(try log.newestEventTime() == stub.events.last?.at)
        log.close()
        log = try scratch.open()
        defer { log.close() }
        #expect(try log.newestEventTime() == stub.events.last?.at)
    }

    @Test func `a damaged time of the newest events is passed over`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let stub = try ArchiveStub(try Scenario.twoRounds())
        try log.commit(stub.append())
        let times = stub.events.map(\.at)
        func newest(damaging count: Int) throws -> Timestamp? {
            try log.writer.connection.use { db in
                try db.run(
                    "UPDATE event SET at = at + (1 << 41) WHERE position > (SELECT max(position) FROM event) - ?", count)
            }
            return try log.newestEventTime()
        }
        #expect(try newest(damaging: 1) == times.dropLast().last)
        #expect(try newest(damaging: times.count - 1) == times.first)
        #expect(try newest(damaging: times.count) == nil)
    }
}
