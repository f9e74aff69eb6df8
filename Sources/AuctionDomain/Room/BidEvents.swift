/// One accepted bid.
public struct BidPlaced: Hashable, Sendable {
    public let bid: BidID
    /// Private while bids are sealed.
    public let amount: Money
    public let bidder: Person
    /// Whether it is the highest now; always false while bids are sealed.
    public let leading: Bool
    /// Whether the server placed it on the bidder's behalf.
    public let automatic: Bool
    /// Up to where the server bids for the bidder: private. Nil: a plain bid.
    public let maximum: Money?
    /// Whether the amount stays private.
    public let isSealed: Bool
    /// What the next bid by anybody must be at least.
    public let nextMinimum: Money?
    /// Whether the reserve price is reached; nil without one, and while bids are sealed.
    public let reserveMet: Bool?
    /// The moved end of the countdown: in the same event, so that no reader sees one without the other.
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

/// The leader lets the server bid further for them; the price stays where it is.
public struct MaximumRaised: Hashable, Sendable {
    /// The leading bid.
    public let bid: BidID
    public let bidder: Person
    /// Private.
    public let maximum: Money

    public init(bid: BidID, bidder: Person, maximum: Money) {
        self.bid = bid
        self.bidder = bidder
        self.maximum = maximum
    }
}

/// The latest explicit bid was taken back, with its maximum and the automatic bids it caused.
public struct BidRetracted: Hashable, Sendable {
    public let bid: BidID
    public let bidder: Person
    public let by: Person
    public let reason: String
    /// Every bid that is gone: the retracted one and the automatic ones it caused.
    public let removed: [BidID]
    /// The price now; nil without a bid, and while bids are sealed.
    public let price: Money?
    /// Who leads now; nil without a bid, and while bids are sealed.
    public let leader: Person?
    public let nextMinimum: Money?
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

/// A retraction gave a bidder the lead back without their maximum, because the retracted bid had laid it open: from now on
/// they bid the price and no more, until they give a new maximum. Follows `BidRetracted`; names no amount.
public struct MaximumVoided: Hashable, Sendable {
    /// The leading bid.
    public let bid: BidID
    public let bidder: Person

    public init(bid: BidID, bidder: Person) {
        self.bid = bid
        self.bidder = bidder
    }
}
