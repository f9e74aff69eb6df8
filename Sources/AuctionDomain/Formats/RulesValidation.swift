import Permissions

// Validation of auction rules that several formats share.
extension AuctionRules {
    /// Fields that only some formats have.
    enum Group: Hashable {
        /// `floorPrice` and `dutchTickSeconds`.
        case dutch
        /// `tie`.
        case sealed
        /// `reservePrice`.
        case reserve
        /// `buyNowPrice`.
        case buyNow
    }

    /// The first field given that the format does not support; ignoring such a field would mislead its author.
    func problem(withoutFieldsOf groups: Set<Group>) -> RulesProblem? {
        let given: [(String, Group, Bool)] = [
            ("reservePrice", .reserve, reservePrice != nil), ("buyNowPrice", .buyNow, buyNowPrice != nil),
            ("floorPrice", .dutch, floorPrice != nil), ("dutchTickSeconds", .dutch, dutchTick != nil),
            ("tie", .sealed, tie != .earliest),
        ]
        guard let (field, _, _) = given.first(where: { groups.contains($0.1) && $0.2 }) else { return nil }
        return RulesProblem(
            field: field,
            LocalizedText(
                "\"rules.\(field)\" is not possible in the format \"\(format)\": leave it out.",
                "\(format) 拍卖不支持 rules.\(field),请去掉该字段。"))
    }

    /// The first violation of startingPrice ≤ reservePrice ≤ buyNowPrice; nil if the order holds.
    func problemInOrderOfPrices() -> RulesProblem? {
        if let reservePrice, reservePrice < startingPrice { return .tooLow("reservePrice", atLeast: "startingPrice") }
        if let buyNowPrice {
            if buyNowPrice < startingPrice { return .tooLow("buyNowPrice", atLeast: "startingPrice") }
            if let reservePrice, buyNowPrice < reservePrice { return .tooLow("buyNowPrice", atLeast: "reservePrice") }
        }
        return nil
    }
}

extension RulesProblem {
    static func tooLow(_ field: String, atLeast other: String) -> RulesProblem {
        RulesProblem(
            field: field,
            LocalizedText(
                "\"rules.\(field)\" must be at least \"rules.\(other)\".", "rules.\(field) 不得低于 rules.\(other)。"))
    }

    static func missing(_ field: String, in format: AuctionFormatName) -> RulesProblem {
        RulesProblem(
            field: field,
            LocalizedText(
                "\"rules.\(field)\" is required in the format \"\(format)\".", "\(format) 拍卖须提供 rules.\(field)。"))
    }
}
