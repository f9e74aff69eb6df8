import Permissions

/// Rules about uploading an item and adjusting its auction rules.
enum ItemRules {
    static let all: [RoomPermissionRule] = [
        .state(
            "item.not_preparing", .uploadItem, priority: 100,
            LocalizedText("Items are uploaded while the room is preparing.", "只能在准备阶段上传物品。")),
        .banned(
            "item.banned", .uploadItem, priority: 95,
            LocalizedText("A banned member may not upload an item.", "被封禁的成员不能上传物品。")),
        notAuctioneer, taken,
        .state(
            "rules.not_preparing", .adjustRules, priority: 100,
            LocalizedText("Rules are adjusted only while the room is preparing.", "只能在准备阶段调整规则。")),
        .banned(
            "rules.banned", .adjustRules, priority: 95,
            LocalizedText("A banned member may not adjust rules.", "被封禁的成员不能调整规则。")),
        neitherHostNorOwner, ownersPrices,
    ]

    private static let neitherHostNorOwner: RoomPermissionRule = RoomPermissionRule(
        "rules.not_yours", .adjustRules, priority: 90, .role,
        LocalizedText(
            "Only the host and the item's owner may adjust its rules.", "只有房主和物品所有者才能调整规则。")
    ) { context in
        let isOwner = context.room.itemOwner == context.caller && context.member?.role == .auctioneer
        return !context.isHost && !isOwner
    } because: { context in
        DenialReason(neitherHostNorOwner.description, required: "host or owner", actual: context.roleName)
    }

    private static let ownersPrices: RoomPermissionRule = RoomPermissionRule(
        "rules.owner_only", .adjustRules, priority: 80, .role,
        LocalizedText(
            "Starting, reserve, buy-now and floor price are the owner's alone.", "起拍价、保留价、一口价和底价只能由物品所有者调整。")
    ) { context in
        context.request.changesPrices == true && context.room.itemOwner != context.caller
    } because: { context in
        DenialReason(ownersPrices.description, required: "owner", actual: context.roleName)
    }

    private static let notAuctioneer: RoomPermissionRule = RoomPermissionRule(
        "item.not_auctioneer", .uploadItem, priority: 90, .role,
        LocalizedText(
            "Only an auctioneer may upload an item; the host grants that role.", "只有拍卖人才能上传物品,该角色由房主授予。")
    ) { context in
        context.member?.role != .auctioneer && !context.caller.isOperator
    } because: { context in
        DenialReason(notAuctioneer.description, required: Role.auctioneer.rawValue, actual: context.roleName)
    }

    private static let taken: RoomPermissionRule = RoomPermissionRule(
        "item.taken", .uploadItem, priority: 80, .state,
        LocalizedText(
            "Another auctioneer's item is already up for this round.", "本轮已有其他拍卖人的物品。")
    ) { context in
        guard let owner = context.room.itemOwner, owner != context.caller else { return false }
        // The item of an owner who left, was banned or lost the auctioneer's role does not block other auctioneers.
        guard let member = context.room.members[owner], !member.isBanned else { return false }
        // A host owns lots; another item of theirs was a linked guest's.
        return member.role == .auctioneer || member.role == .host && context.room.item?.lot != nil
    } because: { context in
        DenialReason(taken.description, actual: context.room.itemOwner?.description)
    }
}
