import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// The threads of a node on a shared log.
struct OutageLeaseTests {
    private struct NullDeliveryPort: DeliveryPort {
        let loopCount = 1
        func deliver(_ delivery: Delivery, to loop: Int) {}
    }

    private let clock = TestClock()

    private func node(_ number: UInt64, _ log: InMemoryEventLog) throws -> RoomService {
        RoomService(
            log: log, rulebook: try .product(), encoder: PlainResponseEncoder(), clock: clock, port: NullDeliveryPort(),
            node: NodeID(bits: number))
    }

    /// A log with an open round whose deadline has expired.
    private func logWithExpiredDeadline() throws -> InMemoryEventLog {
        let log = InMemoryEventLog(clock: { [clock] in clock.now().wall })
        let harness = try ServiceHarness(log: log, now: clock.now())
        Auction().open(harness)
        clock.advance(milliseconds: 60_000)
        return log
    }

    private func types(_ log: InMemoryEventLog) throws -> [String] {
        try log.events(of: Auction.room, after: 0, limit: 99).map(\.type)
    }

    @Test func `the first node extends expired deadlines, and a second one started beside it extends none`() throws {
        let log = try logWithExpiredDeadline()
        let first = try node(1, log)
        try first.start()
        #expect(try types(log).last == "countdown.moved")
        let count = try types(log).count
        let second = try node(2, log)
        try start(second, while: NodeID(bits: 1), livesOn: log)
        #expect(try types(log).count == count)
        #expect(try log.heartbeat(of: NodeID(bits: 1)).liveNodes == 2)
        second.stop()
        first.stop()
    }

    /// Starts a node while another one sends heartbeats, for which it waits.
    private func start(_ service: RoomService, while other: NodeID, livesOn log: InMemoryEventLog) throws {
        let beats = PeriodicThread(name: "beats")
        beats.start { [clock] in
            while beats.pause(milliseconds: 10) {
                clock.advance(milliseconds: 1)
                _ = try? log.heartbeat(of: other)
            }
        }
        defer { _ = beats.stop() }
        try service.start()
    }

    @Test func `given the only node was killed, one that starts at once waits, and recovers from an outage`() throws {
        let log = try logWithExpiredDeadline()
        _ = try log.heartbeat(of: NodeID(bits: 9))
        clock.advance(milliseconds: 500)
        var tasks = NodeTasks(NodeID(bits: 1))
        #expect(try tasks.begin(log, at: 0) == nil)
        clock.advance(milliseconds: Heartbeat.timeoutMilliseconds - 500)
        #expect(try tasks.begin(log, at: 0) == nil)
        clock.advance(milliseconds: 1)
        #expect(try tasks.begin(log, at: 0) == true)
        #expect(try log.heartbeat(of: NodeID(bits: 2)).outage?.claimedBy == NodeID(bits: 1))
    }

    @Test func `given a log whose clock was set back, a node that starts waits no longer than two seconds`() throws {
        let log = try logWithExpiredDeadline()
        _ = try log.heartbeat(of: NodeID(bits: 9))
        var tasks = NodeTasks(NodeID(bits: 1))
        #expect(try tasks.begin(log, at: 0) == nil)
        #expect(try tasks.begin(log, at: 2_000_000_000) == nil)
        #expect(try tasks.begin(log, at: 2_000_000_001) == true)
    }

    @Test func `a start after an orderly stop is an outage too, until its deadlines are extended`() throws {
        let log = try logWithExpiredDeadline()
        _ = try log.heartbeat(of: NodeID(bits: 9))
        try log.retire(NodeID(bits: 9))
        clock.advance(milliseconds: 500)
        var tasks = NodeTasks(NodeID(bits: 1))
        #expect(try tasks.begin(log, at: 0) == true)
        let outage = try #require(try log.heartbeat(of: NodeID(bits: 2)).outage)
        #expect(outage.claimedBy == NodeID(bits: 1))
        try tasks.recovered(.unfinished([Auction.room]), log)
        #expect(try log.heartbeat(of: NodeID(bits: 2)).outage != nil)
        #expect(try tasks.beat(log) != nil, "it recovers again")
    }

    @Test func `a repeated recovery has the rooms that the last one could not finish, and that of another outage all`() throws {
        let log = InMemoryEventLog(clock: { [clock] in clock.now().wall })
        let harness = try ServiceHarness(log: log, now: clock.now())
        let rooms = [Auction.room, RoomID(bits: 8)]
        for room in rooms { Auction().open(harness, room: room) }
        var tasks = NodeTasks(NodeID(bits: 1))
        _ = try tasks.begin(log, at: 0)
        try tasks.recovered(.complete, log)
        for _ in 0..<2 {
            clock.advance(milliseconds: 20_000)
            #expect(try tasks.beat(log)?.map(\.room).sorted() == rooms)
            try tasks.recovered(.failed, log)
            #expect(try tasks.beat(log)?.map(\.room).sorted() == rooms)
            try tasks.recovered(.unfinished([rooms[1]]), log)
            #expect(try tasks.beat(log) == nil, "a pause after the second one in a row")
            #expect(try tasks.beat(log)?.map(\.room) == [rooms[1]])
            try tasks.recovered(.complete, log)
            #expect(try log.heartbeat(of: NodeID(bits: 1)).outage == nil)
        }
    }

    @Test func `an outage of another history of the log with the identifier of the last one is recovered, too`() throws {
        var tasks = NodeTasks(NodeID(bits: 1))
        for _ in 0..<2 {
            let log = InMemoryEventLog(clock: { [clock] in clock.now().wall })
            Auction().open(try ServiceHarness(log: log, now: clock.now()))
            _ = try log.heartbeat(of: NodeID(bits: 1))
            clock.advance(milliseconds: 20_000)
            #expect(try tasks.beat(log)?.map(\.room) == [Auction.room])
            try tasks.recovered(.complete, log)
            #expect(try log.heartbeat(of: NodeID(bits: 1)).outage == nil)
        }
    }

    @Test func `two nodes that start after a kill wait for each other's predecessor, and one of them recovers`() throws {
        let log = try logWithExpiredDeadline()
        _ = try log.heartbeat(of: NodeID(bits: 9))
        var both = [NodeTasks(NodeID(bits: 1)), NodeTasks(NodeID(bits: 2))]
        for index in both.indices { #expect(try both[index].begin(log, at: 0) == nil) }
        clock.advance(milliseconds: Heartbeat.timeoutMilliseconds + 1)
        #expect(try both[0].begin(log, at: 0) == true)
        #expect(try both[1].begin(log, at: 0) == false)
    }

    @Test func `an outage of the log is claimed, its deadlines are extended, and it is settled`() async throws {
        let log = InMemoryEventLog(clock: { [clock] in clock.now().wall })
        Auction().open(try ServiceHarness(log: log, now: clock.now()))
        let service = try node(1, log)
        try service.start()
        let count = try types(log).count
        // No node could send a heartbeat, and the round's deadline expired meanwhile.
        clock.advance(milliseconds: 20_000)
        for _ in 0..<200 {
            if try types(log).count > count, try log.heartbeat(of: NodeID(bits: 2)).outage == nil { break }
            try await Task.sleep(for: .milliseconds(50))
            clock.advance(milliseconds: 20)
        }
        #expect(try types(log).dropFirst(count) == ["countdown.moved"])
        #expect(try log.heartbeat(of: NodeID(bits: 2)).outage == nil)
        service.stop()
    }
}
