/// A refused action: which rule refused it, and why.
public struct PermissionDenial<Action: Hashable & Sendable>: Error, Hashable, Sendable {
    public let action: Action
    public let rule: String
    public let category: PermissionCategory
    /// The rule's priority in this place.
    public let priority: Int
    public let reason: DenialReason

    public init(action: Action, rule: String, category: PermissionCategory, priority: Int, reason: DenialReason) {
        self.action = action
        self.rule = rule
        self.category = category
        self.priority = priority
        self.reason = reason
    }
}

/// One line of an explanation.
public struct PermissionTraceEntry: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        case passed
        case denied(DenialReason)
        case disabled
    }

    public let rule: String
    public let category: PermissionCategory
    public let priority: Int
    public let description: LocalizedText
    public let verdict: Verdict
}
