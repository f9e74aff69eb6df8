/// What a rule is about; decides how a denial is reported.
package struct PermissionCategory: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The caller as a person, such as a host acting in a round in which they have bid.
    package static let identity = PermissionCategory(rawValue: "identity")
    /// The caller's role, such as host or bidder.
    package static let role = PermissionCategory(rawValue: "role")
    /// The state of the resource, such as a closed room.
    package static let state = PermissionCategory(rawValue: "state")
    /// An amount of money that the rules of the round do not allow.
    package static let amount = PermissionCategory(rawValue: "amount")
    /// A rate limit or a quota that is exhausted.
    package static let limit = PermissionCategory(rawValue: "limit")
}

/// Why a rule denies an action, for users and for programs.
package struct DenialReason: Hashable, Sendable {
    /// Explanation for users, in every language.
    package let text: LocalizedText
    /// The value that would have been accepted; nil if no request of the caller would be.
    package let required: String?
    /// The value that was found; nil if the reason does not compare values.
    package let actual: String?

    package init(_ text: LocalizedText, required: String? = nil, actual: String? = nil) {
        self.text = text
        self.required = required
        self.actual = actual
    }
}

/// One reason to refuse one action. Rules never grant: what no rule denies is allowed.
package struct PermissionRule<Action: Hashable & Sendable, Context>: Sendable {
    /// Unique in its permission center; the code that a denial carries.
    package let id: String
    /// The only action that the rule applies to.
    package let action: Action
    /// Rules of higher priority are evaluated first; the first denial decides.
    package let priority: Int
    /// Decides how a denial is reported.
    package let category: PermissionCategory
    /// Permanent rules cannot be disabled by a configuration.
    package let isPermanent: Bool
    /// Optional rules are listed but disabled until a configuration enables them.
    package let isEnabledByDefault: Bool
    package let description: LocalizedText
    /// Situations that document the rule, at least one denied and one allowed; run as tests.
    package let examples: [RuleExample<Context>]
    /// Evaluates the rule; nil if it does not deny the action in this context.
    package let denial: @Sendable (Context) -> DenialReason?

    package init(
        id: String, action: Action, priority: Int, category: PermissionCategory, isPermanent: Bool,
        isEnabledByDefault: Bool = true, description: LocalizedText, examples: [RuleExample<Context>] = [],
        denial: @escaping @Sendable (Context) -> DenialReason?
    ) {
        self.id = id
        self.action = action
        self.priority = priority
        self.category = category
        self.isPermanent = isPermanent
        self.isEnabledByDefault = isEnabledByDefault
        self.description = description
        self.examples = examples
        self.denial = denial
    }

    /// A copy of the rule with other examples, for examples declared separately from their rule.
    package func with(examples: [RuleExample<Context>]) -> PermissionRule {
        PermissionRule(
            id: id, action: action, priority: priority, category: category, isPermanent: isPermanent,
            isEnabledByDefault: isEnabledByDefault, description: description, examples: examples, denial: denial)
    }
}
