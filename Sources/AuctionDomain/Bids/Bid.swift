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
    /// The price at which the bid leads once the bids that it competed with are retracted; nil: `amount`.
    package let ownAmount: Money?

    package init(
        id: BidID, seq: Int, at: Timestamp, amount: Money, bidder: Person, leading: Bool, automatic: Bool,
        maximum: Money? = nil, beatenMaximum: Money? = nil, ownAmount: Money? = nil
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
        self.ownAmount = ownAmount
    }

    /// The bid that an event places.
    package init(_ placed: BidPlaced, seq: Int, at instant: Timestamp, beatenMaximum: Money? = nil) {
        self.init(
            id: placed.bid, seq: seq, at: instant, amount: placed.amount, bidder: placed.bidder, leading: placed.leading,
            automatic: placed.automatic, maximum: placed.maximum, beatenMaximum: beatenMaximum,
            ownAmount: placed.ownAmount)
    }

    /// The most that the bidder offered with this bid.
    var offeredMaximum: Money { max(maximum ?? amount, amount) }

    /// The same bid without the one that it competed with: it leads at its own amount.
    /// - Parameter beaten: The maximum of the bidder who led before; nil if there was none.
    func leading(over beaten: Money?) -> Bid {
        let own = ownAmount ?? amount
        return Bid(
            id: id, seq: seq, at: at, amount: own, bidder: bidder, leading: true, automatic: false,
            maximum: offeredMaximum > own ? offeredMaximum : nil, beatenMaximum: beaten)
    }
}
