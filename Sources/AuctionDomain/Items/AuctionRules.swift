/// How an item is auctioned; chosen with the item, fixed once its round starts.
package struct AuctionRules: Hashable, Sendable, Codable {
    /// The first acceptable amount; in a Dutch auction, the first asking price.
    package var startingPrice: Money
    /// Least distance between bids; in a Dutch auction, the amount of each drop.
    package var increment: Increment
    /// Below it the item passes; visible to the item's owner only. Nil: no reserve.
    package var reservePrice: Money?
    /// A bid at or above it is accepted at exactly this price and ends the round; nil: no such price.
    package var buyNowPrice: Money?
    /// The lowest asking price of a Dutch auction; nil in the other formats.
    package var floorPrice: Money?
    /// How long the item is shown before bids are accepted.
    package var listing: Seconds
    /// Length of the countdown; `Countdown.reset` restarts it with every bid.
    package var bidding: Seconds
    /// What a bid does to the deadline.
    package var countdown: Countdown
    /// Used by `Countdown.extend`: only a bid in this many last seconds extends the deadline.
    package var extendWindow: Seconds
    /// Used by `Countdown.extend`: the extended deadline is this long after the bid.
    package var extendBy: Seconds
    /// Bids extend the deadline to at most this long after the start of bidding, pauses not counted; nil: no bound.
    package var maxDuration: Seconds?
    /// Time between two drops of a Dutch price; nil in the other formats.
    package var dutchTick: Seconds?
    /// Name of the auction format that applies these rules.
    package var format: AuctionFormatName
    /// Which of several equal sealed bids wins.
    package var tie: TiePolicy

    /// Allowed seconds of `listing`.
    package static let listingRange = 0...60
    /// Allowed seconds of `bidding`; one day at most.
    package static let biddingRange = 1...86400
    /// Allowed seconds of `extendWindow` and of `extendBy`.
    package static let extendRange = 1...3600
    /// Allowed seconds of `dutchTick`.
    package static let dutchTickRange = 1...3600
    /// Allowed seconds of `maxDuration`; one week at most.
    package static let maxDurationRange = 1...604_800
    /// `listing` if the request has none.
    package static let defaultListing = Seconds(3)
    /// `bidding` if the request has none.
    package static let defaultBidding = Seconds(15)
    /// `extendWindow` and `extendBy` if the request has none.
    package static let defaultExtend = Seconds(10)

    package init(
        startingPrice: Money, increment: Increment, reservePrice: Money? = nil, buyNowPrice: Money? = nil,
        floorPrice: Money? = nil, listing: Seconds = defaultListing, bidding: Seconds = defaultBidding,
        countdown: Countdown = .reset, extendWindow: Seconds = defaultExtend, extendBy: Seconds = defaultExtend,
        maxDuration: Seconds? = nil, dutchTick: Seconds? = nil, format: AuctionFormatName = .english,
        tie: TiePolicy = .earliest
    ) {
        self.startingPrice = startingPrice
        self.increment = increment
        self.reservePrice = reservePrice
        self.buyNowPrice = buyNowPrice
        self.floorPrice = floorPrice
        self.listing = listing
        self.bidding = bidding
        self.countdown = countdown
        self.extendWindow = extendWindow
        self.extendBy = extendBy
        self.maxDuration = maxDuration
        self.dutchTick = dutchTick
        self.format = format
        self.tie = tie
    }
}

/// What a bid does to the running countdown.
package enum Countdown: String, Hashable, Sendable, Codable, CaseIterable {
    /// Every bid restarts the whole countdown.
    case reset
    /// Only a bid shortly before the deadline extends it.
    case extend
    /// Bids do not change the deadline.
    case fixed
}

/// Which of several equal sealed bids wins.
package enum TiePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    case earliest
    /// Drawn at random: the seed's hash is published at the start of the round, the seed after its end.
    case draw
}

/// The name of an auction format; not limited to the formats that this version has.
package struct AuctionFormatName: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in requests and events, such as `english`.
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}
