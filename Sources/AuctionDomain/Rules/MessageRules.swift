import Permissions

/// Rules about sending and removing chat messages, including the rate limit.
enum MessageRules {
    static let all: [RoomPermissionRule] = [
        notMember,
        .banned(
            "message.banned", .sendMessage, priority: 85,
            LocalizedText("A banned member may not write.", "被封禁的成员不能发言。")),
        muted, rate,
        .hostOnly(
            "message.not_host", .removeMessage, priority: 90,
            LocalizedText("Only the host may remove a message.", "只有房主才能移除消息。")),
    ]

    private static let notMember: RoomPermissionRule = RoomPermissionRule(
        "message.not_member", .sendMessage, priority: 90, .role,
        LocalizedText("Only members of the room may write in it.", "只有房间成员才能发言。")
    ) { context in
        context.member == nil ? DenialReason(notMember.description, required: "member", actual: context.roleName) : nil
    }

    private static let muted: RoomPermissionRule = RoomPermissionRule(
        "message.muted", .sendMessage, priority: 80, .role, LocalizedText("A muted member may not write.", "被禁言的成员不能发言。")
    ) { context in
        // A muted auctioneer may take over as host, and then no other member could unmute them.
        guard let member = context.member, member.isMuted, member.role != .host else { return nil }
        return DenialReason(muted.description, required: "not muted", actual: "muted")
    }

    // Depends only on the room's state and the instant of acceptance, so a replay reaches the same decision.
    private static let rate: RoomPermissionRule = RoomPermissionRule(
        "message.rate", .sendMessage, priority: 70, .limit,
        LocalizedText("Members write only so many messages within a second.", "每位成员每秒发言次数有限。")
    ) { context in
        let limit = context.rulebook.limits.messagesPerSecond
        guard limit > 0 else { return nil }
        let count = context.room.messages.count(
            by: context.caller, after: context.instant.advanced(byMilliseconds: -RoomMessages.rateWindow))
        guard count >= limit else { return nil }
        return DenialReason(
            LocalizedText(
                "You may write \(limit) messages a second; wait a moment.", "每秒最多发送 \(limit) 条消息,请稍候。"),
            required: String(limit), actual: String(count + 1))
    }
}
