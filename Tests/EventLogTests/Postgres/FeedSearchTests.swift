import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogPostgres

/// Which rooms are searched for events that have no number of the feed.
struct FeedSearchTests {
    private static let millisecond: Int64 = 1_000_000
    private let rooms = (1...3).map { RoomID(bits: UInt128($0)) }

    private func time(_ milliseconds: Int64) -> Int64 { milliseconds * Self.millisecond }

    /// A plan after a search of so many milliseconds, which has ended at 1000.
    private func plan(length: Int64) -> FeedSearchPlan {
        var plan = FeedSearchPlan(quick: time(2))
        #expect(plan.next(at: time(1000 - length)) == .all)
        plan.searchedAll(from: time(1000 - length), to: time(1000))
        return plan
    }

    @Test func `a search of all rooms that is quick is made every time`() {
        var plan = plan(length: 1)
        for now in [1000, 1001, 1002] as [Int64] { #expect(plan.next(at: time(now)) == .all) }
    }

    @Test func `with many rooms those that changed are searched, each once, and all of them after a pause`() {
        var plan = plan(length: 20)
        #expect(plan.next(at: time(1001)) == .nothing)
        #expect(plan.add([rooms[0], rooms[1]]) && plan.add([rooms[0]]))
        let scope = plan.next(at: time(1002))
        #expect(scope == .rooms([rooms[0], rooms[1]]) || scope == .rooms([rooms[1], rooms[0]]))
        #expect(plan.next(at: time(1999)) == .nothing)
        #expect(plan.add([rooms[2]]) && plan.next(at: time(2000)) == .all)
        plan.searchedAll(from: time(2000), to: time(2020))
        #expect(plan.next(at: time(2021)) == .nothing, "the room was searched with all others")
    }

    @Test func `changes that are not named shorten the pause, and no pause is longer than ten seconds`() {
        var urgent = plan(length: 20)
        urgent.missed()
        #expect(urgent.next(at: time(1199)) == .nothing && urgent.next(at: time(1200)) == .all)
        var long = plan(length: 900)
        #expect(long.next(at: time(10_999)) == .nothing && long.next(at: time(11_000)) == .all)
    }

    @Test func `no more than a thousand rooms are remembered`() {
        var plan = plan(length: 20)
        let areRemembered = plan.add((1...1000).map { RoomID(bits: UInt128($0)) })
        let isRemembered = plan.add([RoomID(bits: 1001)])
        #expect(areRemembered && !isRemembered)
        #expect(plan.next(at: time(1001)) == .nothing, "all are searched soon")
        #expect(plan.next(at: time(1200)) == .all)
    }

    /// Limits under which a search of all rooms counts as slow, whatever it takes.
    private var slow: PostgresLimits {
        var limits = PostgresLimits()
        limits.quickFeedSearchMicroseconds = 0
        return limits
    }

    @Test func `with many rooms too a reader has at once what its node has committed, and soon what others have`() throws {
        let store = try TestStore()
        let (reader, writer) = (try store.open(slow), try store.open(slow))
        defer { for log in [reader, writer] { log.close() } }
        var (own, foreign) = (SampleRoom(1), SampleRoom(2))
        func events() throws -> [FeedEvent] {
            guard case .events(let events) = try reader.feed(after: .beginning, limit: 1000) else { return [] }
            return events
        }
        for round in 0..<40 {
            _ = try writer.append([foreign.next(1)])
            _ = try reader.append([own.next(1)])
            let events = try events()
            #expect(events.filter { $0.room == own.id }.map(\.event.seq) == Array(1...round + 1))
            let others = events.filter { $0.room == foreign.id }.map(\.event.seq)
            #expect(others == Array(others.indices.map { $0 + 1 }), "in order, without gaps")
        }
        try reader.numberEvents(ofAll: true)
        #expect(try events().count == 80, "a search of all rooms finds what no notification has named")
    }

    @Test func `a room of which another node sends a notification is searched`() throws {
        let store = try TestStore()
        let log = try store.open(slow)
        defer { log.close() }
        _ = try log.feedEnd()
        var room = SampleRoom(1)
        // As of a node whose notification has come, in a pause that is long.
        let other = try store.open()
        defer { other.close() }
        _ = try other.append([room.next(3)])
        log.notices.feedSearch.add([room.id])
        #expect(try log.feedEnd().number == 3)
        _ = try other.append([room.next(1)])
        #expect(try log.prunableRooms(before: Timestamp(milliseconds: 0), after: 0, limit: 1).isEmpty)
        #expect(try store.text("SELECT number::text FROM feed_end") == "4", "a pruning searches all")
    }
}
