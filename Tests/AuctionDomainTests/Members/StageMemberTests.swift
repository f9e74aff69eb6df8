import AuctionDomain
import AuctionTestKit
import Testing

/// Effects of joins, leaves and member changes on the stage, and of the stage on members.
struct StageMemberTests {
    private func stageEvents(_ events: [EventBody]) -> [StageEvent] {
        events.compactMap { if case .stage(let event) = $0 { event } else { nil } }
    }

    /// Seats a member by a request that the host accepts and the member confirms.
    private func seat(_ person: Person, as role: StageRole, in scenario: inout Scenario) throws {
        try scenario.perform(.stage(.request(role)), by: person)
        let id = try #require(scenario.room.stage.handshake(of: person.id)?.id)
        try scenario.perform(.stage(.accept(id)), by: scenario.host)
        try scenario.perform(.stage(.confirm(id)), by: person)
    }

    @Test func `the longest-seated auctioneer becomes host before a longer-serving auctioneer without a seat`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(
            .changeMember(scenario.rival.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        scenario.skip(milliseconds: 1)
        try seat(scenario.viewer, as: .auctioneer, in: &scenario)
        let events = try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.host == scenario.viewer)
        #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil)
        #expect(
            stageEvents(events) == [
                .left(
                    StageEvent.Departure(person: scenario.viewer, seat: 1, restoredRole: .host, cause: .becameHost))
            ])
        #expect(scenario.room.members.count(of: .host) == 1)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the end of a handshake does not give back the nickname that its request had`() throws {
        for isKick in [true, false] {
            var scenario = try Scenario.withMembers()
            try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
            let renamed = Person(id: scenario.viewer.id, nickname: "Veronica")
            try scenario.perform(.sendMessage("Hello."), by: renamed)
            try scenario.perform(.changeMember(renamed.id, MemberChanges(isMuted: true)), by: scenario.host)
            let command = isKick ? Command.kick(renamed.id) : .leave
            try scenario.perform(command, by: isKick ? scenario.host : renamed)
            #expect(scenario.room.members.formerMember(renamed.id)?.person.nickname == "Veronica")
        }
    }

    @Test func `a user who leaves is remembered by the nickname that they had then`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(isMuted: true)), by: scenario.host)
        try scenario.perform(.leave, by: Person(id: scenario.viewer.id, nickname: "Veronica"))
        #expect(scenario.room.members.formerMember(scenario.viewer.id)?.person.nickname == "Veronica")
    }

    @Test func `a seated owner of the item does not become host`() throws {
        var scenario = try Scenario.auctioning()
        for (person, role) in [(scenario.auctioneer, StageRole.auctioneer), (scenario.viewer, .bidder)] {
            try seat(person, as: role, in: &scenario)
        }
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.state == .paused)
        #expect(scenario.room.stage.seat(of: scenario.auctioneer.id) != nil)
    }

    @Test func `a member who leaves or is kicked leaves the stage first`() throws {
        for isKick in [true, false] {
            var scenario = try Scenario.withMembers()
            try seat(scenario.viewer, as: .bidder, in: &scenario)
            let events =
                isKick
                ? try scenario.perform(.kick(scenario.viewer.id), by: scenario.host)
                : try scenario.perform(.leave, by: scenario.viewer)
            #expect(stageEvents(events).count == 1)
            #expect(stageEvents([events[0]]).count == 1)
            #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil)
            #expect(scenario.room.members[scenario.viewer.id] == nil)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    /// An auctioneer on a bidder's seat whom the host makes a viewer, and who joins again as a bidder.
    private func demotedOnSeat() throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try seat(scenario.auctioneer, as: .bidder, in: &scenario)
        scenario.skip(milliseconds: 1)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .viewer)), by: scenario.host)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.auctioneer)
        return scenario
    }

    @Test func `a seat does not give back a role that the host has taken away since`() throws {
        for (command, isHost) in [(Command.stage(.leave), false), (.stage(.closeSeat(1)), true)] {
            var scenario = try demotedOnSeat()
            try scenario.perform(command, by: isHost ? scenario.host : scenario.auctioneer)
            #expect(scenario.room.stage.seat(of: scenario.auctioneer.id) == nil)
            #expect(scenario.room.members[scenario.auctioneer.id]?.role == .bidder)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a ban on a seat does not give back a role that the host has taken away since`() throws {
        var scenario = try demotedOnSeat()
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.room.members[scenario.auctioneer.id]?.role == .bidder)
    }

    @Test func `the role of a seat that the host grants again while it is taken is kept`() throws {
        var scenario = try Scenario.withMembers()
        try seat(scenario.viewer, as: .auctioneer, in: &scenario)
        for role in [Role.bidder, .auctioneer] {
            scenario.skip(milliseconds: 1)
            try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: role)), by: scenario.host)
        }
        try scenario.perform(.stage(.leave), by: scenario.viewer)
        #expect(scenario.room.members[scenario.viewer.id]?.role == .auctioneer)
    }

    @Test func `the role of a seat that the host grants to its member is kept after the seat`() throws {
        var scenario = try Scenario.withMembers()
        try seat(scenario.viewer, as: .auctioneer, in: &scenario)
        let seatedAt = scenario.instant
        scenario.skip(milliseconds: 1)
        let grant = Command.changeMember(scenario.viewer.id, MemberChanges(role: .auctioneer))
        #expect(
            try scenario.perform(grant, by: scenario.host) == [
                .memberRoleChanged(scenario.viewer, from: .auctioneer, to: .auctioneer, by: scenario.host)
            ])
        #expect(try scenario.perform(grant, by: scenario.host).isEmpty)
        #expect(scenario.room.members[scenario.viewer.id]?.roleSince == seatedAt)
        let events = try scenario.perform(.stage(.leave), by: scenario.viewer)
        #expect(
            stageEvents(events) == [
                .left(
                    StageEvent.Departure(person: scenario.viewer, seat: 1, restoredRole: .auctioneer, cause: .steppedDown))
            ])
        #expect(scenario.room.members[scenario.viewer.id]?.role == .auctioneer)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a host who has left answers no request until they have joined again`() throws {
        var scenario = try Scenario(visibility: .public)
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: scenario.viewer)
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        let id = try #require(scenario.room.stage.handshake(of: scenario.viewer.id)?.id)
        try scenario.perform(.leave, by: scenario.host)
        for step in [StageCommand.accept(id), .confirm(id), .decline(id), .cancel(id), .fail(id)] {
            #expect(scenario.refusal(of: .stage(step), by: scenario.host)?.code == "stage.not_yours", "\(step)")
        }
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: scenario.host)
        try scenario.perform(.stage(.accept(id)), by: scenario.host)
    }

    @Test func `a ban restores the role from before the seat, then applies the change of role`() throws {
        var scenario = try Scenario.withMembers()
        try seat(scenario.viewer, as: .auctioneer, in: &scenario)
        let ban = MemberChanges(role: .bidder, isBanned: true)
        let events = try scenario.perform(.changeMember(scenario.viewer.id, ban), by: scenario.host)
        #expect(
            events == [
                .stage(
                    .left(
                        StageEvent.Departure(person: scenario.viewer, seat: 1, restoredRole: .viewer, cause: .evicted))),
                .memberRoleChanged(scenario.viewer, from: .viewer, to: .bidder, by: scenario.host),
                .memberBanned(scenario.viewer, isBanned: true, by: scenario.host),
            ])
        #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a ban cancels the member's waiting request and refuses new ones`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        let ban = Command.changeMember(scenario.viewer.id, MemberChanges(isBanned: true))
        let events = try scenario.perform(ban, by: scenario.host)
        #expect(stageEvents(events).map(\.type) == ["stage.cancelled"])
        #expect(scenario.room.stage.queue.isEmpty)
        #expect(scenario.refusal(of: .stage(.request(.bidder)), by: scenario.viewer)?.code == "stage.banned")
    }

    @Test func `the host's invitation ends exactly once when the host leaves and an auctioneer takes over`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.stage(.invite(scenario.viewer.id, .bidder)), by: scenario.host)
        try scenario.perform(.stage(.request(.bidder)), by: scenario.rival)
        let events = try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.host == scenario.auctioneer)
        #expect(stageEvents(events).map(\.type) == ["stage.ended"])
        #expect(scenario.room.stage.queue.map(\.guest) == [scenario.rival])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a seated member counts as invited, with the role held since they took the seat`() throws {
        var scenario = try Scenario.withMembers()
        scenario.skip(milliseconds: 5000)
        try seat(scenario.viewer, as: .bidder, in: &scenario)
        let member = try #require(scenario.room.members[scenario.viewer.id])
        #expect(member.role == .bidder)
        #expect(member.isInvited)
        #expect(member.roleSince == scenario.instant)
        #expect(member.joinedAt < scenario.instant)
    }

    @Test func `a disconnect of another member does not return an absent host`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        // The service reports disconnects with the host as the actor.
        let events = try scenario.perform(.disconnected(scenario.viewer.id), by: scenario.room.host)
        #expect(!events.contains(.hostReturned(scenario.host)))
        #expect(stageEvents(events).count == 1)
        #expect(scenario.room.hostGoneSince != nil)
    }

    @Test func `the handshake of a host who is gone ends, so that its guest takes no seat`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.stage(.request(.auctioneer)), by: scenario.viewer)
        let id = try #require(scenario.room.stage.handshake(of: scenario.viewer.id)?.id)
        try scenario.perform(.stage(.accept(id)), by: scenario.host)
        let events = try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(stageEvents(events).map(\.type) == ["stage.ended"])
        #expect(scenario.room.state == .paused)
        #expect(scenario.refusal(of: .stage(.confirm(id)), by: scenario.viewer)?.code == "stage.not_found")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the service ends handshakes in a private room whose host has left`() throws {
        var scenario = try Scenario(visibility: .private)
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: "letmein")), by: scenario.viewer)
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        try scenario.perform(.leave, by: scenario.host)
        let events = try scenario.perform(.disconnected(scenario.viewer.id), by: scenario.room.host)
        #expect(stageEvents(events).count == 1)
    }
}
