internal import Permissions

/// Generates the documentation of the permission rules from the rules themselves: `openapi/permission-rules.md` without its examples.
package enum RulesDocument {
    /// A section per action: its rules in the order of evaluation.
    package static func markdown(of rulebook: RoomRulebook) -> String {
        var text = introduction
        for action in RoomAction.allCases {
            let rules = rulebook.permissions.rules.filter { $0.action == action }
            guard !rules.isEmpty else { continue }
            text += "\n## \(action.rawValue)\n\n" + table(of: rules)
        }
        return text
    }

    private static let introduction = """
        # Permission rules

        What may be refused in a room, and why. `auction-room rules` prints this from the rules themselves. The page
        `openapi/permission-rules.md` adds examples of each rule, which are run as tests.

        The rules of an action are asked from the highest priority down, and the first denial decides. What no rule denies is
        allowed. A denial's category gives its HTTP status: `identity` 403, `role` 403, `state` 409, `amount` 422, `limit` 429.

        The host of a room may, while it is preparing, switch rules on and off and change their priorities. A permanent rule
        cannot be switched off; its priority may change, which changes only the reason that is named first. An optional rule is
        off until the host switches it on.

        """

    private static func table(of rules: [RoomPermissionRule]) -> String {
        let rows = rules.map { rule in
            let cells = [
                String(rule.priority), "`\(rule.id)`", rule.category.rawValue, kind(of: rule), rule.description.english,
                rule.description.chinese,
            ]
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        return "| priority | rule | category | kind | description | 说明 |\n| --- | --- | --- | --- | --- | --- |\n"
            + rows.joined()
    }

    private static func kind(of rule: RoomPermissionRule) -> String {
        if rule.isPermanent { return "permanent" }
        return rule.isEnabledByDefault ? "can be switched off" : "optional, off"
    }
}
