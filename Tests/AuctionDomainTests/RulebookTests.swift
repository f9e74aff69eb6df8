import AuctionDomain
import AuctionService
import AuctionTestKit
import Permissions
import StateMachines
import Testing

struct RulebookTests {
    @Test func `the product's transitions are those of the specification`() throws {
        let table = try RoomStates(RoomStates.product).table
        let written = table.transitions.map { "\($0.from) → \($0.to): \($0.trigger), \($0.cause)" }
        #expect(
            written == [
                "preparing → listing: start, host",
                "listing → auctioning: countdown, the clock",
                "listing → auctioning: start, host",
                "auctioning → closed: end, host",
                "auctioning → closed: countdown, the clock",
                "closed → preparing: start, host",
            ])
        #expect(table.findings.isEmpty)
    }

    @Test func `a state that leads nowhere cannot be registered`() {
        #expect(throws: UnsoundStates.self) { try RoomStates(RoomStates.product + [LimboState()]) }
    }

    @Test func `rule ids are unique, described in both languages, and keep their priorities apart`() throws {
        let rules = try RoomRulebook.product().permissions.rules
        for rule in rules {
            #expect(!rule.description.english.isEmpty)
            #expect(rule.description.chinese.unicodeScalars.contains { $0.value > 0x4E00 })
        }
        for action in RoomAction.allCases {
            let priorities = rules.filter { $0.action == action }.map(\.priority)
            #expect(priorities == priorities.sorted(by: >), "\(action)")
            #expect(Set(priorities).count == priorities.count, "\(action)")
        }
    }

    @Test func `bids are judged in the order of the specification`() throws {
        let ids = try RoomRulebook.product().permissions.rules.filter { $0.action == .placeBid }.map(\.id)
        #expect(
            ids == [
                "bid.not_auctioning", "bid.wrong_round", "bid.not_member", "bid.banned", "bid.viewer", "bid.host",
                "bid.own_item", "bid.already_leading", "bid.below_minimum", "bid.over_credit",
            ])
    }

    @Test func `only the viewer's and the host's rule can be switched off`() throws {
        let optional = try RoomRulebook.product().permissions.rules.filter { !$0.isPermanent }.map(\.id)
        #expect(optional == ["bid.viewer", "bid.host"])
    }

    @Test func `what people may do follows their role and the state`() throws {
        var scenario = try Scenario.withItem()
        let rulebook = scenario.manager.rulebook
        func allowed(_ person: Person) -> [RoomAction] {
            rulebook.allowedActions(of: person.id, in: scenario.room, at: scenario.instant)
        }
        #expect(allowed(scenario.host) == [.startAuction, .setRole, .archiveRoom])
        #expect(allowed(scenario.auctioneer) == [.uploadItem])
        #expect(allowed(scenario.bidder) == [])
        try scenario.perform(.startAuction(Advance()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        #expect(allowed(scenario.host) == [.endAuction, .setRole])
        #expect(allowed(scenario.bidder) == [.placeBid])
        #expect(allowed(scenario.viewer) == [])
        #expect(allowed(scenario.stranger) == [])
    }
}

/// A state that nobody reaches and nobody leaves.
private struct LimboState: RoomStateObject {
    let name = RoomState(rawValue: "limbo")
    let description = LocalizedText("Limbo", "虚空")
    let allowedActions: [RoomAction] = []
    let transitions: [Transition<RoomState, TransitionCause>] = []
}
