/// How a finished round ended, in the list of results.
public struct RoundResult: Hashable, Sendable, Identifiable {
    /// Which one.
    public let round: Int
    /// Of the item.
    public let itemId: String
    /// Of the item.
    public let itemName: String
    /// Winner and price, or why the item passed.
    public let outcome: RoundOutcome
    /// How many bids there were.
    public let bids: Int
    /// When it was closed.
    public let closedAt: ServerTime

    /// The round.
    public var id: Int { round }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        let item = try fields.fields("item")
        round = try fields.count("round")
        itemId = try item.string("id")
        itemName = try item.string("name")
        bids = try fields.count("bids")
        closedAt = try fields.time("closedAt")
        let winner = try fields.optionalPerson("winner")
        let price = try fields.optionalMoney("price", currency)
        let sale: RoundOutcome.Sale? = if let winner, let price { .init(winner: winner, price: price) } else { nil }
        outcome = RoundOutcome(round: round, sale: sale, passedReason: try fields.optionalString("reason"))
    }
}
