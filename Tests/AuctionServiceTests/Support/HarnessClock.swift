import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog

/// The clock of a harness's log, which can lag. `@unchecked Sendable`: a harness and its clock are used on one thread.
final class HarnessClock: @unchecked Sendable {
    var harness: ServiceHarness?
    var lagMilliseconds: Int64 = 0

    var wall: Timestamp { harness?.now.wall.advanced(byMilliseconds: -lagMilliseconds) ?? Timestamp(milliseconds: 0) }
}

extension ServiceHarness {
    /// A node on a shared log whose clock is the harness's.
    static func onSharedLog() throws -> (harness: ServiceHarness, clock: HarnessClock) {
        let clock = HarnessClock()
        let harness = try ServiceHarness(log: InMemoryEventLog(clock: { clock.wall }))
        clock.harness = harness
        return (harness, clock)
    }

    /// Another node on the same log, with no room in memory.
    func otherNode() throws -> ServiceHarness { try ServiceHarness(log: log, now: now) }
}
