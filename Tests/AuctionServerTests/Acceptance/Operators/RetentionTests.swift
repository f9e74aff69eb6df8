import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

@testable import AuctionServer
@testable import EventLogSQLite

/// Archived rooms are deleted some days after their last event, while the server runs.
struct RetentionTests {
    private static let day: Int64 = 86_400_000

    /// Rooms with events in the feed.
    private func rooms(_ operators: OperatorFixture) throws -> Set<String> {
        Set(try operators.call("GET", "/v1/feed").list("events").compactMap { $0.text("room") })
    }

    private func pruned(_ operators: OperatorFixture) throws -> String? {
        try operators.server.call("GET", "/metrics").bodyText.split(separator: "\n")
            .first { $0.hasPrefix("auction_rooms_pruned_total ") }.map { String($0.suffix(1)) }
    }

    @Test func `an archived room is deleted once its last event is old enough, others stay`() throws {
        let folder = TemporaryFolder()
        let log = try SQLiteEventLog(path: folder.log)
        let operators = try OperatorFixture(log: log) { $0.service.archivedDays = 30 }
        let (server, clock) = (operators.server, operators.server.clock)
        let host = try server.guest("Hana")
        let (old, open, late) = (
            try operators.room("Old", by: host), try operators.room("Open", by: host), try operators.room("Late", by: host)
        )
        try #require(try server.call("DELETE", "/v1/rooms/\(old)", by: host).status == 204)
        // As housekeeping does within ten seconds.
        try log.writer.flushAll()
        let before = try operators.call("GET", "/v1/feed")
        clock.advance(milliseconds: 29 * Self.day)
        let again = try server.guest("Hana")
        let newest = try operators.room("Newest", by: again)
        try #require(try operators.call("DELETE", "/v1/rooms/\(late)?reason=late").status == 204)
        #expect(try rooms(operators).count == 4)
        #expect(try pruned(operators) == "0")
        try operators.say("Hello", in: newest, by: again)
        clock.advance(milliseconds: 2 * Self.day)
        try eventually(within: 60, "the old room is deleted") { try !rooms(operators).contains(old) }
        #expect(try pruned(operators) == "1")
        #expect(try rooms(operators) == [open, late, newest])
        for room in [open, newest] {
            #expect(try operators.call("GET", "/v1/admin/rooms/\(room)").status == 200, "\(room)")
        }
        #expect(try server.call("GET", "/v1/rooms/\(old)", by: host).status == 401)
        let guest = try server.guest("Hana")
        #expect(try server.call("GET", "/v1/rooms/\(old)", by: guest).code == "room.not_found")
        #expect(try server.call("POST", "/v1/rooms/\(old)/members", [:], by: guest).code == "room.not_found")
        let first = try #require(before.list("events").first?.text("cursor"))
        #expect(try operators.call("GET", "/v1/feed?after=\(first)").code == "feed.cursor_gone")
        server.stop()
        let archive = try SQLiteArchive(path: folder.log)
        #expect(try archive.allRooms().map(\.description).contains(old) == false && archive.damage() == [])
    }
}
