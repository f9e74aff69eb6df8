internal import AuctionDomain
public import EventLog
internal import Synchronization

/// The time of a log that nodes share: they stamp with its clock, so that whose own clock is wrong harms nobody.
///
/// The log takes no stamps of another time, so this one follows its clock back too. Its forward jumps sell and age nothing.
public final class SharedClock: ServiceClock {
    private let log: any SharedEventLog
    private let machine: any ServiceClock
    /// Set with the first reading of the log's clock.
    private let timeline = AtomicLazyReference<ServiceTimeline>()

    /// - Parameter machine: What the time is told by before the log has said anything.
    public init(_ log: any SharedEventLog, machine: any ServiceClock = SystemClock()) {
        self.log = log
        self.machine = machine
    }

    public func uptime() -> Int64 { machine.uptime() }

    public func now() -> Now {
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
