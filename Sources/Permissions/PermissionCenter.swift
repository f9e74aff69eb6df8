/// Answers "may they?" from prioritised rules, and can say why.
///
/// Asking changes nothing: rules are pure functions of their context.
public struct PermissionCenter<Action: Hashable & Sendable, Context>: Sendable {
    /// All rules, by action in the order they were given, within an action by priority.
    public let rules: [PermissionRule<Action, Context>]
    private let rulesOfAction: [Action: [PermissionRule<Action, Context>]]
    /// What a place that configured nothing asks, so that the common case sorts and filters nothing.
    private let defaultRulesOfAction: [Action: [PermissionRule<Action, Context>]]

    /// - Throws: `DuplicateRule` if two rules have one id.
    public init(rules: [PermissionRule<Action, Context>]) throws(DuplicateRule) {
        var seen: Set<String> = []
        for rule in rules {
            guard seen.insert(rule.id).inserted else { throw DuplicateRule(id: rule.id) }
        }
        var actions: [Action] = []
        for rule in rules where !actions.contains(rule.action) { actions.append(rule.action) }
        var sorted: [PermissionRule<Action, Context>] = []
        var rulesOfAction: [Action: [PermissionRule<Action, Context>]] = [:]
        for action in actions {
            let own = Self.byPriority(rules.filter { $0.action == action }) { $0.priority }
            rulesOfAction[action] = own
            sorted += own
        }
        self.rules = sorted
        self.rulesOfAction = rulesOfAction
        defaultRulesOfAction = rulesOfAction.mapValues { $0.filter { $0.isPermanent || $0.isEnabledByDefault } }
    }

    /// The denial of the first rule that objects, or nil: allowed.
    public func denial(
        of action: Action, in context: Context, configuration: RuleConfiguration = .default
    ) -> PermissionDenial<Action>? {
        for rule in applicableRules(of: action, configuration: configuration) {
            if let reason = rule.denial(context) {
                return PermissionDenial(
                    action: action, rule: rule.id, category: rule.category, priority: rule.priority, reason: reason)
            }
        }
        return nil
    }

    /// Every rule of the action in the order it was asked, each with its verdict; the first denial decides.
    public func explain(
        _ action: Action, in context: Context, configuration: RuleConfiguration = .default
    ) -> [PermissionTraceEntry] {
        rulesInOrder(of: action, configuration: configuration).map { rule in
            let verdict: PermissionTraceEntry.Verdict =
                if !configuration.isEnabled(rule) {
                    .disabled
                } else if let reason = rule.denial(context) {
                    .denied(reason)
                } else {
                    .passed
                }
            return PermissionTraceEntry(
                rule: rule.id, category: rule.category, priority: configuration.priority(of: rule),
                description: rule.description, verdict: verdict)
        }
    }

    private func applicableRules(
        of action: Action, configuration: RuleConfiguration
    ) -> [PermissionRule<Action, Context>] {
        if configuration.isDefault { return defaultRulesOfAction[action] ?? [] }
        return rulesInOrder(of: action, configuration: configuration).filter { configuration.isEnabled($0) }
    }

    private func rulesInOrder(
        of action: Action, configuration: RuleConfiguration
    ) -> [PermissionRule<Action, Context>] {
        let own = rulesOfAction[action] ?? []
        return configuration.isDefault ? own : Self.byPriority(own) { configuration.priority(of: $0) }
    }

    /// Highest first; rules of equal priority keep their order.
    private static func byPriority(
        _ rules: [PermissionRule<Action, Context>], _ priority: (PermissionRule<Action, Context>) -> Int
    ) -> [PermissionRule<Action, Context>] {
        rules.enumerated()
            .sorted { (priority($0.element), -$0.offset) > (priority($1.element), -$1.offset) }
            .map(\.element)
    }
}

/// Two rules of one permission centre have the same id.
public struct DuplicateRule: Error, Hashable, Sendable, CustomStringConvertible {
    public let id: String
    public var description: String { "two permission rules have the id \(id)" }
}

/// A refused action: which rule refused it, and why.
public struct PermissionDenial<Action: Hashable & Sendable>: Error, Hashable, Sendable {
    public let action: Action
    public let rule: String
    public let category: PermissionCategory
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

    func isEnabled<Action, Context>(_ rule: PermissionRule<Action, Context>) -> Bool {
        rule.isPermanent || (enabled[rule.id] ?? rule.isEnabledByDefault)
    }

    func priority<Action, Context>(of rule: PermissionRule<Action, Context>) -> Int {
        priorities[rule.id] ?? rule.priority
    }
}
