/// A bid was accepted.
public struct BidPlaced: Hashable, Sendable {
    /// Identifier of the new bid.
    public let bid: BidID
    /// Private while bids are sealed.
    public let amount: Money
    /// The user who pays if the bid wins, also where the server placed it.
    public let bidder: Person
    /// Whether it is the highest now; always false while bids are sealed.
    public let leading: Bool
    /// Whether the server placed it on the bidder's behalf.
    public let automatic: Bool
    /// Up to where the server bids on the bidder's behalf: private. Nil: a plain bid.
    public let maximum: Money?
    /// Whether the amount is private until the round ends.
    public let isSealed: Bool
    /// Least amount of the next bid by a user without a bid of their own; nil if this bid ends the round.
    public let nextMinimum: Money?
    /// Whether the reserve price is reached; nil without one, and while bids are sealed.
    public let reserveMet: Bool?
    /// The deadline after this bid; in the same event, so that no reader sees the bid without it. Nil: unchanged.
    public let endsAt: Timestamp?

    public init(
        bid: BidID, amount: Money, bidder: Person, leading: Bool, automatic: Bool = false, maximum: Money? = nil,
        isSealed: Bool = false, nextMinimum: Money?, reserveMet: Bool? = nil, endsAt: Timestamp?
    ) {
        self.bid = bid
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.automatic = automatic
        self.maximum = maximum
        self.isSealed = isSealed
        self.nextMinimum = nextMinimum
        self.reserveMet = reserveMet
        self.endsAt = endsAt
    }
}

/// The leader raised the maximum up to which the server bids on their behalf; the price is unchanged.
public struct MaximumRaised: Hashable, Sendable {
    /// The leading bid.
    public let bid: BidID
    /// The leader, who gave the maximum.
    public let bidder: Person
    /// The new maximum: private.
    public let maximum: Money

    public init(bid: BidID, bidder: Person, maximum: Money) {
        self.bid = bid
        self.bidder = bidder
        self.maximum = maximum
    }
}

/// The latest explicit bid was retracted, with its maximum and the automatic bids it caused.
public struct BidRetracted: Hashable, Sendable {
    /// Identifier of the retracted explicit bid.
    public let bid: BidID
    /// The user whose bid was retracted.
    public let bidder: Person
    /// The user who retracted it.
    public let by: Person
    /// Free text from the user who retracted it; 1 to `AuctionTransition.reasonLimit` Unicode scalars.
    public let reason: String
    /// Every removed bid: the retracted one and the automatic ones it caused.
    public let removed: [BidID]
    /// The price after the retraction; nil without a bid, and while bids are sealed.
    public let price: Money?
    /// The leader after the retraction; nil without a bid, and while bids are sealed.
    public let leader: Person?
    /// Least amount of the next bid by a user without a bid of their own.
    public let nextMinimum: Money?
    /// Whether the price still reaches the reserve price; nil without one, and while bids are sealed.
    public let reserveMet: Bool?

    public init(
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

/// A retraction restored a bidder's lead without their maximum, because public events had disclosed it: the server does not
/// bid above the price for them until they give a new maximum. Follows `BidRetracted`; names no amount.
public struct MaximumVoided: Hashable, Sendable {
    /// The leading bid.
    public let bid: BidID
    /// The leader, whose maximum is void.
    public let bidder: Person

    public init(bid: BidID, bidder: Person) {
        self.bid = bid
        self.bidder = bidder
    }
}
