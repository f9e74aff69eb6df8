package import AuctionDomain
package import AuctionService
internal import EventLog
internal import Synchronization

/// A clock that advances only when a test advances it.
package final class TestClock: ServiceClock {
    private let time: Mutex<Now>
    private let slept = Mutex<Int64>(0)

    /// - Parameter now: The time at first; nil: 2026-01-01T00:00:00Z.
    package init(_ now: Now? = nil) {
        time = Mutex(now ?? Now(wall: Timestamp(milliseconds: 1_767_225_600_000), monotonic: 0))
    }

    /// The time that the test has set.
    package func now() -> Now { time.withLock { $0 } }

    /// Sets both clocks.
    package func set(_ now: Now) { time.withLock { $0 = now } }

    /// Advances the wall clock and the monotonic clock.
    package func advance(milliseconds: Int64) {
        time.withLock { now in
            now = Now(
                wall: Timestamp(milliseconds: now.wall.milliseconds + milliseconds),
                monotonic: now.monotonic + milliseconds * 1_000_000, jumps: now.jumps)
        }
    }

    /// Sets the wall clock forward; the service's time jumps with it.
    package func jump(milliseconds: Int64) { time.withLock { $0 = $0.jumped(byMilliseconds: milliseconds) } }

    /// The machine's uptime in nanoseconds plus the time added by `suspend`: in-memory data ages in real time, independently of `now`.
    package func uptime() -> Int64 { SystemClock().uptime() + slept.withLock { $0 } }

    /// Ages in-memory data at once, like a suspended machine.
    package func suspend(milliseconds: Int64) { slept.withLock { $0 += milliseconds * 1_000_000 } }

    /// Sets the wall clock and leaves the monotonic clock.
    package func setWall(_ instant: Timestamp) {
        time.withLock { $0 = Now(wall: instant, monotonic: $0.monotonic) }
    }
}

extension Now {
    /// The time after a jump of the wall clock and the service's time.
    package func jumped(byMilliseconds milliseconds: Int64) -> Now {
        let later = wall.advanced(byMilliseconds: milliseconds)
        return Now(
            wall: later, monotonic: monotonic + 1_000_000, jumps: ClockJumps(jumps.list + [ClockJump(from: wall, to: later)]))
    }
}
