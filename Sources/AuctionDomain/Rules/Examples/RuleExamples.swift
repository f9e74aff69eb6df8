import Permissions

typealias RoomRuleExample = RuleExample<RuleContext>

/// The examples of the product's rules, by rule id: for every rule one that it refuses and one that is allowed at least.
///
/// They stand apart from the rules because a rule is read far more often than its examples; a test sees to it that
/// neither is without the other.
enum RuleExamples {
    static let all: [String: [RoomRuleExample]] = [
        item, adjusting, bid, optionalBid, running, pausing, retracting, archiving, members, rules, messages, stage,
    ].reduce(into: [:]) { $0.merge($1) { first, second in first + second } }
}
