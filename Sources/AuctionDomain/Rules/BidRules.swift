import Permissions

/// Rules about placing bids, from the room's state to the bid's amount.
enum BidRules {
    static let all: [RoomPermissionRule] = [
        .state(
            "bid.not_auctioning", .placeBid, priority: 100,
            LocalizedText("Bids are taken only while the auction is running.", "只有在拍卖进行中才能出价。")),
        wrongRound("bid.wrong_round", .placeBid), wrongItem("bid.wrong_item", .placeBid), notMember, banned, viewer, host,
        ownItem, alreadyLeading,
        // `alreadyLeading` lets leaders only raise their maximum or buy at once; neither is bound to the next minimum.
        belowMinimum("bid.below_minimum", .placeBid) { $0.room.currentBid?.bidder.id != $0.caller },
        namesNoPrice, overCredit,
    ]

    static func wrongRound(_ id: String, _ action: RoomAction) -> RoomPermissionRule {
        RoomPermissionRule(
            id, action, priority: 95, .state,
            LocalizedText("A bid that names a round counts only in that round.", "指定了轮次的出价只在该轮有效。")
        ) { context in
            context.request.bid?.round.map { $0 != context.room.round } ?? false
        } because: { context in
            let (running, named) = (String(context.room.round), context.request.bid?.round.map { String($0) } ?? "")
            return DenialReason(
                LocalizedText {
                    $0 == .english
                        ? "This bid is meant for round \(named); round \(running) is running."
                        : "该出价针对第 \(named) 轮,当前是第 \(running) 轮。"
                },
                required: running, actual: named)
        }
    }

    static func wrongItem(_ id: String, _ action: RoomAction) -> RoomPermissionRule {
        RoomPermissionRule(
            id, action, priority: 93, .state,
            LocalizedText("A bid that names an item counts only for that item.", "指定了物品的出价只对该物品有效。")
        ) { context in
            context.request.bid?.item.map { $0 != context.room.item?.id } ?? false
        } because: { context in
            DenialReason(
                LocalizedText("This bid is meant for another item than the one that is up.", "该出价针对的不是当前拍卖的物品。"),
                required: context.room.item?.id.description, actual: context.request.bid?.item?.description)
        }
    }

    private static let notMember: RoomPermissionRule = RoomPermissionRule(
        "bid.not_member", .placeBid, priority: 90, .role,
        LocalizedText("Only members of the room may bid. Join it as a bidder first.", "只有房间成员才能出价,请先以竞拍者身份加入。")
    ) { context in
        !context.isMember
    } because: { _ in
        DenialReason(notMember.description, required: Role.bidder.rawValue, actual: "none")
    }

    private static let banned: RoomPermissionRule = RoomPermissionRule(
        "bid.banned", .placeBid, priority: 85, .role,
        LocalizedText("The host has banned you from this room.", "您已被房主封禁,不能出价。")
    ) { context in
        context.member?.isBanned == true
    } because: { _ in
        DenialReason(banned.description, required: "not banned", actual: "banned")
    }

    private static let viewer: RoomPermissionRule = RoomPermissionRule(
        "bid.viewer", .placeBid, priority: 80, .role, isPermanent: false,
        LocalizedText("Viewers watch; to bid, join the room as a bidder.", "观众不能出价,请以竞拍者身份加入房间。")
    ) { context in
        // An applicant has joined as a bidder: they wait for the host, which `bid.not_approved` says.
        context.member?.role == .viewer && !context.awaitsApproval
    } because: { _ in
        DenialReason(viewer.description, required: Role.bidder.rawValue, actual: Role.viewer.rawValue)
    }

    private static let host: RoomPermissionRule = RoomPermissionRule(
        "bid.host", .placeBid, priority: 75, .role, isPermanent: false,
        LocalizedText("The host leads the auction and does not bid in it.", "房主主持拍卖,不能出价。")
    ) { context in
        context.member?.role == .host
    } because: { _ in
        DenialReason(host.description, required: Role.bidder.rawValue, actual: Role.host.rawValue)
    }

