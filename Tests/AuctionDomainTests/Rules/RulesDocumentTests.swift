import Foundation
import Permissions
import Testing

@testable import AuctionDomain

struct RulesDocumentTests {
    @Test func `the page about the rules matches the rules and their examples`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let (file, expected) = (root.appending(path: "openapi/permission-rules.md"), try Self.page())
        if ProcessInfo.processInfo.environment["AUCTION_WRITE_PAGES"] != nil { try Data(expected.utf8).write(to: file) }
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page == expected, "write it anew: AUCTION_WRITE_PAGES=1 swift test --filter RulesDocumentTests")
    }

    @Test func `every action and every rule is printed`() throws {
        let rulebook = try RoomRulebook.product()
        let printed = RulesDocument.markdown(of: rulebook)
        for action in RoomAction.allCases { #expect(printed.contains("\n## \(action.rawValue)\n")) }
        for rule in rulebook.permissions.rules { #expect(printed.contains("| `\(rule.id)` |")) }
    }

    /// What `auction-room rules` prints, with the examples of an action's rules after its table.
    private static func page() throws -> String {
        let rulebook = try RoomRulebook.product()
        let examples = try RuleExamples.all()
        let sections = RulesDocument.markdown(of: rulebook).components(separatedBy: "\n## ")
        return sections.map { section in
            let rules = rulebook.permissions.rules.filter { section.hasPrefix($0.action.rawValue + "\n") }
            if rules.isEmpty { return section }
            return section + "\n"
                + rules.map { "- `\($0.id)`\n" + (examples[$0.id] ?? []).map(\.line).joined() }.joined()
        }.joined(separator: "\n## ")
    }
}
