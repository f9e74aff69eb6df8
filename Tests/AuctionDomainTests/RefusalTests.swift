import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct BidRefusalTests {
    private let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))

    private func denial(_ scenario: Scenario, _ command: Command, by person: Person) throws -> PermissionDenial<RoomAction> {
        let refusal = try #require(scenario.refusal(of: command, by: person))
        guard case .denied(let denial) = refusal.kind else { throw refusal }
        return denial
    }

    @Test func `bids are accepted only while the room is auctioning`() throws {
        var scenario = try Scenario.withItem()
        #expect(try denial(scenario, bid, by: scenario.bidder).rule == "bid.not_auctioning")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        let listing = try denial(scenario, bid, by: scenario.bidder)
        #expect(listing.reason.required == "auctioning")
        #expect(listing.reason.actual == "listing")
        #expect(listing.category == .state)
        scenario.wait(milliseconds: 3000)
        #expect(scenario.refusal(of: bid, by: scenario.bidder) == nil)
        scenario.wait(milliseconds: 15000)
        #expect(try denial(scenario, bid, by: scenario.bidder).reason.actual == "closed")
    }

    @Test func `a refused bidder is given the rule for their role`() throws {
        let scenario = try Scenario.auctioning()
        #expect(try denial(scenario, bid, by: scenario.stranger).rule == "bid.not_member")
        #expect(try denial(scenario, bid, by: scenario.viewer).rule == "bid.viewer")
        #expect(try denial(scenario, bid, by: scenario.host).rule == "bid.host")
        let own = try denial(scenario, bid, by: scenario.auctioneer)
        #expect(own.rule == "bid.own_item")
        #expect(own.reason.required == "another seller's item")
        #expect(own.reason.actual == "own item")
    }

    @Test func `the leader cannot outbid themself`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        let higher = Command.placeBid(PlaceBid(amount: Money(minorUnits: 20000)))
        let leading = try denial(scenario, higher, by: scenario.bidder)
        #expect(leading.rule == "bid.already_leading")
        #expect(leading.reason.required == "not leading")
        #expect(leading.reason.actual == "leading")
    }

    @Test func `a bid below the next minimum is refused with the minimum`() throws {
        var scenario = try Scenario.auctioning()
        let first = try denial(scenario, .placeBid(PlaceBid(amount: Money(minorUnits: 9999))), by: scenario.bidder)
        #expect(first.rule == "bid.below_minimum")
        #expect(first.category == .amount)
        #expect(first.reason.required == "100.00")
        #expect(first.reason.actual == "99.99")
        try scenario.bid(10000, by: scenario.bidder)
        let second = try denial(scenario, .placeBid(PlaceBid(amount: Money(minorUnits: 10999))), by: scenario.rival)
        #expect(second.reason.required == "110.00")
    }

    @Test func `a bid for another round is refused`() throws {
        let scenario = try Scenario.auctioning()
        let stale = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000), round: 2))
        let denial = try denial(scenario, stale, by: scenario.bidder)
        #expect(denial.rule == "bid.wrong_round")
        #expect(denial.reason.required == "1")
        #expect(denial.reason.actual == "2")
    }

    @Test func `explaining permissions does not change the room`() throws {
        let scenario = try Scenario.withItem()
        let context = RuleContext(
            room: scenario.room, rulebook: scenario.manager.rulebook, caller: scenario.host.id, at: scenario.instant)
        let before = scenario.room
        for action in RoomAction.allCases { _ = scenario.manager.rulebook.permissions.explain(action, in: context) }
        #expect(scenario.room == before)
        #expect(scenario.room.state == .preparing)
    }
}

struct RoomRefusalTests {
    private func code(_ scenario: Scenario, _ command: Command, by person: Person) -> String? {
        scenario.refusal(of: command, by: person)?.code
    }

    @Test func `only an auctioneer uploads an item, and only while preparing`() throws {
        var scenario = try Scenario.withMembers()
        let upload = Command.uploadItem(Scenario.item(scenario.rules()))
        #expect(code(scenario, upload, by: scenario.bidder) == "item.not_auctioneer")
        #expect(code(scenario, upload, by: scenario.host) == "item.not_auctioneer")
        try scenario.perform(upload, by: scenario.auctioneer)
        #expect(code(scenario, upload, by: scenario.auctioneer) == nil)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        #expect(code(scenario, upload, by: scenario.rival) == "item.taken")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(code(scenario, upload, by: scenario.auctioneer) == "item.not_preparing")
    }

