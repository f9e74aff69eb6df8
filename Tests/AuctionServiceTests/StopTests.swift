import AuctionDomain
import AuctionService
import AuctionTestKit
import Dispatch
import EventLog
import Testing

/// A service that is stopped at unusual times: no stop may wait for a thread that is not there.
struct StopTests {
    private struct Nobody: DeliveryPort {
        let loopCount = 1
        func deliver(_ delivery: Delivery, to loop: Int) {}
    }

    private func service(_ log: InMemoryEventLog = InMemoryEventLog()) throws -> RoomService {
        RoomService(
            log: log, rulebook: try .product(), encoder: PlainAnswers(), clock: TestClock(), port: Nobody())
    }

    /// Whether so many stops at once all return; far more time than they need, so that a loaded machine does not matter.
    private func stops(_ service: RoomService, times: Int = 1) -> Bool {
        let group = DispatchGroup()
        for _ in 0..<times { DispatchQueue.global().async(group: group) { service.stop() } }
        return group.wait(timeout: .now() + 20) == .success
    }

    @Test func `a service that never started stops`() throws {
        #expect(stops(try service()))
    }

    @Test func `a service stops once, and every further stop returns`() throws {
        let service = try service()
        try service.start()
        #expect(stops(service))
        #expect(stops(service))
    }

    @Test func `several stops at once all return, after the service has ended`() throws {
        let log = InMemoryEventLog()
        let service = try service(log)
        try service.start()
        #expect(stops(service, times: 4))
        #expect(throws: EventLogError.self) { try log.openRooms() }
    }

    @Test func `a service whose log was closed does not start, and stops`() throws {
        let log = InMemoryEventLog()
        log.close()
        let service = try service(log)
        #expect(throws: EventLogError.self) { try service.start() }
        #expect(stops(service))
    }
}
