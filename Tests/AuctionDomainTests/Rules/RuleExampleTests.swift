import Permissions
import Testing

@testable import AuctionDomain

struct RuleExampleTests {
    @Test func `every example holds: a denied one is refused by exactly its rule, an allowed one by none`() throws {
        let failures = try RoomRulebook.product().permissions.failedExamples { $0.room.configuration }
        #expect(failures == [])
    }

    @Test func `every rule shows what it refuses and what it lets through`() throws {
        for rule in try RoomRulebook.product().permissions.rules {
            #expect(rule.examples.contains { $0.isDenied }, "\(rule.id)")
            #expect(rule.examples.contains { !$0.isDenied }, "\(rule.id)")
        }
    }

    @Test func `no example is left of a rule that is gone`() throws {
        let ids = try Set(RoomRulebook.product().permissions.rules.map(\.id))
        #expect(Set(RuleExamples.all.keys) == ids)
    }

    @Test func `no two examples say the same of one rule, and each is a sentence`() throws {
        for rule in try RoomRulebook.product().permissions.rules {
            let sentences = rule.examples.map(\.sentence)
            #expect(Set(sentences).count == sentences.count, "\(rule.id)")
            #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true }, "\(rule.id)")
        }
    }

    @Test func `a denial of an example says what was required and found wherever there is something to say`() throws {
        // Nothing would make these right: the caller is who they are, or somebody else has decided.
        let final: Set = ["bid.own_item", "bid.already_leading", "message.muted", "item.taken"]
        for rule in try RoomRulebook.product().permissions.rules where rule.category != .identity && !final.contains(rule.id) {
            for example in rule.examples where example.isDenied {
                let reason = try #require(rule.denial(try example.context()))
                #expect(reason.required != nil || reason.actual != nil || rule.id == "retract.not_latest", "\(rule.id)")
            }
        }
    }
}
