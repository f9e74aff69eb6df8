/// What one place (a room) changed about the rules: switched on or off, or moved.
public struct RuleConfiguration: Hashable, Sendable, Codable {
    public var enabled: [String: Bool]
    public var priorities: [String: Int]

    public init(enabled: [String: Bool] = [:], priorities: [String: Int] = [:]) {
        self.enabled = enabled
        self.priorities = priorities
    }

    public static let `default` = RuleConfiguration()

    public var isDefault: Bool { enabled.isEmpty && priorities.isEmpty }

    /// Whether the rule counts here. A permanent one always does, whatever the configuration says.
    public func isEnabled<Action, Context>(_ rule: PermissionRule<Action, Context>) -> Bool {
        rule.isPermanent || (enabled[rule.id] ?? rule.isEnabledByDefault)
    }

    /// The rule's place among those of its action here; higher is asked first.
    public func priority<Action, Context>(of rule: PermissionRule<Action, Context>) -> Int {
        priorities[rule.id] ?? rule.priority
    }
}
