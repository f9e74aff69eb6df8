public import AuctionDomain

/// What the clocks showed: cores never look at one, their inputs carry this.
public struct Now: Hashable, Sendable {
    public let wall: Timestamp
    /// Nanoseconds of a clock that only goes forward.
    public let monotonic: Int64

    public init(wall: Timestamp, monotonic: Int64) {
        self.wall = wall
        self.monotonic = monotonic
    }
}
