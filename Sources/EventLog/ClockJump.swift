public import AuctionDomain

/// A forward jump of the service's clock: no instant strictly between `from` and `to` occurred.
public struct ClockJump: Hashable, Sendable {
    /// Last instant before the jump.
    public let from: Timestamp
    /// First instant after the jump.
    public let to: Timestamp

    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// Length of the jump.
    public var milliseconds: Int64 { to.milliseconds(since: from) }
}
