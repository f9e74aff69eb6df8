import Permissions

// Decides the host's changes of the room's permission rules.
extension RoomManager {
    /// A permanent rule cannot be disabled. Its priority may change: that decides which of several reasons is reported, never
    /// whether a command is refused, because all enabled rules have to permit it.
    func configure(
        _ change: ConfigureRule, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        try check(.configurePermissions, by: caller, in: context)
        guard let rule = rulebook.permissions[change.rule] else {
            throw .ruleNotFound.naming(change.rule)
        }
        if rule.isPermanent, change.isEnabled == false {
            throw Refusal(
                .conflict, code: "rule.permanent",
                .init("The rule \(rule.id) is permanent and cannot be switched off.", "规则 \(rule.id) 为永久规则,不能关闭。"),
                actual: rule.id)
        }
        try check(change.priority)
        let configuration = context.room.configuration
        let isEnabled = change.isEnabled.flatMap { $0 == configuration.isEnabled(rule) ? nil : $0 }
        let priority = change.priority.flatMap { $0 == configuration.priority(of: rule) ? nil : $0 }
        guard isEnabled != nil || priority != nil else { return Decision(events: [], outcome: .ruleConfigured(rule.id)) }
        let event = PermissionChange(rule: rule.id, isEnabled: isEnabled, priority: priority, by: caller)
        return Decision(events: [.permissionChanged(event)], outcome: .ruleConfigured(rule.id))
    }

    private func check(_ priority: Int?) throws(Refusal) {
        let range = ConfigureRule.priorityRange
        guard let priority, !range.contains(priority) else { return }
        throw .malformed(
            "priority",
            LocalizedText(
                "\"priority\" must be from \(range.lowerBound) to \(range.upperBound).",
                "priority 须在 \(range.lowerBound) 到 \(range.upperBound) 之间。"),
            required: "\(range.lowerBound)…\(range.upperBound)", actual: String(priority))
    }
}
