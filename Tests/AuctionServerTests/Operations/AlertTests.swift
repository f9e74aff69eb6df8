@testable import AuctionServer
import Foundation
import Testing
import Yams

/// The alerts that the repository offers ask for what the server has.
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

    /// The names and labels of a scrape, by line without its value.
    private func series() throws -> Set<String> {
        let scene = try Scene()
        try scene.openBidding()
        let text = try scene.house.call("GET", "/metrics").bodyText
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != " " }) })
    }

    @Test func `every alert asks for figures and labels that the server has`() throws {
        let series = try series()
        let rules = try rules()
        #expect(rules.count >= 8)
        for rule in rules {
            let asked = rule.expression.matches(of: /(auction_[a-z_]+)(?:\{([a-z]+="[^"]*")\})?/)
            #expect(!asked.isEmpty || rule.expression.contains("up{"), "\(rule.name) asks for nothing of the server")
            for match in asked {
                let (name, label) = (String(match.output.1), match.output.2.map(String.init))
                let isThere = series.contains { line in
                    line.prefix { $0 != "{" } == name && (label.map { line.contains($0) } ?? true)
                }
                // Classes of answers that nobody got yet are left out.
                let isClass = name == "auction_http_requests_total" && Self.classes.contains(label ?? "")
                #expect(isThere || isClass, "\(rule.name): \(match.output.0)")
            }
        }
    }

    @Test func `every alert says what it means and what to do`() throws {
        for rule in try rules() {
            #expect(rule.annotations["summary"]?.isEmpty == false, "\(rule.name)")
            #expect(rule.annotations["action"]?.isEmpty == false, "\(rule.name)")
        }
        #expect(Set(try rules().map(\.name)).count == (try rules().count))
    }
}
