import Permissions

/// What only the host may do: lead the auction, give roles, archive the room.
enum HostRules {
    static let all: [RoomPermissionRule] = [
        .state(
            "start.wrong_state", .startAuction, priority: 100,
            LocalizedText(
                "An auction is started from preparing, listing or closed.", "只有在准备、上拍或已定拍阶段才能开始。")),
        .hostOnly(
            "start.not_host", .startAuction, priority: 90,
            LocalizedText("Only the host may start the auction.", "只有房主才能开始拍卖。")),
        startWithoutItem,
        .state(
            "end.not_auctioning", .endAuction, priority: 100,
            LocalizedText("Only a running auction can be ended.", "只能结束正在进行的拍卖。")),
        .hostOnly(
            "end.not_host", .endAuction, priority: 90,
            LocalizedText("Only the host may end the auction.", "只有房主才能结束拍卖。")),
        bidderEnds,
        .hostOnly(
            "role.not_host", .setRole, priority: 90,
            LocalizedText("Only the host may change a member's role.", "只有房主才能更改成员角色。")),
        roleOfThemself,
        .hostOnly(
            "room.not_host", .archiveRoom, priority: 100,
            LocalizedText("Only the host may archive the room.", "只有房主才能归档房间。")),
        .state(
            "room.round_running", .archiveRoom, priority: 90,
            LocalizedText("A room is not archived during a round.", "拍卖进行中不能归档房间。")),
    ]

    private static let startWithoutItem: RoomPermissionRule = RoomPermissionRule(
        id: "start.no_item", action: .startAuction, priority: 80, category: .state, isPermanent: true,
        description: LocalizedText(
            "There is no item yet: an auctioneer uploads one first.", "还没有拍卖物品,请先由拍卖人上传。")
    ) { context in
        guard context.room.state == .preparing, context.room.item == nil else { return nil }
        return DenialReason(startWithoutItem.description, required: "item", actual: "none")
    }

    private static let bidderEnds: RoomPermissionRule = RoomPermissionRule(
        id: "end.has_bid", action: .endAuction, priority: 80, category: .identity, isPermanent: true,
        description: LocalizedText(
            "A host who has bid in this round may not end it.", "房主在本轮已出价,不能结束拍卖。")
    ) { context in
        // Only a room that let its host bid has to look: the leader first, then the round's bids.
        let caller = context.caller
        guard context.room.currentBid?.bidder.id == caller || context.room.hasBid(caller) else { return nil }
        return DenialReason(bidderEnds.description)
    }

    private static let roleOfThemself: RoomPermissionRule = RoomPermissionRule(
        id: "role.themself", action: .setRole, priority: 80, category: .identity, isPermanent: true,
        description: LocalizedText("Nobody may change their own role this way.", "不能以此方式更改自己的角色。")
    ) { context in
        context.target == context.caller ? DenialReason(roleOfThemself.description) : nil
    }
}
