import Permissions
import Testing

@testable import AuctionDomain

struct RuleExampleTests {
    @Test func `every denied example is refused by its own rule and every allowed one by none`() throws {
        let failures = try RoomRulebook.product().permissions.failedExamples { $0.room.configuration }
        #expect(failures == [])
    }

    @Test func `every rule has a denied and an allowed example`() throws {
        for rule in try RoomRulebook.product().permissions.rules {
            #expect(rule.examples.contains { $0.isDenied }, "\(rule.id)")
            #expect(rule.examples.contains { !$0.isDenied }, "\(rule.id)")
        }
    }

    @Test func `examples exist for exactly the registered rules`() throws {
        let ids = try Set(RoomRulebook.product().permissions.rules.map(\.id))
        #expect(Set(RuleExamples.all.keys) == ids)
    }

    @Test func `the examples of a rule are distinct sentences`() throws {
        for rule in try RoomRulebook.product().permissions.rules {
            let sentences = rule.examples.map(\.sentence)
            #expect(Set(sentences).count == sentences.count, "\(rule.id)")
            #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true }, "\(rule.id)")
        }
    }

    @Test func `the denial of an example states what was required and what was found`() throws {
        // Nothing would be accepted while another's item is up, and without a bid in the round there is none to name.
        let partial: Set = ["item.taken", "retract.not_latest"]
        for rule in try RoomRulebook.product().permissions.rules where !partial.contains(rule.id) {
            for example in rule.examples where example.isDenied {
                let reason = try #require(rule.denial(try example.context()))
                #expect(reason.required != nil && reason.actual != nil, "\(rule.id)")
            }
        }
    }
}
