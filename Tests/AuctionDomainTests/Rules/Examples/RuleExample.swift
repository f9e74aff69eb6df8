import Permissions

@testable import AuctionDomain

/// One situation that shows what a rule denies or allows: documentation that is run as a test.
struct RuleExample: Sendable {
    let sentence: String
    /// Whether the rule must deny the action; otherwise the action must be allowed.
    let isDenied: Bool
    /// Creates the situation.
    let context: @Sendable () throws -> RuleContext

    /// A situation in which the rule must deny the action.
    static func denied(_ sentence: String, _ context: @escaping @Sendable () throws -> RuleContext) -> RuleExample {
        RuleExample(sentence: sentence, isDenied: true, context: context)
    }

    /// A situation in which no rule may deny the action.
    static func allowed(_ sentence: String, _ context: @escaping @Sendable () throws -> RuleContext) -> RuleExample {
        RuleExample(sentence: sentence, isDenied: false, context: context)
    }

    /// How it is shown in `openapi/permission-rules.md`.
    var line: String { "  - \(isDenied ? "refused" : "allowed"): \(sentence)\n" }

    /// The verdict if it is a wrong one: a denied example must be denied by its own rule, an allowed one by none.
    func wrongVerdict(for rule: RoomPermissionRule) throws -> String? {
        let context = try context()
        let denial = context.rulebook.denial(of: rule.action, in: context)
        guard denial?.rule != (isDenied ? rule.id : nil) else { return nil }
        return denial.map { "refused by \($0.rule)" } ?? "allowed"
    }
}
