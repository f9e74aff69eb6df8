/// What a rule is about; decides how a denial is reported.
public struct PermissionCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The caller as a person, such as a host acting in a round in which they have bid.
    public static let identity = PermissionCategory(rawValue: "identity")
    /// The caller's role, such as host or bidder.
    public static let role = PermissionCategory(rawValue: "role")
    /// The state of the resource, such as a closed room.
    public static let state = PermissionCategory(rawValue: "state")
    /// An amount of money that the rules of the round do not allow.
    public static let amount = PermissionCategory(rawValue: "amount")
    /// A rate limit or a quota that is exhausted.
    public static let limit = PermissionCategory(rawValue: "limit")
}

/// Why a rule denies an action, for users and for programs.
public struct DenialReason: Hashable, Sendable {
    /// Explanation for users, in every language.
    public let text: LocalizedText
    /// The value that would have been accepted; nil if no request of the caller would be.
    public let required: String?
    /// The value that was found; nil if the reason does not compare values.
    public let actual: String?

    public init(_ text: LocalizedText, required: String? = nil, actual: String? = nil) {
        self.text = text
        self.required = required
        self.actual = actual
    }
}

/// What rules allow or deny.
public protocol PermissionAction: Hashable, Sendable {
    /// Each action has its own. Small, since rules are in a table by number.
    var number: UInt8 { get }
}

/// A condition of rules of several actions, by a number that their author gives it.
public struct SharedCondition: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// One reason to refuse one action. Rules never grant: what no rule denies is allowed. A class, as a copy would count its parts.
public final class PermissionRule<Action: PermissionAction, Context>: Sendable {
    /// Unique in its permission center; the code that a denial carries.
    public let id: String
    /// The only action that the rule applies to.
    public let action: Action
    /// Rules of higher priority are evaluated first; the first denial decides.
    public let priority: Int
    /// Decides how a denial is reported.
    public let category: PermissionCategory
    /// Permanent rules cannot be disabled by a configuration.
    public let isPermanent: Bool
    /// Optional rules are listed but disabled until a configuration enables them.
    public let isEnabledByDefault: Bool
    public let description: LocalizedText
    /// The condition, if it is one that rules of several actions share: a caller may evaluate it once for all of them. Nil: its own.
    public let shared: SharedCondition?
    /// Whether the rule denies the action in this context.
    public let denies: @Sendable (Context) -> Bool
    /// Why it does. Separate, because most questions are only whether an action is allowed, and texts cost more than conditions.
    @usableFromInline let reason: @Sendable (Context) -> DenialReason

    /// - Parameter reason: Called only for contexts that `denies` denies.
    public init(
        id: String, action: Action, priority: Int, category: PermissionCategory, isPermanent: Bool,
        isEnabledByDefault: Bool = true, description: LocalizedText, shared: SharedCondition? = nil,
        denies: @escaping @Sendable (Context) -> Bool, because reason: @escaping @Sendable (Context) -> DenialReason
    ) {
        self.id = id
        self.action = action
        self.priority = priority
        self.category = category
        self.isPermanent = isPermanent
        self.isEnabledByDefault = isEnabledByDefault
        self.description = description
        self.shared = shared
        self.denies = denies
        self.reason = reason
    }

    /// Evaluates the rule; nil if it does not deny the action in this context.
    @inlinable
    public func denial(_ context: Context) -> DenialReason? { denies(context) ? reason(context) : nil }
}
