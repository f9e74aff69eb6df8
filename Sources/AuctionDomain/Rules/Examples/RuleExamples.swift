import Permissions

typealias RoomRuleExample = RuleExample<RuleContext>

/// The examples of the product's rules, by rule id: for every rule at least one denied and one allowed action.
///
/// In files of their own, because rules are read far more often than their examples; a test checks that every rule has
/// examples and every example a rule.
enum RuleExamples {
    static let all: [String: [RoomRuleExample]] = [
        item, adjusting, lots, changedLots, bid, optionalBid, running, pausing, retracting, archiving, members, rules, messages,
        stage,
    ].reduce(into: [:]) { $0.merge($1) { first, second in first + second } }
}
