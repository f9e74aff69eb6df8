import AuctionDomain
import AuctionTestKit
import Testing

/// Applications of bidders in a room whose host approves them.
struct ApplicationTests {
    private let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))
    private let asBidder = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    /// A room with members, of whom the host has given a role to the auctioneer only.
    private func approving() throws -> Scenario {
        var scenario = try Scenario.withItem()
        try configure(true, in: &scenario)
        return scenario
    }

    private func configure(_ isEnabled: Bool, in scenario: inout Scenario) throws {
        let change = ConfigureRule(rule: OptionalRule.notApproved, isEnabled: isEnabled, priority: nil)
        try scenario.perform(.configureRule(change), by: scenario.host)
    }

    private func approve(_ person: Person, _ limit: Int64? = nil) -> Command {
        .application(.approve(person.id, creditLimit: limit.map { Money(minorUnits: $0) }))
    }

    private func decline(_ person: Person, _ reason: String? = nil) -> Command {
        .application(.decline(person.id, reason: reason))
    }

    @Test func `who joins as bidder becomes a viewer and applies, and a repeat changes nothing`() throws {
        var scenario = try approving()
        let stranger = scenario.stranger
        #expect(
            try scenario.perform(asBidder, by: stranger) == [
                .memberJoined(stranger, role: .viewer), .application(.made(stranger)),
            ])
        #expect(scenario.lastOutcome == .joined(isNew: true))
        let application = try #require(scenario.room.application(of: stranger.id))
        #expect(application.person == stranger && application.at == scenario.instant && application.seq == scenario.room.seq)
        #expect(try scenario.perform(asBidder, by: stranger) == [] && scenario.lastOutcome == .joined(isNew: false))
        #expect(try scenario.perform(asBidder, by: scenario.viewer) == [.application(.made(scenario.viewer))])
        #expect(scenario.room.members[scenario.viewer.id]?.role == .viewer)
        #expect(scenario.room.applications.openCount == 2)
        #expect(scenario.room.applications.list(isDeclined: false).map(\.person) == [stranger, scenario.viewer])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `who joins as viewer does not apply, nor does a bidder while the rule is off`() throws {
        var scenario = try approving()
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: scenario.stranger)
        try scenario.perform(.join(JoinRoom(role: .viewer, inviteCode: nil)), by: scenario.bidder)
        #expect(scenario.room.applications.openCount == 0)
        try configure(false, in: &scenario)
        try scenario.perform(asBidder, by: scenario.stranger)
        #expect(scenario.room.members[scenario.stranger.id]?.role == .bidder && scenario.room.applications.openCount == 0)
    }

    @Test func `the host approves with a limit, and the applicant bids`() throws {
        var scenario = try approving()
        let (host, stranger) = (scenario.host, scenario.stranger)
        try scenario.perform(asBidder, by: stranger)
        let events = try scenario.perform(approve(stranger, 20000), by: host)
        #expect(
            events == [
                .memberRoleChanged(stranger, from: .viewer, to: .bidder, by: host),
                .memberCreditLimitChanged(stranger, limit: Money(minorUnits: 20000), by: host),
            ])
        #expect(scenario.lastOutcome == .memberChanged(stranger))
        #expect(scenario.room.application(of: stranger.id) == nil && scenario.room.applications.openCount == 0)
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid, by: stranger) == nil)
        #expect(scenario.refusal(of: approve(stranger), by: host)?.code == "application.not_found")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a bidder of before is refused until they have applied and were approved`() throws {
        var scenario = try approving()
        try scenario.openBidding()
        let refusal = scenario.refusal(of: bid, by: scenario.bidder)
        #expect(refusal?.code == "bid.not_approved" && refusal?.required == "approved" && refusal?.actual == "bidder")
        #expect(try scenario.perform(asBidder, by: scenario.bidder) == [.application(.made(scenario.bidder))])
        #expect(scenario.room.members[scenario.bidder.id]?.role == .bidder)
        let approved = try scenario.perform(approve(scenario.bidder), by: scenario.host)
        #expect(approved == [.memberRoleChanged(scenario.bidder, from: .bidder, to: .bidder, by: scenario.host)])
        #expect(scenario.refusal(of: bid, by: scenario.bidder) == nil)
    }

    @Test func `an applicant who bids waits for approval, and is a viewer once declined or where the host approves none`()
        throws
    {
        var scenario = try approving()
        try scenario.perform(asBidder, by: scenario.stranger)
        var freely = scenario
        try configure(false, in: &freely)
        try scenario.openBidding()
        let refusal = scenario.refusal(of: bid, by: scenario.stranger)
        #expect(refusal?.code == "bid.not_approved" && refusal?.required == "approved" && refusal?.actual == "viewer")
        #expect(scenario.refusal(of: bid, by: scenario.viewer)?.code == "bid.viewer", "who has not applied")
        #expect(
            !scenario.rulebook.allowedActions(of: scenario.stranger.id, in: scenario.room, at: scenario.instant).contains(
                .placeBid))
        try scenario.perform(decline(scenario.stranger), by: scenario.host)
        #expect(scenario.refusal(of: bid, by: scenario.stranger)?.code == "bid.viewer")
        try freely.openBidding()
        #expect(freely.refusal(of: bid, by: freely.stranger)?.code == "bid.viewer")
    }

    @Test func `a declined applicant cannot apply again, and the host may still approve`() throws {
        var scenario = try approving()
        let (host, stranger) = (scenario.host, scenario.stranger)
        try scenario.perform(asBidder, by: stranger)
        let declined = try scenario.perform(decline(stranger, "Register first."), by: host)
        #expect(declined == [.application(.declined(stranger, by: host, reason: "Register first."))])
        #expect(scenario.lastOutcome == .applicationDeclined(stranger.id))
        #expect(scenario.room.application(of: stranger.id)?.reason == "Register first.")
        #expect(try scenario.perform(decline(stranger, "No."), by: host) == [])
        #expect(scenario.refusal(of: asBidder, by: stranger)?.code == "application.declined")
        try scenario.perform(.leave, by: stranger)
        #expect(scenario.refusal(of: asBidder, by: stranger)?.code == "application.declined")
        #expect(scenario.refusal(of: approve(stranger), by: host)?.code == "member.not_found")
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: stranger)
        #expect(try scenario.perform(approve(stranger), by: host).count == 1)
        #expect(scenario.room.application(of: stranger.id) == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a viewer's role from the host is no approval, also where viewers may bid`() throws {
        var scenario = try approving()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.viewer", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.perform(asBidder, by: scenario.stranger)
        try scenario.perform(.changeMember(scenario.stranger.id, MemberChanges(role: .viewer)), by: scenario.host)
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid, by: scenario.stranger)?.code == "bid.not_approved")
    }

    @Test func `only the host decides, in every state, about users who have applied`() throws {
        var scenario = try approving()
        try scenario.perform(asBidder, by: scenario.stranger)
        for command in [approve(scenario.stranger), decline(scenario.stranger)] {
            for person in [scenario.auctioneer, scenario.stranger] {
                #expect(scenario.refusal(of: command, by: person)?.code == "application.not_host")
            }
            #expect(scenario.refusal(of: command, by: scenario.host) == nil)
        }
        #expect(scenario.refusal(of: decline(scenario.viewer), by: scenario.host)?.code == "application.not_found")
        try scenario.openBidding()
        #expect(scenario.refusal(of: approve(scenario.stranger), by: scenario.host) == nil)
        try scenario.perform(.auction(.pause, AuctionTransition()), by: scenario.host)
        #expect(scenario.refusal(of: decline(scenario.stranger), by: scenario.host) == nil)
    }

    @Test func `a role from the host, a removal or a ban ends an application, leaving only an open one`() throws {
        let ends: [(Scenario) -> (Command, Person)] = [
            { (.changeMember($0.viewer.id, MemberChanges(role: .bidder)), $0.host) },
            { (.changeMember($0.viewer.id, MemberChanges(role: .auctioneer)), $0.host) },
            { (.kick($0.viewer.id), $0.host) }, { (.changeMember($0.viewer.id, MemberChanges(isBanned: true)), $0.host) },
        ]
        for isDeclined in [false, true] {
            for end in ends {
                var scenario = try approving()
                try scenario.perform(asBidder, by: scenario.viewer)
                if isDeclined { try scenario.perform(decline(scenario.viewer), by: scenario.host) }
                let (command, person) = end(scenario)
                try scenario.perform(command, by: person)
                #expect(scenario.room.application(of: scenario.viewer.id) == nil)
                #expect(scenario.room.applications == RoomApplications())
            }
            var scenario = try approving()
            try scenario.perform(asBidder, by: scenario.viewer)
            if isDeclined { try scenario.perform(decline(scenario.viewer), by: scenario.host) }
            try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .viewer)), by: scenario.host)
            #expect(scenario.room.application(of: scenario.viewer.id) != nil, "a viewer is not approved")
            try scenario.perform(.leave, by: scenario.viewer)
            #expect((scenario.room.application(of: scenario.viewer.id) != nil) == isDeclined)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a seat from the host ends an application`() throws {
        var scenario = try approving()
        try scenario.perform(asBidder, by: scenario.viewer)
        try scenario.perform(.stage(.invite(scenario.viewer.id, .bidder)), by: scenario.host)
        let invitation = try #require(scenario.room.stage.handshake(of: scenario.viewer.id)).id
        try scenario.perform(.stage(.accept(invitation)), by: scenario.viewer)
        #expect(scenario.room.applications.openCount == 1)
        try scenario.perform(.stage(.confirm(invitation)), by: scenario.host)
        #expect(scenario.room.applications.openCount == 0 && scenario.room.members[scenario.viewer.id]?.isInvited == true)
        try scenario.perform(.stage(.leave), by: scenario.viewer)
        #expect(try scenario.perform(asBidder, by: scenario.viewer) == [.application(.made(scenario.viewer))])
    }

    @Test func `an open application stays after the rule was switched off, until it is decided`() throws {
        var scenario = try approving()
        try scenario.perform(asBidder, by: scenario.bidder)
        try configure(false, in: &scenario)
        #expect(scenario.room.applications.openCount == 1)
        let given = try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(role: .bidder)), by: scenario.host)
        #expect(given.count == 1 && scenario.room.applications.openCount == 0)
    }

    @Test func `a bounded number of applications is open`() throws {
        var scenario = try approving()
        let people = (0...RoomApplications.openLimit).map { Person(id: UserID(bits: UInt128(100 + $0)), nickname: "Guest") }
        for person in people.dropLast() { try scenario.perform(asBidder, by: person) }
        let last = people[RoomApplications.openLimit]
        let refusal = scenario.refusal(of: asBidder, by: last)
        #expect(refusal?.code == "application.too_many" && refusal?.required == "500" && refusal?.actual == "501")
        #expect(scenario.room.members[last.id] == nil)
        #expect(try scenario.perform(asBidder, by: people[0]) == [], "a repeat is no other application")
        try scenario.perform(decline(people[0]), by: scenario.host)
        #expect(scenario.refusal(of: asBidder, by: last) == nil)
    }

    @Test func `a bounded number of declined ones is kept, the one declined first is forgotten`() throws {
        var scenario = try approving()
        let people = (0...RoomApplications.declinedLimit).map { Person(id: UserID(bits: UInt128(900 - $0)), nickname: "Guest") }
        for person in people { try scenario.perform(asBidder, by: person) }
        // Declined in another order than they have applied.
        for person in people.reversed() { try scenario.perform(decline(person), by: scenario.host) }
        #expect(scenario.room.applications.list(isDeclined: true).count == RoomApplications.declinedLimit)
        let first = people[RoomApplications.declinedLimit]
        #expect(scenario.room.application(of: first.id) == nil, "the first that was declined, though the last that was made")
        #expect(scenario.refusal(of: asBidder, by: people[0])?.code == "application.declined")
        #expect(try scenario.perform(asBidder, by: first) == [.application(.made(first))])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a link moves the guest's application, unless the user has one or was approved`() throws {
        var moved = try approving()
        try moved.perform(asBidder, by: moved.viewer)
        try moved.perform(decline(moved.viewer, "No."), by: moved.host)
        try moved.perform(.linkGuest(moved.viewer), by: moved.stranger)
        #expect(moved.room.application(of: moved.stranger.id)?.reason == "No.")
        #expect(moved.room.application(of: moved.stranger.id)?.person == moved.stranger)
        #expect(moved.room.application(of: moved.viewer.id) == nil)
        #expect(try moved.replayed() == moved.room)

        var both = try approving()
        for person in [both.viewer, both.stranger] { try both.perform(asBidder, by: person) }
        try both.perform(decline(both.viewer), by: both.host)
        try both.perform(.linkGuest(both.viewer), by: both.stranger)
        #expect(both.room.application(of: both.stranger.id)?.isDeclined == false && both.room.applications.openCount == 1)

        var approved = try approving()
        for person in [approved.viewer, approved.stranger] { try approved.perform(asBidder, by: person) }
        try approved.perform(approve(approved.stranger), by: approved.host)
        try approved.perform(.linkGuest(approved.viewer), by: approved.stranger)
        #expect(approved.room.applications == RoomApplications())
        #expect(approved.room.members[approved.stranger.id]?.isInvited == true)
    }

    @Test func `a guest of whom a room has only a declined application is linked`() throws {
        var scenario = try approving()
        try scenario.perform(asBidder, by: scenario.stranger)
        try scenario.perform(decline(scenario.stranger), by: scenario.host)
        try scenario.perform(.leave, by: scenario.stranger)
        let user = Person(id: UserID(bits: 99), nickname: "Xu")
        #expect(try scenario.perform(.linkGuest(scenario.stranger), by: user).count == 1)
        #expect(scenario.refusal(of: asBidder, by: user)?.code == "application.declined")
    }

    @Test func `an unapproved bidder leaves no bid`() throws {
        var scenario = try approving()
        let queued = try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: nil)), by: scenario.auctioneer)
        guard case .lotQueued(let lot)? = queued.first else { throw ScenarioError() }
        let leave = Command.absentee(.place(lot.id, maximum: Money(minorUnits: 20000)))
        #expect(scenario.refusal(of: leave, by: scenario.bidder)?.code == "absentee.not_bidder")
        try scenario.perform(asBidder, by: scenario.bidder)
        try scenario.perform(approve(scenario.bidder), by: scenario.host)
        #expect(scenario.refusal(of: leave, by: scenario.bidder) == nil)
    }
}
