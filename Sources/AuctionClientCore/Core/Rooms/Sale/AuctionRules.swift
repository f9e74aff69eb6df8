/// How the item of a round is auctioned.
public struct AuctionRules: Hashable, Sendable {
    /// The first acceptable amount; where a Dutch price begins.
    public let startingPrice: Money
    /// By how much a bid must exceed the current price; nil for a kind that this version of the library does not know.
    public internal(set) var increment: Increment?
    /// Below it the item passes. Visible to the item's owner only, and only in a state that was read after the rules last changed.
    public let reservePrice: Money?
    /// A bid at or above it takes the item at this price.
    public let buyNowPrice: Money?
    /// Where a Dutch price stops dropping.
    public let floorPrice: Money?
    /// How long the item is shown before bids are accepted.
    public let listingSeconds: Int
    /// How long the countdown runs.
    public let biddingSeconds: Int
    /// How the deadline moves with bids.
    public let countdown: CountdownMode
    /// For `extend`: only a bid in the last so many seconds moves the deadline.
    public let extendWindowSeconds: Int
    /// For `extend`: to at least so many seconds after the bid.
    public let extendBySeconds: Int
    /// The deadline never moves past the start plus this; nil for no bound.
    public let maxDurationSeconds: Int?
    /// How often a Dutch price drops; nil in other formats.
    public let dutchTickSeconds: Int?
    /// How bids compete, and who wins.
    public let format: AuctionFormat
    /// Who wins among equal sealed bids.
    public let tie: TieBreak

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        startingPrice = try fields.money("startingPrice", currency)
        increment = try Increment(try fields.value("increment"), currency)
        reservePrice = try fields.optionalMoney("reservePrice", currency)
        buyNowPrice = try fields.optionalMoney("buyNowPrice", currency)
        floorPrice = try fields.optionalMoney("floorPrice", currency)
        listingSeconds = try fields.count("listingSeconds")
        biddingSeconds = try fields.count("biddingSeconds")
        countdown = try fields.name("countdown")
        extendWindowSeconds = try fields.count("extendWindowSeconds")
        extendBySeconds = try fields.count("extendBySeconds")
        maxDurationSeconds = try fields.optionalInteger("maxDurationSeconds").flatMap(Int.init(exactly:))
        dutchTickSeconds = try fields.optionalInteger("dutchTickSeconds").flatMap(Int.init(exactly:))
        format = try fields.name("format")
        tie = try fields.name("tie")
    }
}

/// By how much a bid must exceed the current price.
public enum Increment: Hashable, Sendable {
    /// Always the same step.
    case fixed(Money)
    /// Per cent of the current price as a decimal, such as `5` or `2.5`; the step is rounded up to the minor unit.
    case percent(String)
    /// The step of the last tier that begins at or below the current price.
    case tiers([Tier])

    /// The step from a price on.
    public struct Tier: Hashable, Sendable {
        /// The least price of the tier.
        public let from: Money
        /// By how much a bid must exceed a price in this tier.
        public let step: Money

        /// A tier from its parts.
        public init(from: Money, step: Money) {
            self.from = from
            self.step = step
        }
    }

    init?(_ json: JSONValue, _ currency: Currency) throws(MalformedJSON) {
        let fields = try JSONFields(json, path: "increment")
        if fields.optional("fixed") != nil {
            self = .fixed(try fields.money("fixed", currency))
        } else if case .number(let literal)? = fields.optional("percent") {
            self = .percent(literal)
        } else if fields.optional("tiers") != nil {
            self = .tiers(
                try fields.objects("tiers") { (tier) throws(MalformedJSON) in
                    Tier(from: try tier.money("from", currency), step: try tier.money("step", currency))
                })
        } else {
            return nil
        }
    }

    /// What is not a number is sent as text, for the service to refuse.
    private static func number(_ literal: String) -> JSONValue {
        do throws(JSONError) {
            if case .number(let number) = try JSONParser.parse(literal) { return .number(number) }
        } catch { return .string(literal) }
        return .string(literal)
    }

    /// All amounts in it.
    var amounts: [Money] {
        switch self {
        case .fixed(let step): [step]
        case .tiers(let tiers): tiers.flatMap { [$0.from, $0.step] }
        case .percent: []
        }
    }

    /// The increment as a request sends it.
    var json: JSONValue {
        switch self {
        case .fixed(let step): ["fixed": .string(step.decimal)]
        case .percent(let literal): ["percent": Self.number(literal)]
        case .tiers(let tiers):
            ["tiers": .array(tiers.map { ["from": .string($0.from.decimal), "step": .string($0.step.decimal)] })]
        }
    }
}
