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
        try second.start()
        #expect(try types(log).count == count)
        #expect(try log.heartbeat(of: NodeID(bits: 1)).liveNodes == 2)
        second.stop()
        first.stop()
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
