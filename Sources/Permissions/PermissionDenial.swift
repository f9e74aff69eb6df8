/// A refused action: which rule refused it, and why.
package struct PermissionDenial<Action: Hashable & Sendable>: Error, Hashable, Sendable {
    /// Action that was requested.
    package let action: Action
    /// Id of the rule that denied the action.
    package let rule: String
    /// Category of that rule; decides how the denial is reported.
    package let category: PermissionCategory
    /// Priority of the rule under the configuration that was in effect.
    package let priority: Int
    /// Explanation for users and for programs.
    package let reason: DenialReason

    package init(action: Action, rule: String, category: PermissionCategory, priority: Int, reason: DenialReason) {
        self.action = action
        self.rule = rule
        self.category = category
        self.priority = priority
        self.reason = reason
    }
}

/// The verdict of one rule in an explanation of a decision.
package struct PermissionTraceEntry: Hashable, Sendable {
    /// Result of one rule; a disabled rule is listed but not evaluated.
    package enum Verdict: Hashable, Sendable {
        case passed
        case denied(DenialReason)
        case disabled
    }

    /// Id of the rule.
    package let rule: String
    /// Category of the rule.
    package let category: PermissionCategory
    /// Priority under the configuration in effect; higher is evaluated first.
    package let priority: Int
    /// What the rule requires, in every language.
    package let description: LocalizedText
    /// Result of the rule for the given context.
    package let verdict: Verdict
}
