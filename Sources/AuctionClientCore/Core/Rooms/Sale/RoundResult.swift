/// How a finished round ended, in the list of results.
public struct RoundResult: Hashable, Sendable, Identifiable {
    /// Number of the round.
    public let round: Int
    /// The item's identifier.
    public let itemId: String
    /// The item's name.
    public let itemName: String
    /// The price that the seller expected; nil: none was named.
    public let estimate: Estimate?
    /// The state that the item was in, one line; nil: nothing was said.
    public let condition: String?
    /// Winner and price, or why the item passed.
    public let outcome: RoundOutcome
    /// How many bids there were.
    public let bids: Int
    /// When bidding began; nil if it never did.
    public let openedAt: ServerTime?
    /// When it was closed.
    public let closedAt: ServerTime
    /// What the buyer pays beside the price; nil without a premium or a buyer.
    public let premium: Money?
    /// Price and premium; nil without a buyer.
    public let total: Money?
    /// The owner of the item.
    public let seller: Person
    /// The lot; nil if the item was uploaded for this round.
    public let lotId: String?
    /// The seller's own number of the lot; nil if there is none.
    public let reference: String?
    /// The lot's number in the room; nil if there is none.
    public let number: Int?
    /// The bidder to whom the item is offered now; nil if it is not.
    public let offeredTo: Person?

    /// The sale at the end of the round, if that to the next bidder was voided as well; nil otherwise.
    public let voidedBefore: RoundOutcome.VoidedSale?

    /// The number of the round: unique in one room only.
    public var id: Int { round }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        let item = try fields.fields("item")
        round = try fields.count("round")
        itemId = try item.string("id")
        itemName = try item.string("name")
        estimate = if let estimate = try item.optionalFields("estimate") { try Estimate(estimate, currency) } else { nil }
        condition = try item.optionalString("condition")
        bids = try fields.count("bids")
        openedAt = try fields.optionalTime("openedAt")
        closedAt = try fields.time("closedAt")
        premium = try fields.optionalMoney("premium", currency)
        total = try fields.optionalMoney("total", currency)
        seller = try fields.person("seller")
        lotId = try fields.optionalString("lotId")
        reference = try fields.optionalString("reference")
        number = try fields.optionalInteger("number").flatMap(Int.init(exactly:))
        offeredTo = try fields.optionalFields("offer")?.person("to")
        let earlier = try fields.optionalFields("voidedBefore")
        voidedBefore = if let earlier { try RoundOutcome.VoidedSale(earlier, currency) } else { nil }
        outcome = try RoundOutcome(fields, round: round, currency)
    }
}

extension RoundOutcome {
    /// The outcome of a round as a list of results or a lot has it.
    init(_ fields: JSONFields, round: Int, _ currency: Currency) throws(MalformedJSON) {
        let winner = try fields.optionalPerson("winner")
        let price = try fields.optionalMoney("price", currency)
        var sale: RoundOutcome.Sale? = if let winner, let price { .init(winner: winner, price: price) } else { nil }
        let void = try fields.optionalFields("voided")
        let voided: VoidedSale? = if let void { try VoidedSale(void, currency) } else { nil }
        // Only a sale that counts has a total.
        if voided != nil, try fields.optionalMoney("total", currency) == nil { sale = nil }
        self.init(round: round, sale: sale, passedReason: try fields.optionalString("reason"), voided: voided)
    }
}

extension RoundOutcome.VoidedSale {
    /// The void as a row of results or its event has it.
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        winner = try fields.person("winner")
        price = try fields.money("price", currency)
        reason = try fields.string("reason")
        by = try fields.person("by")
    }
}
