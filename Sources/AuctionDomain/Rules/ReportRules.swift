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
        LocalizedText(
            "Of the reports that the room keeps, at most \(RoomReports.userLimit) are one member's.",
            "房间保留的举报中,同一成员最多 \(RoomReports.userLimit) 条。")
    ) { context in
        let reports = context.room.reports
        // A repeat adds none.
        if let message = context.request.message, reports.contains(message, by: context.caller) { return false }
        return reports.count(by: context.caller) >= RoomReports.userLimit
    } because: { context in
        DenialReason(
            limit.description, required: String(RoomReports.userLimit),
            actual: String(context.room.reports.count(by: context.caller) + 1))
    }
}
