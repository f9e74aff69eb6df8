package import AuctionDomain
internal import EventLog
package import ExactJSON

/// Reads the body of a bid.
package enum BidBody {
    /// Reads a body in place; nil unless it is as clients write it and without a fault: `read` is to read or refuse all others.
    package static func readPlain(_ body: [UInt8], in currency: Currency) -> PlaceBid? {
        var (amount, maximum, round, item) = (Money?.none, Money?.none, Int?.none, ItemID?.none)
        let isPlain = JSONReader.readPlain(body) { name, value, isText in
            switch name {
            case "amount" where amount == nil:
                amount = try? currency.money(value)
                return amount != nil
            case "maximum" where maximum == nil:
                maximum = try? currency.money(value)
                return maximum != nil
            case "round" where round == nil && !isText:
                round = Int(value)
                return round != nil
            case "item" where item == nil && isText:
                item = ItemID(value)
                return item != nil
            default: return false
            }
        }
        guard isPlain, amount != nil || maximum != nil else { return nil }
        return PlaceBid(amount: amount, maximum: maximum, round: round, item: item)
    }

    /// Reads the members of any body.
    package static func read(_ fields: inout JSONFields, in currency: Currency) throws(JSONError) -> PlaceBid {
        let maximum = try fields.optionalMoney("maximum", in: currency)
        // Without a maximum the amount is required, so that its absence is reported as a missing field.
        let amount =
            maximum == nil ? try fields.money("amount", in: currency) : try fields.optionalMoney("amount", in: currency)
        let round = try fields.optionalInt("round")
        return PlaceBid(amount: amount, maximum: maximum, round: round, item: try fields.optionalItem("item"))
    }
}
