import Permissions

/// Rules of reporting messages to the host. Muted members may report.
enum ReportRules {
    static let all: [RoomPermissionRule] = [
        notMember,
        .banned(
            "report.banned", .reportMessage, priority: 85,
            LocalizedText("A banned member may not report messages.", "被封禁的成员不能举报消息。")),
        limit,
    ]

    private static let notMember: RoomPermissionRule = RoomPermissionRule(
        "report.not_member", .reportMessage, priority: 90, .role,
        LocalizedText("Only members of the room may report a message.", "只有房间成员才能举报消息。")
    ) { context in
        !context.isMember
    } because: { context in
        DenialReason(notMember.description, required: "member", actual: context.roleName)
    }

    private static let limit: RoomPermissionRule = RoomPermissionRule(
        "report.limit", .reportMessage, priority: 70, .limit,
        LocalizedText("You have reported as many messages as are kept.", "您的举报数量已达上限。")
    ) { context in
        context.room.reports.count(by: context.caller) >= RoomReports.userLimit
    } because: { context in
        DenialReason(
            limit.description, required: String(RoomReports.userLimit),
            actual: String(context.room.reports.count(by: context.caller) + 1))
    }
}