    private static let ownItem: RoomPermissionRule = RoomPermissionRule(
        "bid.own_item", .placeBid, priority: 70, .identity,
        LocalizedText("Nobody may bid on their own item.", "不能对自己的物品出价。")
    ) { context in
        context.room.itemOwner == context.caller
    } because: { _ in
        DenialReason(ownItem.description, required: "another seller's item", actual: "own item")
    }

    static let alreadyLeading: RoomPermissionRule = RoomPermissionRule(
        "bid.already_leading", .placeBid, priority: 65, .identity,
        LocalizedText("You already have the highest bid.", "您的出价已是当前最高价。")
    ) { context in
        let room = context.room
        guard room.currentBid?.bidder.id == context.caller else { return false }
        guard let bid = context.request.bid else { return true }
        return context.rulebook.format(of: room)?.letsLeaderPlace(bid, in: room) != true
    } because: { _ in
        DenialReason(alreadyLeading.description, required: "not leading", actual: "leading")
    }

    /// - Parameter isBound: Whether the next minimum is asked of the caller.
    static func belowMinimum(
        _ id: String, _ action: RoomAction, where isBound: @escaping @Sendable (RuleContext) -> Bool
    ) -> RoomPermissionRule {
        RoomPermissionRule(
            id, action, priority: 60, .amount,
            LocalizedText("A bid must be at least the next minimum.", "出价不得低于当前最低出价。")
        ) { context in
            guard isBound(context), let amount = context.request.bid?.offered, let minimum = context.minimum else {
                return false
            }
            return amount < minimum
        } because: { context in
            let currency = context.room.currency
            let required = context.minimum.map { currency.text($0) } ?? ""
            let actual = context.request.bid?.offered.map { currency.text($0) } ?? ""
            return DenialReason(
                LocalizedText {
                    $0 == .english
                        ? String(
                            pieces: "The bid of ", actual, " is below the minimum of ", required, " ", currency.code, ".")
                        : "出价 \(actual) 低于最低出价 \(required) \(currency.code)。"
                },
                required: required, actual: actual)
        }
    }

    private static let namesNoPrice: RoomPermissionRule = RoomPermissionRule(
        "bid.names_no_price", .placeBid, priority: 57, .amount,
        LocalizedText(
            "A maximum alone never buys: a bid of the buy-now price names it as its amount.",
            "仅凭 maximum 不能一口价买下,须在 amount 中写明一口价。")
    ) { context in
        let room = context.room
        // A leader who gives a maximum alone only raises theirs.
        guard let bid = context.request.bid, bid.amount == nil, bid.maximum != nil,
            room.currentBid?.bidder.id != context.caller, let price = room.rules?.buyNowPrice
        else { return false }
        return context.minimum == price
    } because: { context in
        let currency = context.room.currency
        let required = context.minimum.map { currency.text($0) } ?? ""
        return DenialReason(
            LocalizedText {
                $0 == .english
                    ? "The next bid buys at \(required) \(currency.code): to buy, send that as \"amount\"."
                    : "下一口出价即以 \(required) \(currency.code) 买下,如要买下请在 amount 中填写该价格。"
            },
            required: required, actual: "no amount")
    }

    private static let overCredit: RoomPermissionRule = RoomPermissionRule(
        "bid.over_credit", .placeBid, priority: 55, .amount,
        LocalizedText(
            "A bid, the bids that its bidder has left on lots, and what they have won in this room stay within their credit limit.",
            "出价、等待开拍的预先出价与本房间已拍得金额之和不得超过信用额度。")
    ) { context in
        guard let limit = context.member?.creditLimit, let total = context.debtWithBid else { return false }
        return total > limit
    } because: { context in
        let (currency, code) = (context.room.currency, context.room.currency.code)
        let required = context.member?.creditLimit.map { currency.text($0) } ?? ""
        let actual = context.debtWithBid.map { currency.text($0) } ?? ""
        return DenialReason(
            LocalizedText {
                $0 == .english
                    ? "With this bid, those that you have left on lots, and what you have won here you might owe \(actual) \(code); your credit limit is \(required) \(code)."
                    : "此次出价、等待开拍的预先出价与本房间已拍得金额合计,您可能应付 \(actual) \(code),超过信用额度 \(required) \(code)。"
            },
            required: required, actual: actual)
    }
}

