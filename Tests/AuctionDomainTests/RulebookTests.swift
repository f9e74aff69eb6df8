import AuctionDomain
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
                "preparing → listing: sale, the clock",
                "listing → auctioning: countdown, the clock",
                "listing → auctioning: start, host",
                "listing → preparing: cancel, host",
                "auctioning → closed: end, host",
                "auctioning → closed: countdown, the clock",
                "auctioning → closed: bid, the bidder",
                "auctioning → preparing: cancel, host",
                "paused → listing: resume, host",
                "paused → auctioning: resume, host",
                "paused → preparing: cancel, host",
                "paused → closed: hostGone, the clock",
                "listing → paused: pause, host",
                "auctioning → paused: pause, host",
                "listing → paused: hostGone, the clock",
                "auctioning → paused: hostGone, the clock",
                "closed → preparing: start, host",
                "closed → preparing: sale, the clock",
            ])
        #expect(table.findings.isEmpty)
    }

    @Test func `a state without transitions cannot be registered`() {
        #expect(throws: UnsoundStates.self) { try RoomStates(RoomStates.product + [LimboState()]) }
    }

    @Test func `rules are described in both languages and have distinct priorities within an action`() throws {
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

    @Test func `bid rules are evaluated in the order of the specification`() throws {
        let rules = try RoomRulebook.product().permissions.rules.filter { $0.action == .placeBid && $0.isEnabledByDefault }
        #expect(
            rules.map(\.id) == [
                "bid.not_auctioning", "bid.wrong_round", "bid.wrong_item", "bid.not_member", "bid.banned", "bid.viewer",
                "bid.host", "bid.own_item", "bid.already_leading", "bid.below_minimum", "bid.names_no_price", "bid.over_credit",
            ])
    }

    @Test func `only the viewer's, the host's and the optional rules can be disabled`() throws {
        let rules = try RoomRulebook.product().permissions.rules.filter { !$0.isPermanent }
        #expect(
            rules.map(\.id) == [
                "bid.viewer", "bid.host", "bid.invited_only", "bid.new_member", "bid.not_approved", "bid.floor_off",
            ])
        #expect(rules.filter(\.isEnabledByDefault).map(\.id) == ["bid.viewer", "bid.host", "bid.floor_off"])
    }
}

/// A state without incoming or outgoing transitions.
private struct LimboState: RoomStateObject {
    let name = RoomState(rawValue: "limbo")
    let description = LocalizedText("Limbo", "虚空")
    let allowedActions: [RoomAction] = []
    let transitions: [Transition<RoomState, TransitionCause>] = []
}
