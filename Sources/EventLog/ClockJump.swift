package import AuctionDomain

/// A forward jump of the service's clock: no instant strictly between `from` and `to` occurred.
package struct ClockJump: Hashable, Sendable {
    /// Last instant before the jump.
    package let from: Timestamp
    /// First instant after the jump.
    package let to: Timestamp

    package init(from: Timestamp, to: Timestamp) { (self.from, self.to) = (from, to) }

    /// Length of the jump.
    package var milliseconds: Int64 { to.milliseconds(since: from) }
}
