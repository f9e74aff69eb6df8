import AuctionDomain
import AuctionTestKit
import Testing

/// Rules that are disabled by default.
struct OptionalRuleTests {
    private let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))

    private func switchingOn(_ rule: String) throws -> Scenario {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: rule, isEnabled: true, priority: nil)), by: scenario.host)
        return scenario
    }

    private func makes(_ person: Person, _ role: Role) -> Command {
        .changeMember(person.id, MemberChanges(role: role))
    }

    @Test func `given invited-only bidding, a bidder by choice is refused and a bidder appointed by the host is not`() throws {
        var scenario = try switchingOn(OptionalRule.invitedOnly)
        try scenario.perform(makes(scenario.viewer, .bidder), by: scenario.host)
        try scenario.openBidding()
        let refusal = scenario.refusal(of: bid, by: scenario.bidder)
        #expect(refusal?.code == "bid.invited_only")
        #expect(refusal?.required == "invited")
        #expect(scenario.refusal(of: bid, by: scenario.viewer) == nil)
    }

    @Test func `given invited-only bidding, the host invites a bidder by assigning the bidder role again`() throws {
        var scenario = try switchingOn(OptionalRule.invitedOnly)
        let events = try scenario.perform(makes(scenario.bidder, .bidder), by: scenario.host)
        #expect(events == [.memberRoleChanged(scenario.bidder, from: .bidder, to: .bidder, by: scenario.host)])
        #expect(try scenario.perform(makes(scenario.bidder, .bidder), by: scenario.host).isEmpty)
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid, by: scenario.bidder) == nil)
    }

    @Test func `without invited-only bidding, assigning a member's current role changes nothing`() throws {
        var scenario = try Scenario.withMembers()
        #expect(try scenario.perform(makes(scenario.bidder, .bidder), by: scenario.host).isEmpty)
    }

    @Test func `an invitation ends when the member chooses another role or leaves`() throws {
        var scenario = try switchingOn(OptionalRule.invitedOnly)
        for person in [scenario.viewer, scenario.rival] { try scenario.perform(makes(person, .bidder), by: scenario.host) }
        for role in [Role.viewer, .bidder] {
            try scenario.perform(.join(JoinRoom(role: role, inviteCode: nil)), by: scenario.viewer)
        }
        try scenario.perform(.leave, by: scenario.rival)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.rival)
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid, by: scenario.viewer)?.code == "bid.invited_only")
        #expect(scenario.refusal(of: bid, by: scenario.rival)?.code == "bid.invited_only")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `given approval by the host, a bidder by choice is refused and one whom the host made bidder is not`() throws {
        var scenario = try switchingOn(OptionalRule.notApproved)
        try scenario.perform(makes(scenario.rival, .bidder), by: scenario.host)
        try scenario.openBidding()
        let refusal = scenario.refusal(of: bid, by: scenario.bidder)
        #expect(refusal?.code == "bid.not_approved" && refusal?.required == "approved" && refusal?.actual == "bidder")
        #expect(scenario.refusal(of: bid, by: scenario.rival) == nil)
        #expect(scenario.refusal(of: bid, by: scenario.viewer)?.code == "bid.viewer")
    }

    @Test func `given a waiting time, a member bids after a minute, and a refusal states the time waited`() throws {
        var scenario = try switchingOn(OptionalRule.newMember)
        scenario.skip(milliseconds: 30000)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.skip(milliseconds: 29_999)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        let early = scenario.refusal(of: bid, by: scenario.bidder)
        #expect(early?.code == "bid.new_member")
        #expect(early?.required == "60")
        #expect(early?.actual == "59")
        scenario.skip(milliseconds: 1)
        #expect(scenario.refusal(of: bid, by: scenario.bidder) == nil)
        #expect(scenario.refusal(of: bid, by: scenario.stranger)?.actual == "30")
    }
}
