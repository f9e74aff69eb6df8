package import AuctionDomain

/// A reading of the clocks. Cores never read clocks; their inputs carry one.
package struct Now: Hashable, Sendable {
    /// The service's time, used for event timestamps, countdowns and everything that clients see; see `ServiceTime`.
    package let wall: Timestamp
    /// Nanoseconds of a clock that never goes back.
    package let monotonic: Int64
    /// The wall clock itself, for instants that other systems set by theirs, such as the `exp` of a provider's token.
    package let actual: Timestamp
    /// The forward jumps of the service's time.
    package let jumps: ClockJumps

    /// - Parameter actual: The wall clock; nil if it agrees with the service's time.
    package init(wall: Timestamp, monotonic: Int64, actual: Timestamp? = nil, jumps: ClockJumps = .none) {
        self.wall = wall
        self.monotonic = monotonic
        self.actual = actual ?? wall
        self.jumps = jumps
    }

    /// The age of something created at `instant`, in milliseconds, not counting clock jumps.
    package func age(of instant: Timestamp) -> Int64 {
        wall.milliseconds(since: instant) - jumps.skipped(from: instant, to: wall)
    }

    /// The service's time that was as long ago as a monotonic reading, as if it had not jumped since.
    /// - Parameter instant: Monotonic nanoseconds.
    package func instant(atMonotonic instant: Int64) -> Timestamp {
        wall.advanced(byMilliseconds: (instant - monotonic) / 1_000_000)
    }

    /// The creation time of something that has this age now.
    package func instant(ofAge milliseconds: Int64) -> Timestamp { jumps.instant(milliseconds, before: wall) }
}