extension String {
    /// The pieces one after the other. For the text of most refusals: an interpolation costs twice as much.
    fileprivate init(pieces: String...) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.utf8.count })
        for piece in pieces { bytes.append(contentsOf: piece.utf8) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension PlaceBid {
    /// What is held against the next minimum: the amount, or without one the maximum.
    fileprivate var offered: Money? { amount ?? maximum }
}

extension RuleContext {
    /// For how many milliseconds the caller has been a member; nil if they are none.
    fileprivate var memberFor: Int64? { member.map { instant.milliseconds(since: $0.joinedAt) } }

    /// Whether the caller has applied to the host, who approves bidders and has not decided yet.
    fileprivate var awaitsApproval: Bool {
        room.application(of: caller)?.isDeclined == false && rulebook.isEnabled(OptionalRule.notApproved, in: room)
    }

    /// What the caller would owe in this room if the requested bid won; nil without a bid.
    fileprivate var debtWithBid: Money? {
        guard let bid = request.bid, let liability = rulebook.format(of: room)?.liability(of: bid, in: room) else { return nil }
        return room.debtWithAbsentees(of: caller, with: liability)
    }
}

/// Rules about bids that are off by default; a host may switch them on.
enum OptionalBidRules {
    static let all: [RoomPermissionRule] = [invitedOnly, newMember, notApproved]

    /// How long a member must have been in the room before they may bid, if the host switched `bid.new_member` on.
    static let newMemberWait = Seconds(60)

    // The priorities place these rules after those about the bidder's identity and before those about the amount.
    private static let invitedOnly: RoomPermissionRule = RoomPermissionRule(
        OptionalRule.invitedOnly, .placeBid, priority: 64, .role, isPermanent: false, isEnabledByDefault: false,
        LocalizedText(
            "Only those whom the host made bidder or auctioneer may bid.", "只有由房主指定为竞拍者或拍卖人的成员才能出价。")
    ) { context in
        context.member.map { !$0.isInvited } ?? false
    } because: { context in
        DenialReason(invitedOnly.description, required: "invited", actual: context.roleName)
    }

    private static let newMember: RoomPermissionRule = RoomPermissionRule(
        OptionalRule.newMember, .placeBid, priority: 63, .role, isPermanent: false, isEnabledByDefault: false,
        LocalizedText(
            "New members bid only after \(newMemberWait.count) seconds in the room.",
            "新成员加入房间 \(newMemberWait.count) 秒后才能出价。")
    ) { context in
        context.memberFor.map { $0 < Int64(newMemberWait.count) * 1000 } ?? false
    } because: { context in
        DenialReason(
            newMember.description, required: String(newMemberWait.count), actual: String(max(0, context.memberFor ?? 0) / 1000))
    }

    private static let notApproved: RoomPermissionRule = RoomPermissionRule(
        OptionalRule.notApproved, .placeBid, priority: 62, .role, isPermanent: false, isEnabledByDefault: false,
        LocalizedText("The host has to approve you as a bidder first.", "须先由房主批准您为竞拍者。")
    ) { context in
        // A viewer's role from the host is none to bid with.
        context.member.map { !$0.isInvited || $0.role == .viewer } ?? false
    } because: { context in
        DenialReason(notApproved.description, required: "approved", actual: context.roleName)
    }
}

/// The ids of the rules that are off until a host switches them on.
package enum OptionalRule {
    /// Only members whom the host made bidder or auctioneer may bid.
    package static let invitedOnly = "bid.invited_only"
    /// New members may bid only after 60 seconds in the room.
    package static let newMember = "bid.new_member"
    /// Only members whom the host made bidder or auctioneer may bid, and who joins as bidder applies to the host.
    package static let notApproved = "bid.not_approved"
}
