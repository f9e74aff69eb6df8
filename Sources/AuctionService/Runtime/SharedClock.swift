internal import AuctionDomain
package import EventLog
internal import Synchronization

/// The time of a shared log: all nodes stamp events with the log's clock, so that a node's wrong wall clock does no harm.
///
/// The log accepts no other timestamps, so this clock follows the log's clock back too. Its forward jumps expire no countdown and
/// do not count towards any age.
package final class SharedClock: ServiceClock {
    private let log: any SharedEventLog
    private let machine: any ServiceClock
    /// Set with the first reading of the log's clock.
    private let timeline = AtomicLazyReference<ServiceTimeline>()

    /// - Parameter machine: Used until the log has reported its time.
    package init(_ log: any SharedEventLog, machine: any ServiceClock = SystemClock()) {
        (self.log, self.machine) = (log, machine)
    }

    /// The machine's uptime in nanoseconds.
    package func uptime() -> Int64 { machine.uptime() }

    /// The service's time by the log's clock.
    package func now() -> Now {
        if let timeline = timeline.load() { return timeline.now { reading() } }
        let now = machine.now()
        guard let time = log.time(at: now.monotonic) else { return now }
        let first = ServiceTime(wall: time, monotonic: now.monotonic, setBack: .follow)
        return timeline.storeIfNil(ServiceTimeline(first)).now { reading() }
    }

    private func reading() -> Now {
        let now = machine.now()
        return Now(wall: log.time(at: now.monotonic) ?? now.wall, monotonic: now.monotonic)
    }
}
