import AuctionDomain
import AuctionService
import AuctionTestKit
import Dispatch
import EventLog
import Testing

/// Stops of a service in every phase: no stop may wait for a thread that does not run.
struct StopTests {
    private struct NullDeliveryPort: DeliveryPort {
        let loopCount = 1
        func deliver(_ delivery: Delivery, to loop: Int) {}
    }

    private func service(_ log: InMemoryEventLog = InMemoryEventLog(), sequencers: Int = 1) throws -> RoomService {
        RoomService(
            log: log, rulebook: try .product(), encoder: PlainResponseEncoder(), clock: TestClock(), port: NullDeliveryPort(),
            sequencers: sequencers)
    }

    /// Whether this many concurrent stops all return. The timeout is far longer than needed, for loaded machines.
    private func stops(_ service: RoomService, times: Int = 1) -> Bool {
        let group = DispatchGroup()
        for _ in 0..<times { DispatchQueue.global().async(group: group) { service.stop() } }
        return group.wait(timeout: .now() + 20) == .success
    }

    @Test func `a service that was never started stops`() throws {
        #expect(stops(try service()))
    }

    @Test(arguments: [1, 4]) func `a service stops, and a second stop returns`(_ sequencers: Int) throws {
        let service = try service(sequencers: sequencers)
        try service.start()
        #expect(stops(service))
        #expect(stops(service))
    }

    @Test func `concurrent stops all return after the service has stopped`() throws {
        let log = InMemoryEventLog()
        let service = try service(log)
        try service.start()
        #expect(stops(service, times: 4))
        #expect(throws: EventLogError.self) { try log.openRooms() }
    }

    @Test func `a stop does not wait for a round that cannot end because the disk is full`() throws {
        let harness = try Auction().opened()
        harness.wait(until: try #require(try harness.storedRoom(Auction.room)?.endsAt))
        harness.log.failNextAppend(with: EventLogError(.full, "no space"))
        harness.handleTick()
        let bid = harness.send(Auction().bid(100), to: Auction.room, by: Auction().bidder)
        #expect(harness.nextTick != nil, "the end is tried again")
        harness.handle(.stop)
        harness.endTurn()
        #expect(harness.hasStopped)
        #expect(harness.nextTick == nil)
        #expect(harness.responses[bid]?.text == "stopping")
    }

    @Test func `what is in flight at a stop is completed, and not tried again if it fails`() throws {
        let auction = Auction()
        let harness = try auction.opened()
        let bid = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        harness.handle(.stop)
        harness.endTurn()
        #expect(!harness.hasStopped)
        harness.log.failNextAppend(with: EventLogError(.full, "no space"))
        harness.commit()
        #expect(harness.responses[bid]?.text == "logUnavailable")
        #expect(harness.hasStopped)
    }

    @Test func `a service with a closed log does not start, and stops`() throws {
        let log = InMemoryEventLog()
        log.close()
        let service = try service(log)
        #expect(throws: EventLogError.self) { try service.start() }
        #expect(stops(service))
    }
}
