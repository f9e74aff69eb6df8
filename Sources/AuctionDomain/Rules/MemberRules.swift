import Permissions

/// Rules of the host's actions on members, on the permission configuration and on the stage, and of requests for the stage.
enum MemberRules {
    static let all: [RoomPermissionRule] =
        about(.setRole, "role", LocalizedText("Only the host may change a member's role.", "只有房主才能更改成员角色。"))
        + about(.kick, "kick", LocalizedText("Only the host may remove a member.", "只有房主才能移出成员。"))
        + about(.ban, "ban", LocalizedText("Only the host may ban a member.", "只有房主才能封禁成员。"))
        + about(.mute, "mute", LocalizedText("Only the host may mute a member.", "只有房主才能禁言成员。"))
        + about(.setCreditLimit, "credit", LocalizedText("Only the host may set a credit limit.", "只有房主才能设置信用额度。"))
        + [
            .state(
                "permission.not_preparing", .configurePermissions, priority: 100,
                LocalizedText("Rules are configured only while the room is preparing.", "只能在准备阶段配置规则。")),
            .hostOnly(
                "permission.not_host", .configurePermissions, priority: 90,
                LocalizedText("Only the host may configure rules.", "只有房主才能配置规则。")),
            stageMember,
            .banned(
                "stage.banned", .requestStage, priority: 85,
                LocalizedText("A banned member may not ask for the stage.", "被封禁的成员不能申请上台。")),
            stageHost,
            .hostOnly(
                "stage.not_host", .manageStage, priority: 90,
                LocalizedText("Only the host may invite to the stage and manage its seats.", "只有房主才能邀请上台和管理座位。")),
        ]

    private static func about(_ action: RoomAction, _ prefix: String, _ description: LocalizedText) -> [RoomPermissionRule] {
        let onThemself = LocalizedText("The host does not do this to themself.", "房主不能对自己执行该操作。")
        return [
            .hostOnly("\(prefix).not_host", action, priority: 90, description),
            RoomPermissionRule(
                "\(prefix).themself", action, priority: 80, .identity,
                onThemself
            ) { context in
                // An operator is as the host, whom a room must not lose.
                context.request.target == (context.caller.isOperator ? context.room.host.id : context.caller)
            } because: { _ in
                DenialReason(onThemself, required: "another member", actual: "oneself")
            },
        ]
    }

    private static let stageMember: RoomPermissionRule = RoomPermissionRule(
        "stage.not_member", .requestStage, priority: 90, .role,
        LocalizedText("Only members of the room may ask for the stage.", "只有房间成员才能申请上台。")
    ) { context in
        !context.isMember
    } because: { context in
        DenialReason(stageMember.description, required: "member", actual: context.roleName)
    }

    private static let stageHost: RoomPermissionRule = RoomPermissionRule(
        "stage.host", .requestStage, priority: 80, .role,
        LocalizedText("The host decides about the stage and does not ask for it.", "房主管理舞台,无需申请上台。")
    ) { context in
        context.member?.role == .host
    } because: { context in
        DenialReason(stageHost.description, required: "guest", actual: context.roleName)
    }
}
