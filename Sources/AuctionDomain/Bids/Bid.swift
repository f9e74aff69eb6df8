/// An accepted bid; a refused command makes none.
package struct Bid: Hashable, Sendable, Codable {
    /// Identifier of the bid; a retraction names it.
    package let id: BidID
    /// The seq of its `bidPlaced` event: bids are ordered by it, never by time.
    package let seq: Int
    /// Acceptance instant by the server's clock.
    package let at: Timestamp
    /// In the room's currency, more than zero.
    package let amount: Money
    /// The user who pays if the bid wins, also where the server placed it.
    package let bidder: Person
    /// Whether it was the highest when it was placed.
    package let leading: Bool
    /// Whether the server placed it on the bidder's behalf.
    package let automatic: Bool
    /// Up to where the server bids on the bidder's behalf, as given with this bid; visible to the bidder only. Nil: a plain bid.
    package let maximum: Money?
    /// Maximum of the leader whom this bid beat, restored by a retraction of this bid; nil if no other bidder led.
    package let beatenMaximum: Money?

    package init(
        id: BidID, seq: Int, at: Timestamp, amount: Money, bidder: Person, leading: Bool, automatic: Bool,
        maximum: Money? = nil, beatenMaximum: Money? = nil
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.automatic = automatic
        self.maximum = maximum
        self.beatenMaximum = beatenMaximum
    }

    /// The bid that an event places.
    package init(_ placed: BidPlaced, seq: Int, at instant: Timestamp, beatenMaximum: Money? = nil) {
        self.init(
            id: placed.bid, seq: seq, at: instant, amount: placed.amount, bidder: placed.bidder, leading: placed.leading,
            automatic: placed.automatic, maximum: placed.maximum, beatenMaximum: beatenMaximum)
    }
}
