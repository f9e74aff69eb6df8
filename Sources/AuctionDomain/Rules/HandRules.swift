import Permissions

/// Rules of what the host does by hand while a round runs.
enum HandRules {
    static let all: [RoomPermissionRule] = warn

    private static let warn: [RoomPermissionRule] = [
        .state(
            "warn.not_auctioning", .warn, priority: 100,
            LocalizedText("A warning is given only while the auction is running.", "只有在拍卖进行中才能提示落槌。")),
        .hostOnly(
            "warn.not_host", .warn, priority: 90,
            LocalizedText("Only the host gives a warning.", "只有房主才能提示落槌。")),
    ]
}
