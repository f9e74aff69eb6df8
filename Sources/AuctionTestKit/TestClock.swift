public import AuctionDomain
public import AuctionService
internal import EventLog
internal import Synchronization

/// A clock that moves only when a test says so.
public final class TestClock: ServiceClock {
    private let time: Mutex<Now>
    private let slept = Mutex<Int64>(0)

    /// Starts at 2026-01-01T00:00:00Z.
    public init() { time = Mutex(Now(wall: Timestamp(milliseconds: 1_767_225_600_000), monotonic: 0)) }

    public func now() -> Now { time.withLock { $0 } }

    /// Moves both clocks forward.
    public func advance(milliseconds: Int64) {
        time.withLock { now in
            now = Now(
                wall: Timestamp(milliseconds: now.wall.milliseconds + milliseconds),
                monotonic: now.monotonic + milliseconds * 1_000_000, jumps: now.jumps)
        }
    }

    /// The service's time jumps with a wall clock that is set forward.
    public func jump(milliseconds: Int64) { time.withLock { $0 = $0.jumped(byMilliseconds: milliseconds) } }

    /// The machine's, and what `suspend` added: what is in memory ages while a test runs, and not when it moves the clock.
    public func uptime() -> Int64 { SystemClock().uptime() + slept.withLock { $0 } }

    /// Lets everything that is in memory age at once, as when the machine was asleep.
    public func suspend(milliseconds: Int64) { slept.withLock { $0 += milliseconds * 1_000_000 } }

    /// Sets the wall clock, as somebody may do to a machine.
    public func setWall(_ instant: Timestamp) {
        time.withLock { $0 = Now(wall: instant, monotonic: $0.monotonic) }
    }
}

extension Now {
    /// The same moment after a jump of the wall clock and the service's time.
    func jumped(byMilliseconds milliseconds: Int64) -> Now {
        let later = wall.advanced(byMilliseconds: milliseconds)
        return Now(
            wall: later, monotonic: monotonic + 1_000_000, jumps: ClockJumps(jumps.list + [ClockJump(from: wall, to: later)]))
    }
}
