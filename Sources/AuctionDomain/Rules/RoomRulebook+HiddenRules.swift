import Permissions

// What a caller may be answered who adjusts rules without knowing all of them.
extension RoomRulebook {
    /// Refuses adjusted rules on behalf of a caller who is not the item's owner and changes none of its prices.
    ///
    /// The answer never depends on the reserve price, nor on whether there is one: rules are judged without it, and a format
    /// that could not take it over, or would show whether there is one, is the owner's to choose whether or not there is one.
    /// The order of the prices needs no judging, since they stay as they are.
    func check(_ rules: AuctionRules, insteadOf current: AuctionRules) throws(Refusal) {
        let known = rules.with(reserve: nil)
        try check(known)
        guard rules.format != current.format, let old = formats[current.format], let new = formats[rules.format] else { return }
        let assumed = rules.startingPrice
        let mayHaveReserve = old.problem(with: current.with(reserve: assumed)) == nil
        let keepsReserve = new.problem(with: known.with(reserve: assumed)) == nil
        let showsReserve = old.isSealed && !new.isSealed
        guard mayHaveReserve, !keepsReserve || showsReserve else { return }
        throw Refusal(
            .malformed(field: "rules.format"), code: "request.malformed",
            LocalizedText(
                "\"rules.format\": only the item's owner changes \(old.name) into \(new.name), which treats a reserve price otherwise.",
                "rules.format:\(new.name) 对保留价的处理与 \(old.name) 不同,只能由物品所有者更改。"))
    }
}

extension AuctionRules {
    fileprivate func with(reserve: Money?) -> AuctionRules {
        var rules = self
        rules.reservePrice = reserve
        return rules
    }
}
