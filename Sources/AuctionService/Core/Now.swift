public import AuctionDomain

/// What the clocks showed: cores never read one, their inputs carry this.
public struct Now: Hashable, Sendable {
    /// The service's time: stamps, countdowns and everything that clients see; see `ServiceTime`.
    public let wall: Timestamp
    /// Nanoseconds of a clock that only goes forward.
    public let monotonic: Int64
    /// What the wall clock itself showed: for instants that others set by theirs, such as the `exp` of a provider's token.
    public let actual: Timestamp
    /// Over what the service's time has jumped.
    public let jumps: ClockJumps

    /// - Parameter actual: nil: the service's time and the wall clock agree.
    public init(wall: Timestamp, monotonic: Int64, actual: Timestamp? = nil, jumps: ClockJumps = .none) {
        self.wall = wall
        self.monotonic = monotonic
        self.actual = actual ?? wall
        self.jumps = jumps
    }

    /// How old something is that was made then, in milliseconds; jumps of the clock age nothing.
    public func age(of instant: Timestamp) -> Int64 {
        wall.milliseconds(since: instant) - jumps.skipped(from: instant, to: wall)
    }

    /// When what is so many milliseconds old now was made.
    public func instant(ofAge milliseconds: Int64) -> Timestamp { jumps.instant(milliseconds, before: wall) }
}
