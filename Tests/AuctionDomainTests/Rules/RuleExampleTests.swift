import Permissions
import Testing

@testable import AuctionDomain

struct RuleExampleTests {
    private let rules: [RoomPermissionRule]
    private let all: [String: [RuleExample]]

    init() throws {
        rules = try RoomRulebook.product().permissions.rules
        all = try RuleExamples.all()
    }

    private func examples(of rule: RoomPermissionRule) -> [RuleExample] { all[rule.id] ?? [] }

    @Test func `every denied example is refused by its own rule and every allowed one by none`() throws {
        for rule in rules {
            for example in examples(of: rule) {
                #expect(try example.wrongVerdict(for: rule) == nil, "\(rule.id): \(example.sentence)")
            }
        }
    }

    @Test func `a wrong example is found`() throws {
        let rule = try #require(rules.first { $0.id == "bid.viewer" })
        let bids: @Sendable (RuleSituation.Who) throws -> RuleContext = {
            try RuleSituation(.auctioning).asks($0, .bid(100))
        }
        #expect(try RuleExample.denied("A bidder bids.") { try bids(.bidder) }.wrongVerdict(for: rule) == "allowed")
        #expect(
            try RuleExample.allowed("A viewer bids.") { try bids(.viewer) }.wrongVerdict(for: rule) == "refused by bid.viewer")
        #expect(try RuleExample.denied("The host bids.") { try bids(.host) }.wrongVerdict(for: rule) == "refused by bid.host")
    }

    @Test func `every rule has a denied and an allowed example`() {
        for rule in rules {
            #expect(examples(of: rule).contains { $0.isDenied }, "\(rule.id)")
            #expect(examples(of: rule).contains { !$0.isDenied }, "\(rule.id)")
        }
    }

    @Test func `examples exist for exactly the registered rules`() {
        #expect(Set(all.keys) == Set(rules.map(\.id)))
    }

    @Test func `the examples of a rule are distinct sentences`() {
        for rule in rules {
            let sentences = examples(of: rule).map(\.sentence)
            #expect(Set(sentences).count == sentences.count, "\(rule.id)")
            #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true }, "\(rule.id)")
        }
    }

    @Test func `the denial of an example states what was required and what was found`() throws {
        // Nothing would be accepted while another's item is up, and without a bid in the round there is none to name.
        let partial: Set = ["item.taken", "retract.not_latest"]
        for rule in rules where !partial.contains(rule.id) {
            for example in examples(of: rule) where example.isDenied {
                let reason = try #require(rule.denial(try example.context()))
                #expect(reason.required != nil && reason.actual != nil, "\(rule.id)")
            }
        }
    }
}
