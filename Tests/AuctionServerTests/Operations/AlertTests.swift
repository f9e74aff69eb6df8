@testable import AuctionServer
import Foundation
import Testing
import Yams

/// The repository's alert rules use only metrics that the server exports.
struct AlertTests {
    private static let classes = LoopMetrics.classes.map { "status=\"\($0)\"" }

    private struct Rule {
        let name: String
        let expression: String
        let annotations: [String: String]
    }

    private func rules() throws -> [Rule] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docker/alerts.yaml")
        let node = try #require(try compose(yaml: String(contentsOf: file, encoding: .utf8)))
        let groups = try #require(node["groups"]?.sequence)
        return try groups.flatMap { group in try #require(group["rules"]?.sequence) }.map { rule in
            let annotations = try #require(rule["annotations"]?.mapping).map { ($0.key.string ?? "", $0.value.string ?? "") }
            return Rule(
                name: try #require(rule["alert"]?.string), expression: try #require(rule["expr"]?.string),
                annotations: Dictionary(uniqueKeysWithValues: annotations))
        }
    }

    /// The metric names and labels of a scrape, one per line, without values.
    private func series() throws -> Set<String> {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let text = try fixture.server.call("GET", "/metrics").bodyText
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != " " }) })
    }

    @Test func `every alert uses metrics and labels that the server exports`() throws {
        let series = try series()
        let rules = try rules()
        #expect(rules.count >= 8)
        for rule in rules {
            let asked = rule.expression.matches(of: /(auction_[a-z_]+)(?:\{([a-z]+="[^"]*")\})?/)
            #expect(!asked.isEmpty || rule.expression.contains("up{"), "\(rule.name) uses no metric of the server")
            for match in asked {
                let (name, label) = (String(match.output.1), match.output.2.map(String.init))
                let isThere = series.contains { line in
                    line.prefix { $0 != "{" } == name && (label.map { line.contains($0) } ?? true)
                }
                // Status classes without a response yet are not exported.
                let isClass = name == "auction_http_requests_total" && Self.classes.contains(label ?? "")
                #expect(isThere || isClass, "\(rule.name): \(match.output.0)")
            }
        }
    }

    @Test func `every alert has a summary and an action`() throws {
        for rule in try rules() {
            #expect(rule.annotations["summary"]?.isEmpty == false, "\(rule.name)")
            #expect(rule.annotations["action"]?.isEmpty == false, "\(rule.name)")
        }
        #expect(Set(try rules().map(\.name)).count == (try rules().count))
    }
}
