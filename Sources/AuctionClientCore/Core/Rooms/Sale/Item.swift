/// What is auctioned in a round.
public struct Item: Hashable, Sendable {
    /// Opaque identifier.
    public let id: String
    /// What it is called, as one line.
    public let name: String
    /// Any number of lines; may be empty.
    public let description: String
    /// Addresses of pictures; those that begin with a slash are below that of the service.
    public let media: [String]
    /// The price that the seller expects; nil if none is named.
    public let estimate: Estimate?
    /// The state that it is in, as one line; nil if nothing is said.
    public let condition: String?
    /// The auctioneer who uploaded it.
    public internal(set) var owner: Person

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("id")
        name = try fields.string("name")
        description = try fields.optionalString("description") ?? ""
        media = fields.strings("media")
        estimate = if let estimate = try fields.optionalFields("estimate") { try Estimate(estimate, currency) } else { nil }
        condition = try fields.optionalString("condition")
        owner = try Person(try fields.fields("owner"))
    }
}

/// Between which prices the seller expects the hammer price.
public struct Estimate: Hashable, Sendable {
    /// At most `high`.
    public var low: Money
    /// The upper bound.
    public var high: Money

    /// An estimate between two prices of the room's currency.
    public init(low: Money, high: Money) { (self.low, self.high) = (low, high) }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        self.init(low: try fields.money("low", currency), high: try fields.money("high", currency))
    }

    var json: JSONValue { ["low": .string(low.decimal), "high": .string(high.decimal)] }
    var amounts: [Money] { [low, high] }
}
