/// Overrides of the rules in one scope (a room): rules enabled, disabled or given another priority.
public struct RuleConfiguration: Hashable, Sendable, Codable {
    /// Enabled (true) or disabled (false) rules, by rule id; other rules keep their default.
    public var enabled: [String: Bool]
    /// Priorities by rule id; other rules keep their own.
    public var priorities: [String: Int]

    public init(enabled: [String: Bool] = [:], priorities: [String: Int] = [:]) {
        self.enabled = enabled
        self.priorities = priorities
    }

    /// No overrides.
    public static let `default` = RuleConfiguration()

    /// Whether there are no overrides.
    public var isDefault: Bool { enabled.isEmpty && priorities.isEmpty }

    /// Whether the rule is evaluated under this configuration; a permanent rule always is.
    public func isEnabled<Action, Context>(_ rule: PermissionRule<Action, Context>) -> Bool {
        rule.isPermanent || (enabled[rule.id] ?? rule.isEnabledByDefault)
    }

    /// The rule's priority under this configuration; higher is evaluated first.
    public func priority<Action, Context>(of rule: PermissionRule<Action, Context>) -> Int {
        priorities[rule.id] ?? rule.priority
    }
}