    @Test func `only the host starts and ends the auction, and only in states that allow it`() throws {
        var scenario = try Scenario.withMembers()
        let (start, end) = (Command.startAuction(AuctionTransition()), Command.endAuction(AuctionTransition()))
        #expect(code(scenario, start, by: scenario.host) == "start.no_item")
        #expect(code(scenario, start, by: scenario.bidder) == "start.not_host")
        #expect(code(scenario, end, by: scenario.host) == "end.not_auctioning")
        scenario = try Scenario.auctioning()
        #expect(code(scenario, start, by: scenario.host) == "start.wrong_state")
        #expect(code(scenario, end, by: scenario.auctioneer) == "end.not_host")
        #expect(code(scenario, end, by: scenario.host) == nil)
    }

    @Test func `a command that expects another state or round is refused`() throws {
        let scenario = try Scenario.withItem()
        #expect(
            code(scenario, .startAuction(AuctionTransition(expectedState: .closed)), by: scenario.host)
                == "auction.state_changed")
        #expect(
            code(scenario, .startAuction(AuctionTransition(expectedRound: 2)), by: scenario.host) == "auction.state_changed")
        #expect(
            code(scenario, .startAuction(AuctionTransition(expectedState: .preparing, expectedRound: 1)), by: scenario.host)
                == nil)
    }

    @Test func `only the host assigns roles, only to members and not to themself`() throws {
        let scenario = try Scenario.withMembers()
        #expect(
            code(scenario, .changeMember(scenario.viewer.id, MemberChanges(role: .bidder)), by: scenario.bidder)
                == "role.not_host")
        #expect(
            code(scenario, .changeMember(scenario.host.id, MemberChanges(role: .bidder)), by: scenario.host) == "role.themself")
        #expect(
            code(scenario, .changeMember(scenario.stranger.id, MemberChanges(role: .bidder)), by: scenario.host)
                == "member.not_found")
    }

    @Test func `joining again never demotes a host or an auctioneer`() throws {
        var scenario = try Scenario.withMembers()
        let join = Command.join(JoinRoom(role: .viewer, inviteCode: nil))
        #expect(try scenario.perform(join, by: scenario.host).isEmpty)
        #expect(try scenario.perform(join, by: scenario.auctioneer).isEmpty)
        #expect(try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: scenario.bidder).isEmpty)
        try scenario.perform(join, by: scenario.bidder)
        #expect(scenario.room.members[scenario.bidder.id]?.role == .viewer)
        #expect(scenario.room.members[scenario.host.id]?.role == .host)
        #expect(scenario.room.members[scenario.auctioneer.id]?.role == .auctioneer)
    }

    @Test func `a private room is hidden from users without the invite code`() throws {
        var scenario = try Scenario(visibility: .private)
        #expect(code(scenario, .join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.bidder) == "room.not_found")
        #expect(code(scenario, .join(JoinRoom(role: .bidder, inviteCode: "guess")), by: scenario.bidder) == "room.not_found")
        #expect(code(scenario, .placeBid(PlaceBid(amount: Money(minorUnits: 1))), by: scenario.bidder) == "room.not_found")
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: "letmein")), by: scenario.bidder)
        #expect(scenario.room.isVisible(to: scenario.bidder.id))
        #expect(!scenario.room.isVisible(to: nil))
    }

    @Test func `only the host archives a room, not during a round, and the room is not found afterwards`() throws {
        var scenario = try Scenario.auctioning()
        #expect(code(scenario, .archiveRoom, by: scenario.host) == "room.round_running")
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(code(scenario, .archiveRoom, by: scenario.bidder) == "room.not_host")
        try scenario.perform(.archiveRoom, by: scenario.host)
        #expect(code(scenario, .startAuction(AuctionTransition()), by: scenario.host) == "room.not_found")
    }

    @Test func `a user who is not a member cannot leave`() throws {
        let scenario = try Scenario.withMembers()
        #expect(code(scenario, .leave, by: scenario.stranger) == "member.not_found")
    }

    @Test func `a bid remains valid when its bidder leaves`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.perform(.leave, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.room.results.last?.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 10000)))
    }
}
