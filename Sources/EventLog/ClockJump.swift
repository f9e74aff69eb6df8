public import AuctionDomain

/// A forward jump of the service's time: the instants between `from` and `to` never were.
public struct ClockJump: Hashable, Sendable {
    public let from: Timestamp
    public let to: Timestamp

    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }

    public var milliseconds: Int64 { to.milliseconds(since: from) }
}
