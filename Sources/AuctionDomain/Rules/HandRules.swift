import Permissions

/// Rules of what the host does by hand while a round runs, and about its result.
enum HandRules {
    static let all: [RoomPermissionRule] =
        warn + ask + [
            .hostOnly(
                "void.not_host", .voidResult, priority: 90,
                LocalizedText("Only the host voids a sale.", "只有房主才能作废成交。")),
            offerToBanned, offerToAnother, offerOverCredit,
        ]

    private static let offerToBanned: RoomPermissionRule = RoomPermissionRule(
        "offer.banned", .answerOffer, priority: 85, .role,
        LocalizedText("A banned user may not answer an offer.", "被封禁的用户不能答复要约。")
    ) { context in
        if let member = context.member { return member.isBanned }
        return context.room.members.standing(of: context.caller).isBanned
    } because: { _ in
        DenialReason(offerToBanned.description, required: "not banned", actual: "banned")
    }

    private static let offerToAnother: RoomPermissionRule = RoomPermissionRule(
        "offer.not_yours", .answerOffer, priority: 80, .identity,
        LocalizedText("Only the bidder to whom an offer was made answers it.", "只有收到要约的竞拍者才能答复。")
    ) { context in
        // A request without an offer asks whether one to the caller stands.
        context.request.target.map { $0 != context.caller } ?? !context.room.hasOffer(to: context.caller)
    } because: { context in
        DenialReason(offerToAnother.description, required: "the bidder of the offer", actual: context.roleName)
    }

    private static let offerOverCredit: RoomPermissionRule = RoomPermissionRule(
        "offer.over_credit", .answerOffer, priority: 55, .amount,
        LocalizedText(
            "What a bidder accepts, their bids that may still win, and what they have won in this room stay within their credit limit.",
            "接受的价格、仍可能成交的出价与本房间已拍得金额之和不得超过信用额度。")
    ) { context in
        guard let limit = context.creditLimit, let debt = context.debtWithOffer else { return false }
        return debt > limit
    } because: { context in
        let currency = context.room.currency
        let required = context.creditLimit.map { currency.text($0) }
        let actual = context.debtWithOffer.map { currency.text($0) }
        let (limit, debt) = (required ?? "", actual ?? "")
        return DenialReason(
            LocalizedText(
                "With this offer you might owe \(debt) \(currency.code); your credit limit is \(limit) \(currency.code).",
                "接受后您可能应付 \(debt) \(currency.code),超过信用额度 \(limit) \(currency.code)。"),
            required: required, actual: actual)
    }

    private static let warn: [RoomPermissionRule] = [
        .state(
            "warn.not_auctioning", .warn, priority: 100,
            LocalizedText("A warning is given only while the auction is running.", "只有在拍卖进行中才能提示落槌。")),
        .hostOnly(
            "warn.not_host", .warn, priority: 90,
            LocalizedText("Only the host gives a warning.", "只有房主才能提示落槌。")),
    ]

    private static let ask: [RoomPermissionRule] = [
        .state(
            "ask.wrong_state", .changeAsk, priority: 100,
            LocalizedText(
                "The ask is changed only while the auction runs or is paused.", "只有在拍卖中或暂停时才能调整加价。")),
        .hostOnly(
            "ask.not_host", .changeAsk, priority: 90,
            LocalizedText("Only the host changes the ask.", "只有房主才能调整加价。")),
        askOfOtherFormat,
        .withoutBid(
            "ask.has_bid", .changeAsk,
            LocalizedText("A host who has bid in this round may not change the ask.", "房主在本轮已出价,不能调整加价。")),
        askBelowPrice,
    ]

    private static let askOfOtherFormat: RoomPermissionRule = RoomPermissionRule(
        "ask.not_english", .changeAsk, priority: 85, .state,
        LocalizedText("Only an English auction has an ask.", "只有英式拍卖才能调整加价。")
    ) { context in
        context.room.formatName != .english
    } because: { context in
        DenialReason(
            askOfOtherFormat.description, required: AuctionFormatName.english.rawValue,
            actual: context.room.formatName?.rawValue)
    }

    private static let askBelowPrice: RoomPermissionRule = RoomPermissionRule(
        "ask.below_price", .changeAsk, priority: 60, .amount,
        LocalizedText(
            "The next minimum must be above the current price, the first at least the starting price.",
            "最低出价须高于当前价,首次出价前不得低于起拍价。")
    ) { context in
        guard let amount = context.request.bid?.amount, let least = context.leastAsk else { return false }
        return amount < least
    } because: { context in
        let (room, currency) = (context.room, context.room.currency)
        let code = currency.code
        let text = (room.currentPrice ?? room.rules?.startingPrice).map { currency.text($0) } ?? ""
        return DenialReason(
            room.currentPrice == nil
                ? LocalizedText(
                    "The first bid must be at least the starting price of \(text) \(code).", "首次出价不得低于起拍价 \(text) \(code)。")
                : LocalizedText(
                    "The next minimum must be above the current price of \(text) \(code).",
                    "最低出价须高于当前价 \(text) \(code)。"),
            required: context.leastAsk.map { currency.text($0) },
            actual: context.request.bid?.amount.map { currency.text($0) })
    }
}

extension RuleContext {
    /// The least that may be asked for: above the price, or without a bid the starting price; nil without an item.
    fileprivate var leastAsk: Money? {
        room.currentPrice.map { $0 + Money(minorUnits: 1) } ?? room.rules?.startingPrice
    }

    /// The caller's credit limit, also if they have left; nil without one.
    fileprivate var creditLimit: Money? { room.members.standing(of: caller).creditLimit }

    /// What the caller would owe in this room with the offer, if what they have bid in the running round and left on lots won too; nil without
    /// an offer in the request.
    fileprivate var debtWithOffer: Money? {
        guard let price = request.bid?.amount else { return nil }
        // Without the bound of `+`; the sum is below 2^54.
        let live = rulebook.liability(of: caller, in: room).minorUnits + price.minorUnits
        return room.debtWithAbsentees(of: caller, with: Money(minorUnits: live))
    }
}
