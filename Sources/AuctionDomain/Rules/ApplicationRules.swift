import Permissions

/// The rule of deciding about those who apply as bidders, in every state of the room.
enum ApplicationRules {
    static let all: [RoomPermissionRule] = [
        .hostOnly(
            "application.not_host", .decideApplication, priority: 90,
            LocalizedText("Only the host decides about applications.", "只有房主才能处理申请。"))
    ]
}
