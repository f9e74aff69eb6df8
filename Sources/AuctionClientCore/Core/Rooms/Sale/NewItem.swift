/// An item to upload, and how it is to be auctioned.
public struct NewItem: Hashable, Sendable {
    /// One line, at most 200 characters.
    public var name: String
    /// At most 5,000 characters.
    public var description = ""
    /// Addresses of pictures, at most 20: `https` ones, and the `url` of pictures that were uploaded.
    public var media: [String] = []
    /// The price that is expected; nil for none.
    public var estimate: Estimate?
    /// The state that it is in, one line of at most 200 characters; nil to say nothing.
    public var condition: String?
    /// How it is to be auctioned.
    public var rules: NewRules

    /// An item without description and pictures.
    public init(name: String, rules: NewRules) {
        self.name = name
        self.rules = rules
    }

    /// All amounts in it.
    var amounts: [Money] { rules.amounts + (estimate?.amounts ?? []) }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "description": .string(description), "media": .array(media.map { .string($0) }),
            "rules": rules.json,
        ]
        members["estimate"] = estimate?.json
        members["condition"] = condition.map { .string($0) }
        return .object(members)
    }
}

/// How an item is to be auctioned. What is nil is left to the service: its default for a new item, no change for an existing one.
public struct NewRules: Hashable, Sendable {
    /// The first acceptable amount; where a Dutch price begins. Required for a new item.
    public var startingPrice: Money?
    /// One major unit by default.
    public var increment: Increment?
    /// Hidden; below it the item passes.
    public var reservePrice: Money?
    /// A bid at or above it takes the item at this price.
    public var buyNowPrice: Money?
    /// Where a Dutch price stops dropping.
    public var floorPrice: Money?
    /// 0 to 60; 3 by default.
    public var listingSeconds: Int?
    /// 1 to 86,400; 15 by default.
    public var biddingSeconds: Int?
    /// `reset` by default.
    public var countdown: CountdownMode?
    /// For `extend`: only a bid in the last so many seconds moves the deadline; 10 by default.
    public var extendWindowSeconds: Int?
    /// For `extend`: to at least so many seconds after the bid; 10 by default.
    public var extendBySeconds: Int?
    /// The deadline never moves past the start plus this; no bound by default.
    public var maxDurationSeconds: Int?
    /// How often a Dutch price drops.
    public var dutchTickSeconds: Int?
    /// `english` by default.
    public var format: AuctionFormat?
    /// Who wins among equal sealed bids; `earliest` by default.
    public var tie: TieBreak?
    /// What an existing item is no longer to have, also if it is set here. A new item has none of it unless it is set.
    public var removed: Set<RemovableRule> = []

    /// Rules of an English auction with the service's defaults.
    public init(startingPrice: Money?) { self.startingPrice = startingPrice }

    /// All amounts in it.
    var amounts: [Money] {
        [startingPrice, reservePrice, buyNowPrice, floorPrice].compactMap(\.self) + (increment?.amounts ?? [])
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        let amounts = [
            "startingPrice": startingPrice, "reservePrice": reservePrice, "buyNowPrice": buyNowPrice, "floorPrice": floorPrice,
        ]
        for (name, amount) in amounts { members[name] = amount.map { .string($0.decimal) } }
        let numbers = [
            "listingSeconds": listingSeconds, "biddingSeconds": biddingSeconds, "extendWindowSeconds": extendWindowSeconds,
            "extendBySeconds": extendBySeconds, "maxDurationSeconds": maxDurationSeconds, "dutchTickSeconds": dutchTickSeconds,
        ]
        for (name, number) in numbers { members[name] = number.map { .number(String($0)) } }
        let names = ["countdown": countdown?.rawValue, "format": format?.rawValue, "tie": tie?.rawValue]
        for (name, value) in names { members[name] = value.map { .string($0) } }
        members["increment"] = increment?.json
        for rule in removed { members[rule.rawValue] = .null }
        return .object(members)
    }
}

/// A rule that an item may be without, by its member in `NewRules`.
public enum RemovableRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// Without it the highest bid wins at any price.
    case reservePrice
    /// Without it no bid ends the round.
    case buyNowPrice
    /// For an item that is no longer auctioned in the Dutch format.
    case floorPrice
    /// Without it bids extend the deadline without a bound.
    case maxDurationSeconds
    /// For an item that is no longer auctioned in the Dutch format.
    case dutchTickSeconds
}
