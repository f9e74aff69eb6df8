import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Two servers on one shared log, and a room that was opened at the first.
struct TwoNodes {
    let log: InMemoryEventLog
    let clock: TestClock
    /// Each node's access to the log, which tests can block or fail.
    let logs: [NodeLog]
    let nodeA: RoomFixture
    let nodeB: RoomFixture

    /// - Parameter systemClock: whether the nodes use the real clock.
    init(
        visibility: String = "public", systemClock: Bool = false, _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws {
        let clock = TestClock()
        let log = InMemoryEventLog(clock: { systemClock ? SystemClock().now().wall : clock.now().wall })
        let logs = [NodeLog(log), NodeLog(log)]
        let servers = try logs.map { try TestServer(log: $0, clock: clock, systemClock: systemClock, configure) }
        (self.log, self.clock, self.logs) = (log, clock, logs)
        nodeA = try RoomFixture(servers[0], visibility: visibility)
        nodeB = RoomFixture(nodeA, in: servers[1])
    }

    /// The room at a third server on the same log.
    func startThird(_ configure: (inout ServerOptions) -> Void = { _ in }) throws -> RoomFixture {
        RoomFixture(nodeA, in: try TestServer(log: NodeLog(log), clock: clock, configure))
    }
}
