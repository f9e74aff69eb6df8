public import EventLog

/// The time of a log that nodes share: they stamp with its clock, so that whose own clock is wrong harms nobody.
public struct SharedClock: ServiceClock {
    private let log: any SharedEventLog
    private let machine: any ServiceClock

    /// - Parameter machine: What the time is told by before the log has said anything.
    public init(_ log: any SharedEventLog, machine: any ServiceClock = SystemClock()) {
        self.log = log
        self.machine = machine
    }

    public func now() -> Now {
        let now = machine.now()
        return Now(wall: log.time(at: now.monotonic) ?? now.wall, monotonic: now.monotonic)
    }
}
