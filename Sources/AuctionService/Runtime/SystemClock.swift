package import AuctionDomain
internal import CScheduling
internal import Glibc

/// The shell's source of time; tests supply their own.
package protocol ServiceClock: Sendable {
    /// A reading of the service's time and of the monotonic clock.
    func now() -> Now
    /// Nanoseconds of a clock that never goes back and keeps running while the machine is suspended, to measure ages. Only
    /// differences are meaningful.
    func uptime() -> Int64
}

extension ServiceClock {
    /// The machine's time since boot, in nanoseconds.
    package func uptime() -> Int64 { scheduling_nanoseconds(CLOCK_BOOTTIME) }
}

/// The machine's clocks without correction: the wall clock may be set at any time.
package struct SystemClock: ServiceClock {
    /// Reads the clocks of this machine.
    package init() {}

    /// A reading of both clocks.
    package func now() -> Now {
        let wall = scheduling_nanoseconds(CLOCK_REALTIME)
        return Now(wall: Timestamp(milliseconds: wall / 1_000_000), monotonic: scheduling_nanoseconds(CLOCK_MONOTONIC))
    }
}

/// The service's time by the machine's clocks, for a log of one process.
package final class MachineServiceClock: ServiceClock {
    /// Older jumps are irrelevant: longer than idempotency keys and guest tokens live.
    private static let rememberedMilliseconds: Int64 = 8 * 24 * 3_600_000

    private let machine: any ServiceClock
    private let timeline: ServiceTimeline

    /// - Parameter newest: Timestamp of the newest event in the log; nil for an empty log.
    package init(newest: Timestamp?, jumps: ClockJumps, machine: any ServiceClock = SystemClock()) {
        self.machine = machine
        let now = machine.now()
        let known = jumps.since(jumps.instant(Self.rememberedMilliseconds, before: max(now.wall, newest ?? now.wall)))
        timeline = ServiceTimeline(ServiceTime(wall: now.wall, monotonic: now.monotonic, newest: newest, jumps: known))
    }

    /// The service's time now.
    package func now() -> Now { timeline.now { machine.now() } }
}
