import Permissions

// Validation of adjusted rules for callers who may not see all of them.
extension RoomRulebook {
    /// Refuses adjusted rules of an item. A caller who is not its owner changes none of its prices.
    ///
    /// To others than the owner, the response never reveals the reserve price or whether there is one: the rules are validated without
    /// it, and only the owner may change to a format that does not support a reserve price or would make its existence public. The
    /// order of the prices is not validated, because the prices do not change.
    func check(_ rules: AuctionRules, of item: AuctionItem, by caller: Person) throws(Refusal) {
        guard caller.id != item.owner.id else { return try check(rules) }
        let (current, known) = (item.rules, rules.with(reserve: nil))
        try check(known)
        guard rules.format != current.format, let old = formats[current.format], let new = formats[rules.format] else { return }
        let assumed = rules.startingPrice
        let mayHaveReserve = old.problem(with: current.with(reserve: assumed)) == nil
        let keepsReserve = new.problem(with: known.with(reserve: assumed)) == nil
        let showsReserve = old.isSealed && !new.isSealed
        guard mayHaveReserve, !keepsReserve || showsReserve else { return }
        throw .malformed(
            "rules.format",
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
