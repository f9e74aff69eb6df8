/// Decides whether an action is allowed by evaluating prioritised rules, and explains the decision.
///
/// Evaluation has no side effects: rules are pure functions of their context.
public struct PermissionCenter<Action: PermissionAction, Context>: Sendable {
    /// All rules, by action in the order they were given, within an action by priority.
    public let rules: [PermissionRule<Action, Context>]
    // Public and inlinable, with what they use, because Swift 6.3 specializes generic code of another module only then, not if it is
    // `package`: unspecialized, all rules of a caller cost three times as much.
    // By the number of the action, which costs a fraction of a look-up by hash: a response with all allowed actions looks up dozens.
    @usableFromInline let rulesOfAction: [[PermissionRule<Action, Context>]]
    private let placeOfRule: [String: Int]
    /// Rules to evaluate under the default configuration, in order: a fast path for the common case, without look-ups in the
    /// configuration and with only the fields that it needs.
    @usableFromInline let defaultQuestions: [[Question]]
    /// Those of them whose conditions are the rules' own.
    @usableFromInline let ownQuestions: [[Question]]

    @usableFromInline
    struct Question: Sendable {
        /// Index of the rule in `rules`.
        @usableFromInline let place: Int
        @usableFromInline let denies: @Sendable (Context) -> Bool
    }

    /// - Throws: `DuplicateRule` if two rules have one id.
    public init(rules: [PermissionRule<Action, Context>]) throws(DuplicateRule) {
        var actions: [Action] = []
        for rule in rules where !actions.contains(rule.action) { actions.append(rule.action) }
        var sorted: [PermissionRule<Action, Context>] = []
        let count = actions.reduce(0) { max($0, Int($1.number) + 1) }
        var rulesOfAction = [[PermissionRule<Action, Context>]](repeating: [], count: count)
        for action in actions {
            let own = Self.byPriority(rules.filter { $0.action == action }) { $0.priority }
            rulesOfAction[Int(action.number)] = own
            sorted += own
        }
        var placeOfRule: [String: Int] = [:]
        for (place, rule) in sorted.enumerated() where placeOfRule.updateValue(place, forKey: rule.id) != nil {
            throw DuplicateRule(id: rule.id)
        }
        self.rules = sorted
        self.rulesOfAction = rulesOfAction
        self.placeOfRule = placeOfRule
        var questions = [[Question]](repeating: [], count: count)
        for (place, rule) in sorted.enumerated() where RuleConfiguration.default.isEnabled(rule) {
            questions[Int(rule.action.number)].append(Question(place: place, denies: rule.denies))
        }
        defaultQuestions = questions
        ownQuestions = questions.map { $0.filter { sorted[$0.place].shared == nil || !sorted[$0.place].isPermanent } }
    }

    /// The rule with an id; nil if there is none.
    public subscript(id: String) -> PermissionRule<Action, Context>? { placeOfRule[id].map { rules[$0] } }

    /// All rules under a configuration: by action, within an action in the order of evaluation.
    public func rules(configuration: RuleConfiguration) -> [PermissionRule<Action, Context>] {
        guard !configuration.priorities.isEmpty else { return rules }
        var actions: [Action] = []
        for rule in rules where actions.last != rule.action { actions.append(rule.action) }
        return actions.flatMap { ordered($0, configuration) }
    }

    /// Whether no rule denies the action.
    @inlinable
    public func isAllowed(_ action: Action, in context: Context, configuration: RuleConfiguration) -> Bool {
        guard configuration.isDefault else {
            return !rules(of: action).contains { configuration.isEnabled($0) && $0.denies(context) }
        }
        let number = Int(action.number)
        return number >= defaultQuestions.count || Self.firstToDeny(defaultQuestions[number], context) == nil
    }

    /// Whether no rule denies the action, where no condition denies it that permanent rules share.
    @inlinable
    public func isAllowedByOwnRules(_ action: Action, in context: Context, configuration: RuleConfiguration) -> Bool {
        guard configuration.isDefault else { return isAllowed(action, in: context, configuration: configuration) }
        let number = Int(action.number)
        return number >= ownQuestions.count || Self.firstToDeny(ownQuestions[number], context) == nil
    }

    /// Index of the first question that denies; nil if none does. The questions are read in place: a copy of one would count the references
    /// of its closure.
    @inlinable @inline(__always)
    static func firstToDeny(_ questions: [Question], _ context: Context) -> Int? {
        let questions = questions.span
        for index in questions.indices where questions[index].denies(context) { return index }
        return nil
    }

    /// The denial of the first rule that denies the action; nil if the action is allowed.
    @inlinable
    public func denial(
        of action: Action, in context: Context, configuration: RuleConfiguration = .default
    ) -> PermissionDenial<Action>? {
        guard configuration.isDefault else { return configuredDenial(of: action, in: context, configuration) }
        let number = Int(action.number)
        guard number < defaultQuestions.count, let index = Self.firstToDeny(defaultQuestions[number], context) else {
            return nil
        }
        let rule = rules[defaultQuestions[number][index].place]
        return PermissionDenial(
            action: action, rule: rule.id, category: rule.category, priority: rule.priority, reason: rule.reason(context))
    }

    /// One pass that keeps the denial of highest priority instead of sorting first: rules are pure, so evaluating more of them
    /// than needed is harmless, and an allowed action, the common case, evaluates all of them anyway.
    @inlinable
    func configuredDenial(
        of action: Action, in context: Context, _ configuration: RuleConfiguration
    ) -> PermissionDenial<Action>? {
        var first: PermissionDenial<Action>?
        for rule in rules(of: action) where configuration.isEnabled(rule) {
            let priority = configuration.priority(of: rule)
            // Rules of equal priority keep their order.
            if let first, first.priority >= priority { continue }
            guard let reason = rule.denial(context) else { continue }
            first = PermissionDenial(
                action: action, rule: rule.id, category: rule.category, priority: priority, reason: reason)
        }
        return first
    }

    /// Every rule of the action in the order of evaluation, each with its verdict; the first denial decides.
    public func explain(
        _ action: Action, in context: Context, configuration: RuleConfiguration = .default
    ) -> [PermissionTraceEntry] {
        ordered(action, configuration).map { rule in
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

    @usableFromInline
    func rules(of action: Action) -> [PermissionRule<Action, Context>] {
        Int(action.number) < rulesOfAction.count ? rulesOfAction[Int(action.number)] : []
    }

    private func ordered(_ action: Action, _ configuration: RuleConfiguration) -> [PermissionRule<Action, Context>] {
        Self.byPriority(rules(of: action)) { configuration.priority(of: $0) }
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

/// Two rules of one permission center have the same id.
public struct DuplicateRule: Error, Hashable, Sendable, CustomStringConvertible {
    /// The id that occurs more than once.
    public let id: String
    public var description: String { "two permission rules have the id \(id)" }
}
