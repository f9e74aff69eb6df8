import Permissions

/// Rules about lots and the sale.
enum LotRules {
    static let all: [RoomPermissionRule] = [
        .banned(
            "lot.banned", .queueLot, priority: 95,
            LocalizedText("A banned member may not queue a lot.", "被封禁的成员不能添加拍品。")),
        notSeller, tooMany("lot.too_many", .queueLot, priority: 80),
        .banned(
            "lot.change_banned", .changeLot, priority: 95,
            LocalizedText("A banned member may not change a lot.", "被封禁的成员不能修改拍品。")),
        notYours("lot.not_yours", .changeLot),
        notQueued(
            "lot.not_queued", .changeLot,
            LocalizedText("Only a lot that waits in the queue can be changed.", "只有仍在排队的拍品才能更改。")),
        ownersPrices(ownersPricesID, .changeLot),
        .banned(
            "withdraw.banned", .withdrawLot, priority: 95,
            LocalizedText("A banned member may not withdraw a lot.", "被封禁的成员不能撤下拍品。")),
        notYours("withdraw.not_yours", .withdrawLot),
        notQueued(
            "withdraw.not_queued", .withdrawLot,
            LocalizedText("Only a lot that waits in the queue can be withdrawn.", "只有仍在排队的拍品才能撤回。")),
        .banned(
            "reoffer.banned", .reofferLot, priority: 95,
            LocalizedText("A banned member may not offer a lot again.", "被封禁的成员不能再次上拍拍品。")),
        notYours("reoffer.not_yours", .reofferLot), notEnded, again, ownersPrices("reoffer.owner_only", .reofferLot),
        tooMany("reoffer.too_many", .reofferLot, priority: 65),
        .hostOnly(
            "sale.not_host", .runSale, priority: 90, LocalizedText("Only the host runs the sale.", "只有房主才能管理专场。")),
    ]

    private static let notSeller: RoomPermissionRule = RoomPermissionRule(
        "lot.not_auctioneer", .queueLot, priority: 90, .role,
        LocalizedText(
            "Only the host and auctioneers queue lots; the host grants that role.", "只有房主和拍卖人才能添加拍品,拍卖人由房主授予。")
    ) { context in
        !context.isHost && context.member?.role != .auctioneer
    } because: { context in
        DenialReason(notSeller.description, required: "host or auctioneer", actual: context.roleName)
    }

    private static func tooMany(_ id: String, _ action: RoomAction, priority: Int) -> RoomPermissionRule {
        let description = LocalizedText("The room has as many lots as it may have.", "房间的拍品数量已达上限。")
        return RoomPermissionRule(id, action, priority: priority, .limit, description) { context in
            // An import may add none: then it is allowed in a full room too.
            let (most, added) = (context.rulebook.limits.lotsPerRoom, context.request.addedLots ?? 1)
            return most > 0 && added > 0 && context.room.lots.count + added > most
        } because: { context in
            let (most, present) = (context.rulebook.limits.lotsPerRoom, context.room.lots.count)
            let added = context.request.addedLots ?? 1
            let text =
                added == 1
                ? description
                : LocalizedText(
                    "The room may have \(most) lots; it has \(present), and this file adds \(added).",
                    "房间最多 \(most) 件拍品,现有 \(present) 件,此文件将新增 \(added) 件。")
            return DenialReason(text, required: String(most), actual: String(present))
        }
    }

    /// The rule by which only the owner of a lot changes its prices.
    static let ownersPricesID = "lot.owner_only"

    private static func ownersPrices(_ id: String, _ action: RoomAction) -> RoomPermissionRule {
        let description = LocalizedText(
            "Starting, reserve, buy-now and floor price are the owner's alone.", "起拍价、保留价、一口价和底价只能由物品所有者调整。")
        return RoomPermissionRule(id, action, priority: 70, .role, description) { context in
            context.request.changesPrices == true && context.requestedOwner != context.caller
        } because: { context in
            DenialReason(description, required: "owner", actual: context.roleName)
        }
    }

    private static let notEnded: RoomPermissionRule = RoomPermissionRule(
        "reoffer.not_ended", .reofferLot, priority: 80, .state,
        LocalizedText(
            "Only a lot that was passed, or whose sale was voided and is not offered to the next bidder, is offered again.",
            "只有流拍,或成交作废且没有待答复要约的拍品才能再次上拍。")
    ) { context in
        guard let lot = context.requestedLot else {
            return context.room.lots.unsoldCount(of: context.isHost ? nil : context.caller) == 0
        }
        return !lot.state.isUnsold || context.room.offers.contains { $0.lot == lot.id }
    } because: { context in
        DenialReason(
            notEnded.description, required: Lot.State.allCases.filter(\.isUnsold).map(\.rawValue).joined(separator: " or "),
            actual: context.requestedLot.map { lot in
                context.room.offers.contains { $0.lot == lot.id } ? "offered" : lot.state.rawValue
            } ?? "none")
    }

    private static let again: RoomPermissionRule = RoomPermissionRule(
        "reoffer.again", .reofferLot, priority: 75, .state,
        LocalizedText("This lot has been offered again already.", "该拍品已再次上拍。")
    ) { context in
        context.request.lot.flatMap { context.room.lots.standingSuccessor(of: $0) } != nil
    } because: { context in
        let successor = context.request.lot.flatMap { context.room.lots.standingSuccessor(of: $0) }
        return DenialReason(again.description, required: "none", actual: successor?.id.description)
    }

    /// Allows the action to the host, and to an auctioneer for their own lots.
    private static func notYours(_ id: String, _ action: RoomAction) -> RoomPermissionRule {
        let description = LocalizedText("Only the host and the lot's owner may do this.", "只有房主和拍品所有者才能执行此操作。")
        return RoomPermissionRule(id, action, priority: 90, .role, description) { context in
            if context.isHost { return false }
            guard context.member?.role == .auctioneer else { return true }
            // A request without a lot: the next rule says whether any lot of theirs exists.
            return context.requestedOwner.map { $0 != context.caller } ?? false
        } because: { context in
            DenialReason(description, required: "host or owner", actual: context.roleName)
        }
    }

    private static func notQueued(_ id: String, _ action: RoomAction, _ description: LocalizedText) -> RoomPermissionRule {
        RoomPermissionRule(id, action, priority: 80, .state, description) { context in
            let lots = context.room.lots
            guard let lot = context.requestedLot else {
                let isHost = context.isHost
                // The prepared lot is changed like one in the queue.
                let prepared = lots.current.flatMap { lots[$0] }.flatMap { context.room.hasPrepared($0) ? $0 : nil }
                if let prepared, isHost || lots.owner(of: prepared).id == context.caller { return false }
                return (isHost ? lots.queuedCount : lots.queuedCount(of: context.caller)) == 0
            }
            return lot.state != .queued && !context.room.hasPrepared(lot)
        } because: { context in
            DenialReason(
                description, required: Lot.State.queued.rawValue, actual: context.requestedLot?.state.rawValue ?? "none")
        }
    }
}

extension RuleContext {
    /// Owner of the lot that the request names; nil without one.
    fileprivate var requestedOwner: UserID? { requestedLot.map { room.lots.owner(of: $0).id } }

    /// The lot that the request names; nil without one.
    fileprivate var requestedLot: Lot? { request.lot.flatMap { room.lots[$0] } }
}
