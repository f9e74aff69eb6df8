import Permissions

/// Rules about bids that are left on a lot before it opens. None reads the absentee bid of another user than the caller.
enum AbsenteeRules {
    static let all: [RoomPermissionRule] = [
        notMember,
        .banned(
            "absentee.banned", .placeAbsenteeBid, priority: 93,
            LocalizedText("A banned member may not leave a bid.", "被封禁的成员不能预先出价。")),
        notBidder, notQueued, ownLot, dutch, tooMany, belowStart, namesNoPrice, overCredit, used,
    ]

    private static let notMember: RoomPermissionRule = RoomPermissionRule(
        "absentee.not_member", .placeAbsenteeBid, priority: 95, .role,
        LocalizedText("Only members of the room may leave a bid.", "只有房间成员才能预先出价。")
    ) { context in
        !context.isMember
    } because: { _ in
        DenialReason(notMember.description, required: Role.bidder.rawValue, actual: "none")
    }

    private static let notBidder: RoomPermissionRule = RoomPermissionRule(
        "absentee.not_bidder", .placeAbsenteeBid, priority: 90, .role,
        LocalizedText("Only those who may bid in this room may leave a bid.", "只有可在本房间出价的成员才能预先出价。")
    ) { context in
        context.rulebook.deniesBidder(context)
    } because: { context in
        DenialReason(notBidder.description, required: Role.bidder.rawValue, actual: context.roleName)
    }

    private static let notQueued: RoomPermissionRule = RoomPermissionRule(
        "absentee.not_queued", .placeAbsenteeBid, priority: 80, .state,
        LocalizedText("A bid is left only on a lot that waits for its turn.", "只能对等待上拍的拍品预先出价。")
    ) { context in
        guard let lot = context.absenteeLot else {
            let (room, lots) = (context.room, context.room.lots)
            guard lots.queuedCount == 0 else { return false }
            // The lot is copied only where it may be a prepared one: this is asked for every caller's list of actions.
            guard room.state == .preparing, let current = lots.current else { return true }
            return lots[current].map { !room.hasPrepared($0) } ?? true
        }
        return lot.state != .queued && !context.room.hasPrepared(lot)
    } because: { context in
        DenialReason(
            notQueued.description, required: Lot.State.queued.rawValue, actual: context.absenteeLot?.state.rawValue ?? "none")
    }

    private static let ownLot: RoomPermissionRule = RoomPermissionRule(
        "absentee.own_lot", .placeAbsenteeBid, priority: 75, .identity,
        LocalizedText("Nobody may bid on their own lot.", "不能对自己的拍品出价。")
    ) { context in
        context.absenteeLot.map { context.room.lots.owner(of: $0).id == context.caller } ?? false
    } because: { _ in
        DenialReason(ownLot.description, required: "another seller's lot", actual: "own lot")
    }

    private static let dutch: RoomPermissionRule = RoomPermissionRule(
        "absentee.dutch", .placeAbsenteeBid, priority: 70, .state,
        LocalizedText("A Dutch lot takes no bid before it opens.", "荷兰式拍卖不接受预先出价。")
    ) { context in
        context.absenteeLot?.rules.format == .dutch
    } because: { _ in
        DenialReason(dutch.description, required: "another format", actual: AuctionFormatName.dutch.rawValue)
    }

    private static let tooMany: RoomPermissionRule = RoomPermissionRule(
        "absentee.too_many", .placeAbsenteeBid, priority: 65, .limit,
        LocalizedText(
            "At most \(AbsenteeBids.waitingLimit) bids of one user wait in a room.",
            "每位用户在一个房间最多可有 \(AbsenteeBids.waitingLimit) 个等待开拍的预先出价。")
    ) { context in
        // A waiting bid may always be changed.
        guard let lot = context.request.lot else { return false }
        let waiting = context.room.lotsWithWaitingBid(of: context.caller)
        return waiting.count >= AbsenteeBids.waitingLimit && !waiting.contains(lot)
    } because: { context in
        DenialReason(
            tooMany.description, required: String(AbsenteeBids.waitingLimit),
            actual: String(context.room.lotsWithWaitingBid(of: context.caller).count))
    }

