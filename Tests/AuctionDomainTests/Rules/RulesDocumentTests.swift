import AuctionDomain
import Foundation
import Permissions
import Testing

struct RulesDocumentTests {
    @Test func `the page about the rules matches the rules`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "openapi/permission-rules.md"), encoding: .utf8)
        #expect(
            page == RulesDocument.markdown(of: try .product()),
            "write it anew: swift run auction-room rules > openapi/permission-rules.md")
    }

    @Test func `every action and every rule is on the page`() throws {
        let rulebook = try RoomRulebook.product()
        let page = RulesDocument.markdown(of: rulebook)
        for action in RoomAction.allCases { #expect(page.contains("\n## \(action.rawValue)\n")) }
        for rule in rulebook.permissions.rules { #expect(page.contains("| `\(rule.id)` |")) }
    }
}
