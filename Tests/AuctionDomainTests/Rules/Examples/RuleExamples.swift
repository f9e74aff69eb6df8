import AuctionTestKit
import Permissions

@testable import AuctionDomain

/// The examples of the product's rules: for every rule at least one denied and one allowed action.
///
/// Each file has those of one file of `Sources/AuctionDomain/Rules`. Rules without any there have examples from the permission table.
enum RuleExamples {
    /// By rule id.
    static func all() throws -> [String: [RuleExample]] {
        var all = written
        for rule in RoomRulebook.rules where all[rule.id] == nil { all[rule.id] = try specified(for: rule) }
        return all
    }

    private static let written: [String: [RuleExample]] = [
        item, adjusting, lots, changedLots, bid, optionalBid, running, pausing, retracting, archiving, members, rules, messages,
        stage, hand, floor, absentee, offers,
    ].reduce(into: [:]) { $0.merge($1) { first, second in first + second } }

    /// The first cell that the rule refuses, in any format, and the first of its action that is allowed, if possible to the same caller.
    private static func specified(for rule: RoomPermissionRule) throws -> [RuleExample] {
        let general = try PermissionTable.specified().cells.filter { $0.action == rule.action && $0.rule == nil }
        for format in PermissionTable.formats {
            let cells = try PermissionTable.specified(for: format).cells
            guard let refused = cells.first(where: { $0.rule == rule.id }) else { continue }
            let allowed = general.first { $0.callerKind == refused.callerKind } ?? general.first
            return [example(of: refused, in: format)] + [allowed].compactMap { $0.map { example(of: $0, in: .english) } }
        }
        return []
    }

    private static func example(of cell: PermissionTable.Cell, in format: AuctionFormatName) -> RuleExample {
        let sentence = "\(cell.callerKind.words) asks for `\(cell.action)` \(cell.situation.words)\(format.words)."
        return RuleExample(sentence: sentence, isDenied: cell.rule != nil) {
            let fixture = try PermissionFixture(cell.situation, format: format)
            return RuleContext(
                room: fixture.scenario.room, rulebook: fixture.scenario.manager.rulebook,
                caller: fixture.person(cell.callerKind).id, at: fixture.scenario.instant)
        }
    }
}

extension PermissionTable.CallerKind {
    fileprivate var words: String {
        switch self {
        case .host: "The host"
        case .owner: "The owner of the item"
        case .auctioneer: "Another auctioneer"
        case .bidder: "A bidder"
        case .leader: "The leading bidder"
        case .viewer: "A viewer"
        case .muted: "A muted bidder"
        case .banned: "A banned bidder"
        case .stranger: "A user who is not a member"
        }
    }
}

extension PermissionTable.Situation {
    fileprivate var words: String {
        switch self {
        case .empty: "before there is an item"
        case .item: "before the round"
        case .listing: "while the item is listed"
        case .open: "while the auction runs"
        case .bids: "after a bid"
        case .paused: "while the round is paused"
        case .closed: "after the round"
        }
    }
}

extension AuctionFormatName {
    fileprivate var words: String {
        switch self {
        case .english: ""
        case .dutch: " in a Dutch auction"
        default: " in a sealed auction"
        }
    }
}
