import AuctionDomain
import AuctionTestKit
import Testing

/// The host's changes to members.
struct MemberChangeTests {
    private func change(_ person: Person, _ changes: MemberChanges) -> Command { .changeMember(person.id, changes) }

    @Test func `several changes in one command produce several events, in order`() throws {
        var scenario = try Scenario.withMembers()
        let host = scenario.host
        let limit = Money(minorUnits: 50000)
        let changes = MemberChanges(role: .auctioneer, isMuted: true, isBanned: true, creditLimit: .some(limit))
        let events = try scenario.perform(change(scenario.rival, changes), by: host)
        #expect(
            events == [
                .memberRoleChanged(scenario.rival, from: .bidder, to: .auctioneer, by: host),
                .memberBanned(scenario.rival, isBanned: true, by: host),
                .memberMuted(scenario.rival, isMuted: true, by: host),
                .memberCreditLimitChanged(scenario.rival, limit: limit, by: host),
            ])
        let member = try #require(scenario.room.members[scenario.rival.id])
        #expect(member.role == .auctioneer)
        #expect(member.isMuted && member.isBanned)
        #expect(member.creditLimit == limit)
        #expect(member.grantedBy == host.id)
        #expect(try scenario.perform(change(scenario.rival, changes), by: host).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `only an explicit nil removes the credit limit`() throws {
        var scenario = try Scenario.withMembers()
        let limited = MemberChanges(creditLimit: .some(Money(minorUnits: 50000)))
        try scenario.perform(change(scenario.bidder, limited), by: scenario.host)
        try scenario.perform(change(scenario.bidder, MemberChanges(isMuted: true)), by: scenario.host)
        #expect(scenario.room.members[scenario.bidder.id]?.creditLimit == Money(minorUnits: 50000))
        try scenario.perform(change(scenario.bidder, MemberChanges(creditLimit: .some(nil))), by: scenario.host)
        #expect(scenario.room.members[scenario.bidder.id]?.creditLimit == nil)
    }

    @Test func `only the host may change members, and each kind of change has its own rule`() throws {
        let scenario = try Scenario.withMembers()
        let cases: [(MemberChanges, String)] = [
            (MemberChanges(role: .bidder), "role"), (MemberChanges(isBanned: true), "ban"),
            (MemberChanges(isMuted: true), "mute"), (MemberChanges(creditLimit: .some(nil)), "credit"),
            (MemberChanges(), "role"),
        ]
        for (changes, prefix) in cases {
            let byOther = scenario.refusal(of: change(scenario.viewer, changes), by: scenario.auctioneer)
            #expect(byOther?.code == "\(prefix).not_host")
            let onThemself = scenario.refusal(of: change(scenario.host, changes), by: scenario.host)
            #expect(onThemself?.code == "\(prefix).themself")
        }
        #expect(scenario.refusal(of: .kick(scenario.viewer.id), by: scenario.bidder)?.code == "kick.not_host")
        #expect(scenario.refusal(of: .kick(scenario.host.id), by: scenario.host)?.code == "kick.themself")
    }

    @Test func `the host role cannot be assigned`() throws {
        let scenario = try Scenario.withMembers()
        let refusal = scenario.refusal(of: change(scenario.viewer, MemberChanges(role: .host)), by: scenario.host)
        #expect(refusal?.kind == .malformed(field: "role"))
    }

    @Test func `a user who was never a member is not found`() throws {
        let scenario = try Scenario.withMembers()
        let ban = change(scenario.stranger, MemberChanges(isBanned: true))
        #expect(scenario.refusal(of: ban, by: scenario.host)?.code == "member.not_found")
        #expect(scenario.refusal(of: .kick(scenario.stranger.id), by: scenario.host)?.code == "member.not_found")
    }
}

/// The host's decisions about a member remain after the member leaves.
struct StandingTests {
    private let join = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    /// A room in which the host applied the changes to the rival, who then left.
    private func left(_ changes: MemberChanges) throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.rival.id, changes), by: scenario.host)
        try scenario.perform(.leave, by: scenario.rival)
        return scenario
    }

    @Test func `a banned user cannot join again`() throws {
        let scenario = try left(MemberChanges(isBanned: true))
        let refusal = scenario.refusal(of: join, by: scenario.rival)
        #expect(refusal?.code == "member.banned")
        #expect(refusal?.kind == .forbidden)
    }

    @Test func `the host lifts the ban of a user who has left, and the user joins again`() throws {
        var scenario = try left(MemberChanges(isBanned: true))
        let unban = Command.changeMember(scenario.rival.id, MemberChanges(isBanned: false))
        #expect(
            try scenario.perform(unban, by: scenario.host) == [
                .memberBanned(scenario.rival, isBanned: false, by: scenario.host)
            ])
        #expect(scenario.room.members.absentees.isEmpty)
        try scenario.perform(join, by: scenario.rival)
        #expect(scenario.room.members[scenario.rival.id]?.role == .bidder)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `mute and credit limit apply again when the member rejoins`() throws {
        let limit = Money(minorUnits: 50000)
        var scenario = try left(MemberChanges(isMuted: true, creditLimit: .some(limit)))
        #expect(scenario.room.members.formerMember(scenario.rival.id)?.person == scenario.rival)
        try scenario.perform(join, by: scenario.rival)
        let member = try #require(scenario.room.members[scenario.rival.id])
        #expect(member.isMuted)
        #expect(member.creditLimit == limit)
        #expect(scenario.room.members.absentees.isEmpty)
        #expect(scenario.refusal(of: .sendMessage("Hello"), by: scenario.rival)?.code == "message.muted")
    }

    @Test func `a user who left cannot be given a role, and is known also once no mute, ban or limit remains`() throws {
        var scenario = try left(MemberChanges(isMuted: true))
        let promote = Command.changeMember(scenario.rival.id, MemberChanges(role: .auctioneer, isMuted: false))
        #expect(scenario.refusal(of: promote, by: scenario.host)?.code == "member.not_found")
        #expect(scenario.room.members.standing(of: scenario.rival.id).isMuted)
        let unmute = Command.changeMember(scenario.rival.id, MemberChanges(isMuted: false))
        try scenario.perform(unmute, by: scenario.host)
        #expect(scenario.room.members.absentees.isEmpty)
        #expect(try scenario.perform(unmute, by: scenario.host).isEmpty)
        #expect(scenario.room.members.absent(scenario.rival.id) == scenario.rival)
    }

    @Test func `a kick keeps the mute, and the kicked user may join again`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isMuted: true)), by: scenario.host)
        #expect(
            try scenario.perform(.kick(scenario.rival.id), by: scenario.host) == [
                .memberKicked(scenario.rival, by: scenario.host)
            ])
        #expect(scenario.room.members[scenario.rival.id] == nil)
        try scenario.perform(join, by: scenario.rival)
        #expect(scenario.room.members[scenario.rival.id]?.isMuted == true)
    }

    @Test func `members per role are counted on joins, role changes and leaves`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        try scenario.perform(.leave, by: scenario.bidder)
        let members = scenario.room.members
        for role in Role.allCases { #expect(members.count(of: role) == members.sorted.count { $0.role == role }) }
        #expect(members.count(of: .bidder) == 2)
    }
}
