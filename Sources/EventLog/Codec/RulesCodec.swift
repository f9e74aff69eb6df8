public import AuctionDomain
public import ExactJSON

extension AuctionRules {
    /// Reads rules as requests and events write them; what is left out has its default.
    /// - Throws: `JSONError` naming the field that is missing, unknown, malformed or out of range.
    public init(_ fields: JSONFields, currency: Currency) throws(JSONError) {
        var fields = fields
        let startingPrice = try fields.money("startingPrice", in: currency)
        let increment = try Self.increment(&fields, currency: currency)
        let listing = try fields.seconds("listingSeconds", in: Self.listingRange, default: Self.defaultListing)
        let bidding = try fields.seconds("biddingSeconds", in: Self.biddingRange, default: Self.defaultBidding)
        let countdown = try fields.optionalWord("countdown", Countdown.self) ?? .reset
        let format = try fields.optionalString("format").map(AuctionFormatName.init(rawValue:)) ?? .english
        try fields.finish()
        self.init(
            startingPrice: startingPrice, increment: increment, listing: listing, bidding: bidding, countdown: countdown,
            format: format)
    }

    private static func increment(_ fields: inout JSONFields, currency: Currency) throws(JSONError) -> Increment {
        guard let value = fields.take("increment"), value != .null else {
            return .fixed(Money(minorUnits: currency.unitsPerMajor))
        }
        var increment = try JSONFields(value, path: fields.fullName("increment"))
        let step = try increment.money("fixed", in: currency)
        try increment.finish()
        return .fixed(step)
    }
}

extension AuctionItem {
    /// Reads an item as events write it.
    init(_ fields: JSONFields, currency: Currency) throws(JSONError) {
        var fields = fields
        var media: [String] = []
        for element in try fields.optionalArray("media") ?? [] {
            guard case .string(let address) = element else { throw fields.invalid("media", "must be an array of strings") }
            media.append(address)
        }
        self.init(
            id: try fields.identifier("id"), name: try fields.string("name"),
            description: try fields.string("description"), media: media, owner: try fields.person("owner"),
            rules: try AuctionRules(try fields.object("rules"), currency: currency))
    }
}
