/// A refused action: which rule refused it, and why.
public struct PermissionDenial<Action: Hashable & Sendable>: Error, Hashable, Sendable {
    /// Action that was requested.
    public let action: Action
    /// Id of the rule that denied the action.
    public let rule: String
    /// Category of that rule; decides how the denial is reported.
    public let category: PermissionCategory
    /// Priority of the rule under the configuration that was in effect.
    public let priority: Int
    /// Explanation for users and for programs.
    public let reason: DenialReason

    public init(action: Action, rule: String, category: PermissionCategory, priority: Int, reason: DenialReason) {
        self.action = action
        self.rule = rule
        self.category = category
        self.priority = priority
        self.reason = reason
    }
}

/// The verdict of one rule in an explanation of a decision.
public struct PermissionTraceEntry: Hashable, Sendable {
    /// Result of one rule; a disabled rule is listed but not evaluated.
    public enum Verdict: Hashable, Sendable {
        case passed
        case denied(DenialReason)
        case disabled
    }

    /// Id of the rule.
    public let rule: String
    /// Category of the rule.
    public let category: PermissionCategory
    /// Priority under the configuration in effect; higher is evaluated first.
    public let priority: Int
    /// What the rule requires, in every language.
    public let description: LocalizedText
    /// Result of the rule for the given context.
    public let verdict: Verdict
}
