/// How an item is auctioned; chosen with the item, fixed once its round starts.
public struct AuctionRules: Hashable, Sendable, Codable {
    /// The first acceptable amount.
    public let startingPrice: Money
    public let increment: Increment
    /// How long the item is shown before bids are taken.
    public let listing: Seconds
    /// How long the countdown runs; with `Countdown.reset` from every bid anew.
    public let bidding: Seconds
    public let countdown: Countdown
    public let format: AuctionFormatName

    public static let listingRange = 0...60
    public static let biddingRange = 1...86400
    public static let defaultListing = Seconds(3)
    public static let defaultBidding = Seconds(15)

    public init(
        startingPrice: Money, increment: Increment, listing: Seconds = defaultListing, bidding: Seconds = defaultBidding,
        countdown: Countdown = .reset, format: AuctionFormatName = .english
    ) {
        self.startingPrice = startingPrice
        self.increment = increment
        self.listing = listing
        self.bidding = bidding
        self.countdown = countdown
        self.format = format
    }
}

/// By how much a bid must exceed the current price.
public enum Increment: Hashable, Sendable, Codable {
    /// Always the same step, more than zero.
    case fixed(Money)

    /// The step above a price.
    public func step(above price: Money) -> Money {
        switch self {
        case .fixed(let step): step
        }
    }
}

/// What a bid does to the running countdown.
public enum Countdown: String, Hashable, Sendable, Codable, CaseIterable {
    /// Every bid restarts the whole countdown: the product's classic.
    case reset
}

/// The name of a format, as the rules carry it.
public struct AuctionFormatName: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    public static let english = AuctionFormatName(rawValue: "english")
}

/// What is auctioned in a round.
public struct AuctionItem: Hashable, Sendable, Codable {
    public let id: ItemID
    public let name: String
    public let description: String
    /// `https` addresses of pictures, sound or video.
    public let media: [String]
    /// The auctioneer who uploaded it.
    public let owner: Person
    public let rules: AuctionRules

    public static let nameLimit = 200
    public static let descriptionLimit = 5000
    public static let mediaLimit = 20
    public static let mediaAddressLimit = 2000

    public init(id: ItemID, name: String, description: String, media: [String], owner: Person, rules: AuctionRules) {
        self.id = id
        self.name = name
        self.description = description
        self.media = media
        self.owner = owner
        self.rules = rules
    }
}
