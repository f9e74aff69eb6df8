import AuctionDomain
import AuctionTestKit
import Testing

/// An absent host: an auctioneer takes over, or the room waits for the host.
struct SuccessionTests {
    private let join = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    private func promote(_ person: Person, in scenario: inout Scenario) throws {
        try scenario.perform(.changeMember(person.id, MemberChanges(role: .auctioneer)), by: scenario.host)
    }

    private func stateChange(_ events: [EventBody]) -> StateChange? {
        for case .stateChanged(let change) in events { return change }
        return nil
    }

    @Test func `when the host leaves, the longest-serving auctioneer who does not own the item takes over`() throws {
        var scenario = try Scenario.auctioning()
        // The viewer joined after the rival, but became an auctioneer first.
        for person in [scenario.viewer, scenario.rival] {
            try promote(person, in: &scenario)
            scenario.skip(milliseconds: 1)
        }
        let events = try scenario.perform(.leave, by: scenario.host)
        #expect(
            events == [
                .memberLeft(scenario.host), .memberRoleChanged(scenario.viewer, from: .auctioneer, to: .host, by: nil),
            ])
        #expect(scenario.room.host == scenario.viewer)
        #expect(scenario.room.state == .auctioning)
        #expect(scenario.room.members.count(of: .host) == 1)
        #expect(scenario.refusal(of: .endAuction(AuctionTransition()), by: scenario.viewer) == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a disconnected host who is replaced becomes a viewer, and stays one after reconnecting`() throws {
        var scenario = try Scenario.withItem()
        try promote(scenario.rival, in: &scenario)
        let events = try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(
            events == [
                .memberRoleChanged(scenario.host, from: .host, to: .viewer, by: nil),
                .memberRoleChanged(scenario.rival, from: .auctioneer, to: .host, by: nil),
            ])
        #expect(try scenario.perform(.hostReconnected(scenario.host.id), by: scenario.host).isEmpty)
        #expect(scenario.refusal(of: .startAuction(AuctionTransition()), by: scenario.host)?.code == "start.not_host")
        #expect(scenario.refusal(of: .startAuction(AuctionTransition()), by: scenario.rival) == nil)
    }

    @Test func `neither the owner of the item nor a banned auctioneer takes over`() throws {
        var scenario = try Scenario.auctioning()
        try promote(scenario.rival, in: &scenario)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        let events = try scenario.perform(.leave, by: scenario.host)
        #expect(events.prefix(2) == [.memberLeft(scenario.host), .hostGone(scenario.host)])
        let change = try #require(stateChange(events))
        #expect(change.to == .paused)
        #expect(change.cause == .hostGone)
        #expect(change.by == nil)
        #expect(scenario.room.endsAt == nil)
        #expect(scenario.room.members.count(of: .host) == 0)
    }

    @Test func `a preparing room without a host waits without a deadline`() throws {
        var scenario = try Scenario.withItem()
        #expect(try scenario.perform(.leave, by: scenario.host) == [.memberLeft(scenario.host), .hostGone(scenario.host)])
        #expect(scenario.room.state == .preparing)
        #expect(scenario.wait(milliseconds: 3_600_000).isEmpty)
    }

    @Test func `after ten minutes without a host the round closes with its current result`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.wait(milliseconds: 599_999).isEmpty)
        let change = try #require(stateChange(scenario.wait(milliseconds: 1)))
        #expect(change.from == .paused)
        #expect(change.to == .closed)
        #expect(change.cause == .hostGone)
        #expect(scenario.room.results.last?.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 10000)))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a host who rejoins is the host again and may resume`() throws {
        var scenario = try Scenario.auctioning()
        scenario.wait(milliseconds: 5000)
        try scenario.perform(.leave, by: scenario.host)
        scenario.wait(milliseconds: 60000)
        #expect(
            try scenario.perform(join, by: scenario.host) == [
                .memberJoined(scenario.host, role: .host), .hostReturned(scenario.host),
            ])
        #expect(scenario.wait(milliseconds: 3_600_000).isEmpty)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .auctioning)
        #expect(scenario.room.endsAt?.milliseconds(since: scenario.instant) == 10000)
    }

    @Test func `a host who left a private room rejoins without an invite code, other users cannot`() throws {
        var scenario = try Scenario(visibility: .private)
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.refusal(of: join, by: scenario.bidder)?.code == "room.not_found")
        try scenario.perform(join, by: scenario.host)
        #expect(scenario.room.members[scenario.host.id]?.role == .host)
    }

    @Test func `a host who left and was replaced rejoins in the role they choose`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.host == scenario.auctioneer)
        #expect(try scenario.perform(join, by: scenario.host) == [.memberJoined(scenario.host, role: .bidder)])
    }

    @Test func `a reconnected stream returns the host, only if the host was absent`() throws {
        var scenario = try Scenario.auctioning()
        #expect(try scenario.perform(.hostReconnected(scenario.host.id), by: scenario.host).isEmpty)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(scenario.room.state == .paused)
        #expect(try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host).isEmpty)
        #expect(try scenario.perform(.hostReconnected(scenario.bidder.id), by: scenario.bidder).isEmpty)
        let back = try scenario.perform(.hostReconnected(scenario.host.id), by: scenario.host)
        #expect(back == [.hostReturned(scenario.host)])
        #expect(scenario.room.hostGoneSince == nil)
        #expect(scenario.wait(milliseconds: 3_600_000).isEmpty)
    }

    @Test func `a command of an absent host returns the host without a stream`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        let events = try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(events.first == .hostReturned(scenario.host))
        #expect(stateChange(events)?.to == .auctioning)
        #expect(scenario.room.hostGoneSince == nil)
    }

    @Test func `the bid of an absent host follows the host's return, and its outcome has its seq`() throws {
        var scenario = try Scenario.withItem()
        let change = ConfigureRule(rule: "bid.host", isEnabled: false, priority: nil)
        try scenario.perform(.configureRule(change), by: scenario.host)
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        scenario.given(.hostGone(scenario.host))
        let events = try scenario.bid(10000, by: scenario.host)
        #expect(events.first == .hostReturned(scenario.host))
        let bid = try #require(scenario.room.bids.last)
        #expect(scenario.lastOutcome == .bidPlaced(bid, nextMinimum: Money(minorUnits: 11000)))
    }

    @Test func `when a host leaves a room that they paused, it stays paused and closes after ten minutes`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3_600_000)
        #expect(scenario.room.state == .paused)
        try scenario.perform(.leave, by: scenario.host)
        #expect(stateChange(scenario.wait(milliseconds: 600_000))?.to == .closed)
    }

    @Test func `a new host who has bid in this round may not end or pause it, nor take a bid back`() throws {
        var scenario = try Scenario.auctioning()
        try promote(scenario.rival, in: &scenario)
        try scenario.bid(10000, by: scenario.rival)
        try scenario.bid(11000, by: scenario.bidder)
        let latest = try #require(scenario.room.bids.latestExplicit)
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.host == scenario.rival)
        #expect(scenario.refusal(of: .endAuction(AuctionTransition()), by: scenario.rival)?.code == "end.has_bid")
        #expect(scenario.refusal(of: .pause(AuctionTransition()), by: scenario.rival)?.code == "pause.has_bid")
        let retraction = Command.retractBid(latest.id, reason: "A slip.")
        #expect(scenario.refusal(of: retraction, by: scenario.rival)?.code == "retract.has_bid")
    }
}
