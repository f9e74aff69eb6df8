import Permissions

// What a format refuses of a bid that the permission rules let through.
extension Refusal {
    static let amountMissing = Refusal(
        .malformed(field: "amount"), code: "request.malformed",
        LocalizedText("A bid needs an \"amount\" or a \"maximum\".", "出价须包含 amount 或 maximum。"))

    static let maximumBelowAmount = Refusal(
        .malformed(field: "maximum"), code: "request.malformed",
        LocalizedText("\"maximum\" must be at least \"amount\".", "maximum 不得低于 amount。"))

    /// What `bid.already_leading` says, should a format be asked all the same.
    static let alreadyLeading = Refusal(
        .conflict, code: "bid.already_leading",
        LocalizedText("You already have the highest bid.", "您的出价已是当前最高价。"))

    static func withoutMaximum(_ format: AuctionFormatName) -> Refusal {
        Refusal(
            .malformed(field: "maximum"), code: "request.malformed",
            LocalizedText("\"maximum\" is not possible in the format \"\(format)\".", "\(format) 拍卖不支持 maximum。"))
    }
}
