import Permissions

/// Rules of the host's actions: running the auction, retracting bids and archiving the room.
enum HostRules {
    static let all: [RoomPermissionRule] = start + end + pause + cancel + extend + retract + archive

    private static let start: [RoomPermissionRule] = [
        .state(
            "start.wrong_state", .startAuction, priority: 100,
            LocalizedText(
                "An auction is started from preparing, listing or closed.", "只有在准备、上拍或已定拍阶段才能开始。")),
        .hostOnly(
            "start.not_host", .startAuction, priority: 90,
            LocalizedText("Only the host may start the auction.", "只有房主才能开始拍卖。")),
        startWithoutItem,
    ]

    private static let end: [RoomPermissionRule] = [
        .state(
            "end.not_auctioning", .endAuction, priority: 100,
            LocalizedText("Only a running auction can be ended.", "只能结束正在进行的拍卖。")),
        .hostOnly(
            "end.not_host", .endAuction, priority: 90,
            LocalizedText("Only the host may end the auction.", "只有房主才能结束拍卖。")),
        .withoutBid(
            "end.has_bid", .endAuction,
            LocalizedText("A host who has bid in this round may not end it.", "房主在本轮已出价,不能结束拍卖。")),
    ]

    private static let pause: [RoomPermissionRule] = [
        .state(
            "pause.not_running", .pause, priority: 100,
            LocalizedText("Only a listed or running auction can be paused.", "只有上拍或拍卖中的拍卖才能暂停。")),
        .hostOnly(
            "pause.not_host", .pause, priority: 90,
            LocalizedText("Only the host may pause the auction.", "只有房主才能暂停拍卖。")),
        .withoutBid(
            "pause.has_bid", .pause,
            LocalizedText("A host who has bid in this round may not pause it.", "房主在本轮已出价,不能暂停拍卖。")),
        .state(
            "resume.not_paused", .resume, priority: 100,
            LocalizedText("Only a paused auction can be resumed.", "只有已暂停的拍卖才能恢复。")),
        .hostOnly(
            "resume.not_host", .resume, priority: 90,
            LocalizedText("Only the host may resume the auction.", "只有房主才能恢复拍卖。")),
    ]

    private static let cancel: [RoomPermissionRule] = [
        .state(
            "cancel.not_running", .cancel, priority: 100,
            LocalizedText("Only a listed, running or paused auction can be cancelled.", "只有上拍、拍卖中或已暂停的拍卖才能取消。")),
        .hostOnly(
            "cancel.not_host", .cancel, priority: 90,
            LocalizedText("Only the host may cancel the auction.", "只有房主才能取消拍卖。")),
        cancelWithBids,
    ]

    private static let extend: [RoomPermissionRule] = [
        .state(
            "extend.not_auctioning", .extend, priority: 100,
            LocalizedText("Only a running auction can be extended.", "只有拍卖中的拍卖才能延时。")),
        .hostOnly(
            "extend.not_host", .extend, priority: 90,
            LocalizedText("Only the host may give the auction more time.", "只有房主才能延长拍卖时间。")),
        extendWithoutCountdown,
    ]

    private static let retract: [RoomPermissionRule] = [
        .state(
            "retract.wrong_state", .retractBid, priority: 100,
            LocalizedText("A bid is taken back only while the auction runs or is paused.", "只有在拍卖中或暂停时才能撤回出价。")),
        .hostOnly(
            "retract.not_host", .retractBid, priority: 90,
            LocalizedText("Only the host may take a bid back.", "只有房主才能撤回出价。")),
        .withoutBid(
            "retract.has_bid", .retractBid,
            LocalizedText("A host who has bid in this round may not take bids back.", "房主在本轮已出价,不能撤回出价。")),
        notLatest,
    ]

    private static let archive: [RoomPermissionRule] = [
        .hostOnly(
            "room.not_host", .archiveRoom, priority: 100,
            LocalizedText("Only the host may archive the room.", "只有房主才能归档房间。")),
        .state(
            "room.round_running", .archiveRoom, priority: 90,
            LocalizedText("A room is not archived during a round.", "拍卖进行中不能归档房间。")),
        archiveWithOffer,
    ]

    private static let archiveWithOffer: RoomPermissionRule = RoomPermissionRule(
        "room.offer_open", .archiveRoom, priority: 85, .state,
        LocalizedText("A room is not archived while an offer stands.", "要约未结束前不能归档房间。")
    ) { context in
        !context.room.offers.isEmpty
    } because: { context in
        DenialReason(archiveWithOffer.description, required: "no offer", actual: context.room.offers.first?.id.description)
    }

    private static let startWithoutItem: RoomPermissionRule = RoomPermissionRule(
        "start.no_item", .startAuction, priority: 80, .state,
        LocalizedText(
            "There is no item yet: an auctioneer uploads one first.", "还没有拍卖物品,请先由拍卖人上传。")
    ) { context in
        context.room.state == .preparing && context.room.item == nil && context.room.lots.queuedCount == 0
    } because: { _ in
        DenialReason(startWithoutItem.description, required: "item", actual: "none")
    }

    private static let cancelWithBids: RoomPermissionRule = RoomPermissionRule(
        "cancel.has_bids", .cancel, priority: 80, .state,
        LocalizedText(
            "An auction is cancelled only while there is no bid.", "已有出价时不能取消拍卖。")
    ) { context in
        context.room.bids.count > 0
            || context.rulebook.format(of: context.room)?.isSealed == true && context.room.hasSealedAbsentee
    } because: { context in
        DenialReason(cancelWithBids.description, required: "0", actual: String(max(1, context.room.bids.count)))
    }

    private static let extendWithoutCountdown: RoomPermissionRule = RoomPermissionRule(
        "extend.no_countdown", .extend, priority: 80, .state,
        LocalizedText("A Dutch auction has no countdown that could be extended.", "降价拍卖没有可延长的倒计时。")
    ) { context in
        context.room.formatName == .dutch
    } because: { _ in
        DenialReason(extendWithoutCountdown.description, required: "a countdown", actual: AuctionFormatName.dutch.rawValue)
    }

    private static let notLatest: RoomPermissionRule = RoomPermissionRule(
        "retract.not_latest", .retractBid, priority: 70, .state,
        LocalizedText(
            "Only the latest explicit bid can be retracted, and any of a banned bidder, also one left before the opening.",
            "只能撤回最近一次主动出价,或被封禁者的任一主动出价(含开拍前预先出价)。")
    ) { context in
        let room = context.room
        let (latest, isHost) = (room.bids.latestExplicit?.id, context.isHost)
        // A request without a bid asks whether there is any bid to retract.
        guard let bid = context.request.retracted ?? latest else {
            return !(isHost && room.bids.ofOpening.contains(where: room.isOfBanned))
        }
        return bid != latest && !(isHost && room.bids.own(bid).map(room.isOfBanned) ?? false)
    } because: { context in
        DenialReason(
            notLatest.description, required: context.room.bids.latestExplicit?.id.description,
            actual: context.request.retracted?.description)
    }
}

extension Room {
    fileprivate func isOfBanned(_ bid: Bid) -> Bool { members.standing(of: bid.bidder.id).isBanned }
}

extension RoomPermissionRule {
    /// Denies the action to a host who has bid in this round, because of the conflict of interest.
    static func withoutBid(_ id: String, _ action: RoomAction, _ description: LocalizedText) -> RoomPermissionRule {
        RoomPermissionRule(id, action, priority: 80, .identity, description) { context in
            context.room.takesPart(context.caller)
        } because: { _ in
            DenialReason(description, required: "no own bid", actual: "own bid")
        }
    }
}
