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
        !context.isMember
    } because: { context in
        DenialReason(notMember.description, required: "member", actual: context.roleName)
    }

    private static let muted: RoomPermissionRule = RoomPermissionRule(
        "message.muted", .sendMessage, priority: 80, .role, LocalizedText("A muted member may not write.", "被禁言的成员不能发言。")
    ) { context in
        // A muted auctioneer may take over as host, and then no other member could unmute them.
        context.member.map { $0.isMuted && $0.role != .host } ?? false
    } because: { _ in
        DenialReason(muted.description, required: "not muted", actual: "muted")
    }

    // Depends only on the room's state and the instant of acceptance, so a replay reaches the same decision.
    private static let rate: RoomPermissionRule = RoomPermissionRule(
        "message.rate", .sendMessage, priority: 70, .limit,
        LocalizedText("Members write only so many messages within a second.", "每位成员每秒发言次数有限。")
    ) { context in
        let limit = context.rulebook.limits.messagesPerSecond
        return limit > 0 && context.recentMessages >= limit
    } because: { context in
        let limit = context.rulebook.limits.messagesPerSecond
        return DenialReason(
            LocalizedText(
                "You may write \(limit) messages a second; wait a moment.", "每秒最多发送 \(limit) 条消息,请稍候。"),
            required: String(limit), actual: String(context.recentMessages + 1))
    }
}

extension RuleContext {
    /// How many messages the caller has sent within the window that their rate is limited in.
    fileprivate var recentMessages: Int {
        room.messages.count(by: caller, after: instant.advanced(byMilliseconds: -RoomMessages.rateWindow))
    }
}
