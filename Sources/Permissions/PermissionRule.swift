/// What a rule is about; decides how a denial is reported.
public struct PermissionCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let identity = PermissionCategory(rawValue: "identity")
    public static let role = PermissionCategory(rawValue: "role")
    public static let state = PermissionCategory(rawValue: "state")
    public static let amount = PermissionCategory(rawValue: "amount")
    public static let limit = PermissionCategory(rawValue: "limit")
}

/// Why a rule says no, for people and for programs.
public struct DenialReason: Hashable, Sendable {
    public let text: LocalizedText
    /// What would have been right; nil if nothing the caller can do makes it right.
    public let required: String?
    /// What was found.
    public let actual: String?

    public init(_ text: LocalizedText, required: String? = nil, actual: String? = nil) {
        self.text = text
        self.required = required
        self.actual = actual
    }
}

/// One reason to refuse one action. Rules never grant: what no rule denies is allowed.
public struct PermissionRule<Action: Hashable & Sendable, Context>: Sendable {
    /// Unique in its permission centre; the code that a denial carries.
    public let id: String
    public let action: Action
    /// Higher is asked first; the first denial decides.
    public let priority: Int
    public let category: PermissionCategory
    /// Permanent rules cannot be switched off.
    public let isPermanent: Bool
    /// Optional rules are listed but off until somebody switches them on.
    public let isEnabledByDefault: Bool
    public let description: LocalizedText
    /// Situations that show it, at least one refused and one allowed; run as tests.
    public let examples: [RuleExample<Context>]
    /// Nil: nothing to object.
    public let denial: @Sendable (Context) -> DenialReason?

    public init(
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

    /// The same rule with other examples, for examples that are kept apart from their rules.
    public func with(examples: [RuleExample<Context>]) -> PermissionRule {
        PermissionRule(
            id: id, action: action, priority: priority, category: category, isPermanent: isPermanent,
            isEnabledByDefault: isEnabledByDefault, description: description, examples: examples, denial: denial)
    }
}
