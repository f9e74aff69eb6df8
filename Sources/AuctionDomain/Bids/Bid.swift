/// Who placed a bid, and when it was decided. The lowest bit says whether the server placed it.
package enum BidOrigin: UInt8, Hashable, Sendable, Codable, CaseIterable {
    /// The bidder, by a command of their own.
    case bidder = 0
    /// The server, up to the maximum that the bidder gave with an earlier bid.
    case automatic = 1
    /// The host or an auctioneer, for a person in the hall or at the telephone.
    case floor = 2
    /// The server, when the lot opened, up to the maximum that the bidder left before.
    case absentee = 3

    /// Whether the server placed it on the bidder's behalf.
    package var isAutomatic: Bool { rawValue & 1 != 0 }
    /// Whether it gives its bidder a maximum of their own: all but the bids that follow from an earlier one.
    package var isOwn: Bool { self != .automatic }
}

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
    /// Who placed it.
    package let origin: BidOrigin
    /// Up to where the server bids on the bidder's behalf, as given with this bid; visible to the bidder only. Nil: a plain bid.
    package let maximum: Money?
    /// Maximum of the leader whom this bid beat, restored by a retraction of this bid; nil if no other bidder led.
    package let beatenMaximum: Money?
    /// The price at which the bid leads once the bids that it competed with are retracted; nil: `amount`.
    package let ownAmount: Money?

    package init(
        id: BidID, seq: Int, at: Timestamp, amount: Money, bidder: Person, leading: Bool, origin: BidOrigin,
        maximum: Money? = nil, beatenMaximum: Money? = nil, ownAmount: Money? = nil
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.origin = origin
        self.maximum = maximum
        self.beatenMaximum = beatenMaximum
        self.ownAmount = ownAmount
    }

    /// The bid that an event places.
    package init(_ placed: BidPlaced, seq: Int, at instant: Timestamp, beatenMaximum: Money? = nil) {
        self.init(
            id: placed.bid, seq: seq, at: instant, amount: placed.amount, bidder: placed.bidder, leading: placed.leading,
            origin: placed.origin, maximum: placed.maximum, beatenMaximum: beatenMaximum,
            ownAmount: placed.ownAmount)
    }

    /// Whether the server placed it on the bidder's behalf.
    package var automatic: Bool { origin.isAutomatic }

    /// The most that the bidder offered with this bid.
    var offeredMaximum: Money { max(maximum ?? amount, amount) }

    /// The same bid without the one that it competed with: it leads at its own amount.
    /// - Parameter beaten: The maximum of the bidder who led before; nil if there was none.
    func leading(over beaten: Money?) -> Bid {
        let own = ownAmount ?? amount
        return Bid(
            id: id, seq: seq, at: at, amount: own, bidder: bidder, leading: true, origin: origin,
            maximum: offeredMaximum > own ? offeredMaximum : nil, beatenMaximum: beaten)
    }
}