    private static let belowStart: RoomPermissionRule = RoomPermissionRule(
        "absentee.below_start", .placeAbsenteeBid, priority: 60, .amount,
        LocalizedText("The maximum must be at least the starting price.", "上限不得低于起拍价。")
    ) { context in
        guard let maximum = context.request.bid?.maximum, let lot = context.absenteeLot else { return false }
        return maximum < lot.rules.startingPrice
    } because: { context in
        let currency = context.room.currency
        let required = context.absenteeLot.map { currency.text($0.rules.startingPrice) } ?? ""
        let actual = context.request.bid?.maximum.map { currency.text($0) } ?? ""
        return DenialReason(
            LocalizedText(
                "The maximum of \(actual) is below the starting price of \(required) \(currency.code).",
                "上限 \(actual) 低于起拍价 \(required) \(currency.code)。"),
            required: required, actual: actual)
    }

    private static let namesNoPrice: RoomPermissionRule = RoomPermissionRule(
        "absentee.names_no_price", .placeAbsenteeBid, priority: 57, .amount,
        LocalizedText("This lot sells at one price; a maximum alone never buys.", "该拍品按一口价出售,仅凭上限不能买下。")
    ) { context in
        guard context.request.bid?.maximum != nil, let rules = context.absenteeLot?.rules else { return false }
        return rules.buyNowPrice == rules.startingPrice
    } because: { context in
        let price = context.absenteeLot.map { context.room.currency.text($0.rules.startingPrice) }
        return DenialReason(namesNoPrice.description, required: price, actual: "no amount")
    }

    private static let overCredit: RoomPermissionRule = RoomPermissionRule(
        "absentee.over_credit", .placeAbsenteeBid, priority: 55, .amount,
        LocalizedText(
            "A bid, the others that its bidder has left, theirs in the round that runs, and what they have won in this room stay within their credit limit.",
            "出价、其他等待开拍的预先出价、本轮仍可能成交的出价与本房间已拍得金额之和不得超过信用额度。")
    ) { context in
        guard let limit = context.member?.creditLimit, let total = context.debtWithAbsenteeBid else { return false }
        return total > limit
    } because: { context in
        let (currency, code) = (context.room.currency, context.room.currency.code)
        let required = context.member?.creditLimit.map { currency.text($0) } ?? ""
        let actual = context.debtWithAbsenteeBid.map { currency.text($0) } ?? ""
        return DenialReason(
            LocalizedText(
                "With this bid, the others that you have left, yours in the round that runs, and what you have won here you might owe \(actual) \(code); your credit limit is \(required) \(code).",
                "此次出价、其他等待开拍的预先出价、本轮仍可能成交的出价与本房间已拍得金额合计,您可能应付 \(actual) \(code),超过信用额度 \(required) \(code)。"),
            required: required, actual: actual)
    }

    private static let used: RoomPermissionRule = RoomPermissionRule(
        "absentee.used", .withdrawAbsenteeBid, priority: 80, .state,
        LocalizedText("A bid is taken back only while it waits for the opening of its lot.", "预先出价只能在等待拍品开拍期间撤回。")
    ) { context in
        !context.room.hasUnusedBid(context.caller, on: context.request.lot)
    } because: { context in
        DenialReason(used.description, required: "waiting", actual: context.request.lot == nil ? "none" : "used")
    }
}

extension RuleContext {
    /// The lot that the request names; nil without one.
    fileprivate var absenteeLot: Lot? { request.lot.flatMap { room.lots[$0] } }

    /// What the caller would owe in this room if the requested absentee bid, their others, and what they have bid in the running round
    /// won; nil without a maximum or a lot.
    fileprivate var debtWithAbsenteeBid: Money? {
        guard let maximum = request.bid?.maximum, let lot = absenteeLot else { return nil }
        // Without the bound of `+`; the sum is below 2^54.
        let live = rulebook.liability(of: caller, in: room).minorUnits + lot.rules.capped(maximum).minorUnits
        return room.debtWithAbsentees(of: caller, with: Money(minorUnits: live), except: lot.id)
    }
}

extension RoomRulebook {
    /// The most that the user's bids may cost in the running round.
    func liability(of user: UserID, in room: Room) -> Money {
        let none = Money(minorUnits: 0)
        guard states[room.state]?.isRound == true, let format = format(of: room) else { return none }
        if format.isSealed { return room.sealedAmount(of: user) ?? none }
        guard let leading = room.currentBid, leading.bidder.id == user else { return none }
        let most = max(room.leaderMaximum ?? leading.amount, leading.amount)
        return format.liability(of: PlaceBid(amount: nil, maximum: most), in: room) ?? none
    }
}

extension Lot {
    fileprivate var rules: AuctionRules { content.upload.rules }
}
