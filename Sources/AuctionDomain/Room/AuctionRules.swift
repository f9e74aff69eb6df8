/// How an item is auctioned; chosen with the item, fixed once its round starts.
public struct AuctionRules: Hashable, Sendable, Codable {
    /// The first acceptable amount; where a Dutch price begins.
    public var startingPrice: Money
    public var increment: Increment
    /// Hidden from everybody but the owner: below it the item passes.
    public var reservePrice: Money?
    /// A bid at or above it is taken at exactly this price and ends the round.
    public var buyNowPrice: Money?
    /// Where a Dutch price stops dropping.
    public var floorPrice: Money?
    /// How long the item is shown before bids are taken.
    public var listing: Seconds
    /// How long the countdown runs; with `Countdown.reset` from every bid anew.
    public var bidding: Seconds
    public var countdown: Countdown
    /// With `Countdown.extend`: only a bid in the last so many seconds moves the end …
    public var extendWindow: Seconds
    /// … to so many seconds after the bid.
    public var extendBy: Seconds
    /// The end never moves past the start plus this, pauses not counted.
    public var maxDuration: Seconds?
    /// How often a Dutch price drops.
    public var dutchTick: Seconds?
    public var format: AuctionFormatName
    /// Who wins among equal sealed bids.
    public var tie: TiePolicy

    public static let listingRange = 0...60
    public static let biddingRange = 1...86400
    public static let extendRange = 1...3600
    public static let dutchTickRange = 1...3600
    public static let maxDurationRange = 1...604_800
    public static let defaultListing = Seconds(3)
    public static let defaultBidding = Seconds(15)
    public static let defaultExtend = Seconds(10)

    public init(
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
public enum Countdown: String, Hashable, Sendable, Codable, CaseIterable {
    /// Every bid restarts the whole countdown: the product's classic.
    case reset
    /// Only a bid shortly before the end moves it.
    case extend
    /// The end never moves.
    case fixed
}

/// Who wins among equal sealed bids.
public enum TiePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    case earliest
    /// By lot: the hash of the seed is published at the start, the seed at the end.
    case draw
}

/// The name of a format, as the rules carry it.
public struct AuctionFormatName: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}
