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

    @Test func `readers that check again and again share a search of a moment ago`() throws {
        let search = FeedSearch(quick: Self.millisecond)
        var (now, searches) = (Int64(0), 0)
        func run(asOf age: Int64, all: Bool = false) throws {
            try search.run(all: all, asOf: age, now: { now }) { _ throws(SessionFailure) in
                searches += 1
                return now
            }
        }
        try run(asOf: 20)
        try run(asOf: 20)
        #expect(searches == 1)
        now = 19
        try run(asOf: 20)
        #expect(searches == 1)
        try run(asOf: 0)
        #expect(searches == 2, "one that must have all that is committed searches")
        now = 39
        try run(asOf: 20)
        #expect(searches == 3)
        try run(asOf: 20, all: true)
        #expect(searches == 4)
        #expect(throws: SessionFailure.self) {
            now = 59
            try search.run(all: false, asOf: 20, now: { now }) { _ throws(SessionFailure) in
                throw SessionFailure(kind: .notSent, message: "away")
            }
        }
        try run(asOf: 20)
        #expect(searches == 5, "one that failed is no search")
    }

    @Test func `a reader that checks again and again leaves it to its next check to find more`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var room = SampleRoom(1)
        _ = try log.append([room.next(2)])
        #expect(try log.feedEnd().number == 2)
        _ = try log.append([room.next(1)])
        var query = FeedQuery(after: .beginning, limit: 9)
        query.isFresh = false
        guard case .events(let early, _, isAtEnd: true) = try log.scanFeed(query) else { throw ScenarioError() }
        #expect(try early.count == 2 && early.last?.position == log.feedEnd(asOf: .max))
        query.isFresh = true
        guard case .events(let all, _, isAtEnd: true) = try log.scanFeed(query) else { throw ScenarioError() }
        #expect(all.map(\.event.seq) == [1, 2, 3])
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

    @Test(arguments: [nil, ["item.sold"]] as [Set<String>?])
    func `a page reads few rows, also by a plan that was made while the log was small`(_ types: Set<String>?) throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        for number in 1...3 {
            var room = SampleRoom(UInt64(number))
            _ = try log.append([room.next(3)])
        }
        _ = try log.feedEnd()
        let session = try store.session()
        for setting in Connector.planning { try session.execute("SET \(setting)") }
        var query = FeedQuery(after: .beginning, limit: 100)
        query.types = types
        try session.execute("ANALYZE")
        try session.execute("PREPARE page AS \(FeedStatements.page(query).statement.sql)")
        let rest = types == nil ? "" : ", '{item.sold}'"
        try session.execute("EXECUTE page(0, 100\(rest))")
        try session.execute(
            """
            INSERT INTO event (room, seq, at, hash, type, public)
            SELECT r.number, n, 0, '', 'bid.placed', 'x' FROM generate_series(10, 20000) n, room r LIMIT 50000
            """)
        try session.execute(
            "INSERT INTO feed SELECT 3 * n + r.number % 3, r.number, n, 1 FROM generate_series(10, 15000) n, room r")
        // By the plan of the small log, by one that is made before the large one was analysed, and by one made afterwards.
        for (position, change) in [(0, ""), (20_000, ""), (20, "DISCARD PLANS"), (44_000, ""), (0, "ANALYZE"), (44_000, "")] {
            if !change.isEmpty { try session.execute(change) }
            let sql = "EXPLAIN (ANALYZE, TIMING OFF) EXECUTE page(\(position), 100\(rest))"
            let rows = try session.run([Call(Statement(name: "", sql: sql))])[0]
            let plan = try rows.map { row throws(SessionFailure) in row.text(0) }
            let read = plan.compactMap { line -> Double? in
                guard let match = line.firstMatch(of: /actual rows=([0-9.]+) loops=([0-9]+)/) else { return nil }
                return (Double(match.1) ?? .infinity) * (Double(match.2) ?? .infinity)
            }
            #expect(read.count > 5 && read.allSatisfy { $0 <= 500 }, "\(plan)")
        }
    }
}
