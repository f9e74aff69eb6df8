@testable import AuctionDomain

/// The examples of the product's rules, by rule id: for every rule at least one denied and one allowed action.
///
/// Each file has those of one file of `Sources/AuctionDomain/Rules`; a test checks that every rule has examples and every example a rule.
enum RuleExamples {
    static let all: [String: [RuleExample]] = [
        item, adjusting, lots, changedLots, bid, optionalBid, running, pausing, retracting, archiving, members, rules, messages,
        stage,
    ].reduce(into: [:]) { $0.merge($1) { first, second in first + second } }
}
