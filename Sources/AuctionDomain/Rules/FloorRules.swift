import Permissions

/// Rules about bids that the host and auctioneers enter for people in the hall or at the telephone.
enum FloorRules {
    static let all: [RoomPermissionRule] = [
        .state(
            "floor.not_auctioning", .placeFloorBid, priority: 100,
            LocalizedText("Floor bids are taken only while the auction is running.", "只有在拍卖进行中才能录入现场出价。")),
        BidRules.wrongRound("floor.wrong_round", .placeFloorBid), BidRules.wrongItem("floor.wrong_item", .placeFloorBid),
        notSeller,
        .banned(
            "floor.banned", .placeFloorBid, priority: 85,
            LocalizedText("The host has banned you from this room.", "您已被房主封禁,不能录入现场出价。")),
        off, ownItem, sealed, BidRules.belowMinimum("floor.below_minimum", .placeFloorBid) { _ in true },
    ]

    private static let notSeller: RoomPermissionRule = RoomPermissionRule(
        "floor.not_auctioneer", .placeFloorBid, priority: 90, .role,
        LocalizedText("Only the host and auctioneers enter floor bids.", "只有房主和拍卖人才能录入现场出价。")
    ) { context in
        context.member?.role != .host && context.member?.role != .auctioneer
    } because: { context in
        DenialReason(notSeller.description, required: Role.auctioneer.rawValue, actual: context.roleName)
    }

    private static let off: RoomPermissionRule = RoomPermissionRule(
        "bid.floor_off", .placeFloorBid, priority: 80, .role, isPermanent: false,
        LocalizedText(
            "Floor bids are off in this room; the host switches them on while preparing.",
            "本房间未开启现场出价,房主可在准备阶段开启。")
    ) { _ in
        true
    } because: { _ in
        DenialReason(off.description, required: "floor bids", actual: "none")
    }

    private static let ownItem: RoomPermissionRule = RoomPermissionRule(
        "floor.own_item", .placeFloorBid, priority: 70, .identity,
        LocalizedText("Nobody enters bids on their own item.", "不能为自己的物品录入出价。")
    ) { context in
        context.room.itemOwner == context.caller
    } because: { _ in
        DenialReason(ownItem.description, required: "another seller's item", actual: "own item")
    }

    private static let sealed: RoomPermissionRule = RoomPermissionRule(
        "floor.sealed", .placeFloorBid, priority: 65, .state,
        LocalizedText("A sealed round takes no floor bids.", "密封拍卖不接受现场出价。")
    ) { context in
        context.rulebook.format(of: context.room)?.isSealed == true
    } because: { context in
        DenialReason(sealed.description, required: "an open format", actual: context.room.formatName?.rawValue)
    }
}
