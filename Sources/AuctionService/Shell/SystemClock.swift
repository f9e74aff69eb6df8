public import AuctionDomain
internal import Glibc

/// Tells the shells what time it is; tests bring their own.
public protocol ServiceClock: Sendable {
    func now() -> Now
    /// Nanoseconds of a clock that only goes forward, and goes on while the machine sleeps, as a suspended one does: it tells how old
    /// something is. Only differences count.
    func uptime() -> Int64
}

extension ServiceClock {
    /// The machine's.
    public func uptime() -> Int64 { SystemClock.read(CLOCK_BOOTTIME) }
}

/// The machine's clocks as they are: the wall clock may be set at any time.
public struct SystemClock: ServiceClock {
    public init() {}

    public func now() -> Now {
        let wall = Self.read(CLOCK_REALTIME)
        return Now(
            wall: Timestamp(milliseconds: wall / 1_000_000), monotonic: Self.read(CLOCK_MONOTONIC))
    }

    fileprivate static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Safe: the pointer is to a local that outlives the call, and these clocks always exist.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The service's time by the machine's clocks, for a log of one process.
public final class MachineServiceClock: ServiceClock {
    /// Older jumps matter to nothing: longer than keys and guests' tokens live.
    private static let rememberedMilliseconds: Int64 = 8 * 24 * 3_600_000

    private let machine: any ServiceClock
    private let timeline: ServiceTimeline

    /// - Parameters:
    ///   - newest: When the newest event in the log happened.
    ///   - jumps: That the log has kept.
    public init(newest: Timestamp?, jumps: ClockJumps, machine: any ServiceClock = SystemClock()) {
        self.machine = machine
        let now = machine.now()
        let known = jumps.since(jumps.instant(Self.rememberedMilliseconds, before: max(now.wall, newest ?? now.wall)))
        timeline = ServiceTimeline(ServiceTime(wall: now.wall, monotonic: now.monotonic, newest: newest, jumps: known))
    }

    public func now() -> Now { timeline.now { machine.now() } }
}
