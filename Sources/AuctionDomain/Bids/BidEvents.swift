/// A bid was accepted.
package struct BidPlaced: Hashable, Sendable {
    /// Identifier of the new bid.
    package let bid: BidID
    /// Private while bids are sealed.
    package let amount: Money
    /// The user who pays if the bid wins, also where the server placed it.
    package let bidder: Person
    /// Whether it is the highest now; always false while bids are sealed.
    package let leading: Bool
    /// Who placed it.
    package let origin: BidOrigin
    /// Up to where the server bids on the bidder's behalf: private. Nil: a plain bid.
    package let maximum: Money?
    /// The price at which the bid leads once the bids that it competes with are retracted: the amount that its bidder named, or the
    /// reserve price if its maximum covers that; of an absentee bid the starting price instead of a named amount. Private. Nil: `amount`.
    package let ownAmount: Money?
    /// Whether the amount is private until the round ends.
    package let isSealed: Bool
    /// Least amount of the next bid by a user without a bid of their own; nil if this bid ends the round.
    package let nextMinimum: Money?
    /// Whether the reserve price is reached; nil without one, and while bids are sealed.
    package let reserveMet: Bool?
    /// The deadline after this bid; in the same event, so that no reader sees the bid without it. Nil: unchanged.
    package let endsAt: Timestamp?

    package init(
        bid: BidID, amount: Money, bidder: Person, leading: Bool, origin: BidOrigin = .bidder, maximum: Money? = nil,
        ownAmount: Money? = nil, isSealed: Bool = false, nextMinimum: Money?, reserveMet: Bool? = nil, endsAt: Timestamp?
    ) {
        self.bid = bid
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.origin = origin
        self.maximum = maximum
        self.ownAmount = ownAmount
        self.isSealed = isSealed
        self.nextMinimum = nextMinimum
        self.reserveMet = reserveMet
        self.endsAt = endsAt
    }

    /// Whether the server placed it on the bidder's behalf.
    package var automatic: Bool { origin.isAutomatic }
}

/// The leader raised the maximum up to which the server bids on their behalf; the price is unchanged.
package struct MaximumRaised: Hashable, Sendable {
    /// The leading bid.
    package let bid: BidID
    /// The leader, who gave the maximum.
    package let bidder: Person
    /// The new maximum: private.
    package let maximum: Money

    package init(bid: BidID, bidder: Person, maximum: Money) {
        self.bid = bid
        self.bidder = bidder
        self.maximum = maximum
    }
}

/// A bid was retracted, the latest explicit one or one of a banned bidder, perhaps absentee, with its maximum and the automatic bids it caused.
package struct BidRetracted: Hashable, Sendable {
    /// Identifier of the retracted bid, which is no automatic one.
    package let bid: BidID
    /// The user whose bid was retracted.
    package let bidder: Person
    /// The user who retracted it.
    package let by: Person
    /// Free text from the user who retracted it; 1 to `AuctionTransition.reasonLimit` Unicode scalars.
    package let reason: String
    /// Every removed bid: the retracted one and the automatic ones it caused.
    package let removed: [BidID]
    /// The price after the retraction; nil without a bid, and while bids are sealed.
    package let price: Money?
    /// The leader after the retraction; nil without a bid, and while bids are sealed.
    package let leader: Person?
    /// Least amount of the next bid by a user without a bid of their own.
    package let nextMinimum: Money?
    /// Whether the price still reaches the reserve price; nil without one, and while bids are sealed.
    package let reserveMet: Bool?

    package init(
        bid: BidID, bidder: Person, by: Person, reason: String, removed: [BidID], price: Money?, leader: Person?,
        nextMinimum: Money?, reserveMet: Bool?
    ) {
        self.bid = bid
        self.bidder = bidder
        self.by = by
        self.reason = reason
        self.removed = removed
        self.price = price
        self.leader = leader
        self.nextMinimum = nextMinimum
        self.reserveMet = reserveMet
    }
}

/// The server does not bid above the price for the leader until they give a new maximum. Names no amount.
///
/// Follows `BidRetracted`, if public events disclosed the maximum of the bidder who leads then, or the event by which the host banned the leader or set a credit limit
/// below the maximum.
package struct MaximumVoided: Hashable, Sendable {
    /// The leading bid.
    package let bid: BidID
    /// The leader, whose maximum is void.
    package let bidder: Person

    package init(bid: BidID, bidder: Person) {
        self.bid = bid
        self.bidder = bidder
    }
}
