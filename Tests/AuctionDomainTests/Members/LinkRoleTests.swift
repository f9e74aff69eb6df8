import AuctionDomain
import AuctionTestKit
import Testing

/// The role that a user has after a link, and what came with it.
struct LinkRoleTests {
    private let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))

    private func change(_ role: Role) -> MemberChanges { MemberChanges(role: role) }

    /// Seats a member who asked for it.
    private func seat(_ person: Person, as role: StageRole, in scenario: inout Scenario) throws {
        try scenario.perform(.stage(.invite(person.id, role)), by: scenario.host)
        let invitation = try #require(scenario.room.stage.handshake(of: person.id)).id
        try scenario.perform(.stage(.accept(invitation)), by: person)
        try scenario.perform(.stage(.confirm(invitation)), by: scenario.host)
    }

    /// A room in which only invited members bid, with the item up and the listing not begun.
    private func invitedOnly() throws -> Scenario {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: OptionalRule.invitedOnly, isEnabled: true, priority: nil)), by: scenario.host)
        return scenario
    }

    @Test func `an invitation to another role does not make a bidder invited`() throws {
        for isSeated in [false, true] {
            var scenario = try invitedOnly()
            if isSeated {
                try seat(scenario.viewer, as: .bidder, in: &scenario)
            } else {
                try scenario.perform(.changeMember(scenario.viewer.id, change(.viewer)), by: scenario.host)
            }
            try #require(scenario.room.members[scenario.viewer.id]?.isInvited == true)
            try scenario.perform(.linkGuest(scenario.viewer), by: scenario.bidder)
            #expect(scenario.room.members[scenario.bidder.id]?.role == .bidder)
            try scenario.openBidding()
            #expect(scenario.refusal(of: bid, by: scenario.bidder)?.code == "bid.invited_only")
        }
    }

    @Test func `a guest whom the host made bidder brings that to a bidder who was not`() throws {
        var scenario = try invitedOnly()
        try scenario.perform(.changeMember(scenario.rival.id, change(.bidder)), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.bidder)
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid, by: scenario.bidder) == nil)
    }

    @Test func `a user on stage keeps the guest's stronger role when the seat is gone`() throws {
        var scenario = try Scenario.withMembers()
        try seat(scenario.viewer, as: .auctioneer, in: &scenario)
        try scenario.perform(.linkGuest(scenario.auctioneer), by: scenario.viewer)
        #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil)
        #expect(scenario.room.members[scenario.viewer.id]?.role == .auctioneer)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a user on stage stays there if the guest brings no more than the role of before`() throws {
        var scenario = try Scenario.withMembers()
        try seat(scenario.rival, as: .auctioneer, in: &scenario)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.rival)
        #expect(scenario.room.stage.seat(of: scenario.rival.id) != nil)
        #expect(scenario.room.members[scenario.rival.id]?.role == .auctioneer)
    }

    @Test func `a guest who was host and left makes the user host, who is there`() throws {
        for user in [\Scenario.stranger, \.viewer] {
            var scenario = try Scenario.withMembers()
            let user = scenario[keyPath: user]
            try scenario.perform(.changeMember(scenario.auctioneer.id, change(.viewer)), by: scenario.host)
            try scenario.perform(.leave, by: scenario.host)
            try #require(scenario.room.hostGoneSince != nil)
            try scenario.perform(.linkGuest(scenario.host), by: user)
            #expect(scenario.room.host == user)
            #expect(scenario.room.members[user.id]?.role == .host)
            #expect(scenario.room.hostGoneSince == nil)
            #expect(scenario.room.members.count(of: .host) == 1)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a host who left is host again by linking a guest of the room, without the guest's ban`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.auctioneer.id, change(.viewer)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        try scenario.perform(.leave, by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.host)
        #expect(scenario.room.members[scenario.host.id]?.role == .host)
        #expect(scenario.room.members[scenario.host.id]?.isBanned == false)
        #expect(scenario.room.hostGoneSince == nil)
        #expect(scenario.refusal(of: .archiveRoom, by: scenario.host) == nil)
    }
}
