import Permissions

// Refusals by a format of bids that the permission rules allowed.
extension Refusal {
    static let amountMissing = malformed(
        "amount", LocalizedText("A bid needs an \"amount\" or a \"maximum\".", "出价须包含 amount 或 maximum。"))

    /// A bid with a maximum and an amount that exceeds it.
    package static let maximumBelowAmount = malformed(
        "maximum", LocalizedText("\"maximum\" must be at least \"amount\".", "maximum 不得低于 amount。"))

    /// What the rule says, for bids that reach the format although their bidder leads.
    static let alreadyLeading = Refusal(
        .conflict, code: BidRules.alreadyLeading.id, BidRules.alreadyLeading.description, required: "not leading",
        actual: "leading")

    static func withoutMaximum(_ format: AuctionFormatName) -> Refusal {
        malformed(
            "maximum",
            LocalizedText("\"maximum\" is not possible in the format \"\(format)\".", "\(format) 拍卖不支持 maximum。"))
    }
}
