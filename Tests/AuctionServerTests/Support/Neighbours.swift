import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Two servers over one log that they share, and a room that was opened at the first.
struct Neighbours {
    let log: InMemoryEventLog
    let clock: TestClock
    /// The first one's way to the log, and the second one's.
    let logs: [NodeLog]
    let here: Scene
    let there: Scene

    /// - Parameter systemClock: for tests in which time has to pass.
    init(
        visibility: String = "public", systemClock: Bool = false, _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws {
        let clock = TestClock()
        let log = InMemoryEventLog(clock: { systemClock ? SystemClock().now().wall : clock.now().wall })
        let logs = [NodeLog(log), NodeLog(log)]
        let houses = try logs.map { try House(log: $0, clock: clock, systemClock: systemClock, configure) }
        (self.log, self.clock, self.logs) = (log, clock, logs)
        here = try Scene(houses[0], visibility: visibility)
        there = Scene(here, in: houses[1])
    }

    /// A third server.
    func third(_ configure: (inout ServerOptions) -> Void = { _ in }) throws -> Scene {
        Scene(here, in: try House(log: NodeLog(log), clock: clock, configure))
    }
}
