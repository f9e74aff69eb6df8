import AuctionDomain
import AuctionTestKit
import Testing

/// A ban ends the bidder's maximum, and the host may take back any explicit bid of a banned bidder.
struct BannedBidderTests {
    private func scenario(reserve: Int64? = nil) throws -> Scenario { try .auctioning(FormatFixture.rules(reserve: reserve)) }

    @discardableResult
    private func ban(_ person: Person, in scenario: inout Scenario) throws -> [EventBody] {
        try scenario.perform(.changeMember(person.id, MemberChanges(isBanned: true)), by: scenario.host)
    }

    /// Takes back the bid at a place among the explicit ones, from 0.
    @discardableResult
    private func retract(_ number: Int, in scenario: inout Scenario) throws -> [EventBody] {
        let bid = scenario.room.bids.all.filter { !$0.automatic }[number]
        return try scenario.perform(.retractBid(bid.id, reason: "A shill."), by: scenario.host)
    }

    private func maximum(_ scenario: Scenario) -> Int64? { scenario.room.leaderMaximum?.minorUnits }

    @Test func `a ban ends the leader's maximum at the price at which they lead`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(150, by: scenario.rival)
        let events = try ban(scenario.bidder, in: &scenario)
        let leading = try #require(scenario.room.currentBid)
        #expect(events.last == .maximumVoided(MaximumVoided(bid: leading.id, bidder: scenario.bidder)))
        #expect(scenario.standing == "Xu at 160")
        #expect(maximum(scenario) == 160)
        try scenario.bid(300, by: scenario.rival)
        #expect(scenario.standing == "Yves at 300", "the banned bidder's maximum of 500 does not answer")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a ban after the bidder has left, and while paused, ends their maximum too`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isMuted: true)), by: scenario.host)
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(try ban(scenario.bidder, in: &scenario).count == 2)
        #expect(maximum(scenario) == 100)
    }

    @Test func `a bidder who has left, and about whom the host had decided nothing, can be banned`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.perform(.leave, by: scenario.bidder)
        #expect(try ban(scenario.bidder, in: &scenario).count == 2)
        try scenario.bid(300, by: scenario.rival)
        #expect(scenario.standing == "Yves at 300")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a user who was removed or left without a bid can be banned, also later, and cannot come back`() throws {
        var scenario = try scenario()
        try scenario.perform(.kick(scenario.viewer.id), by: scenario.host)
        try scenario.perform(.leave, by: scenario.rival)
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        for person in [scenario.viewer, scenario.rival] {
            #expect(try ban(person, in: &scenario) == [.memberBanned(person, isBanned: true, by: scenario.host)])
            let join = Command.join(JoinRoom(role: nil, inviteCode: "letmein"))
            #expect(scenario.refusal(of: join, by: person)?.code == "member.banned")
        }
        let unknown = Command.changeMember(scenario.stranger.id, MemberChanges(isBanned: true))
        #expect(scenario.refusal(of: unknown, by: scenario.host)?.code == "member.not_found")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a ban voids nothing of a bidder without more than the price, of one who was outbid, or after the round`() throws
    {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        var outbid = scenario
        #expect(try ban(scenario.bidder, in: &scenario).count == 1)
        try outbid.bid(110, upTo: 400, by: outbid.rival)
        var closed = outbid
        #expect(try ban(outbid.bidder, in: &outbid).count == 1)
        #expect(maximum(outbid) == 400)
        closed.wait(milliseconds: 15000)
        #expect(try ban(closed.rival, in: &closed).count == 1)
    }

    @Test func `an earlier bid is found by its id, also if a node took it whose clock is behind`() throws {
        var scenario = try scenario()
        scenario.skip(milliseconds: -700)
        try scenario.bid(100, by: scenario.bidder)
        scenario.skip(milliseconds: 1000)
        try scenario.bid(110, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        try retract(0, in: &scenario)
        #expect(scenario.room.bids.all.map(\.bidder) == [scenario.rival])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `once the maximum of a banned bidder is taken back, the bidder whom it answered leads at their own bid`() throws
    {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(300, by: scenario.rival)
        #expect(scenario.standing == "Xu at 310")
        try ban(scenario.bidder, in: &scenario)
        let events = try retract(0, in: &scenario)
        guard case .bidRetracted(let retracted) = events[0] else { throw ScenarioError() }
        #expect(retracted.removed.count == 2, "the bid, and the automatic one that it caused")
        #expect(retracted.price == FormatFixture.money(300))
        #expect(retracted.leader == scenario.rival)
        #expect(scenario.standing == "Yves at 300")
        #expect(scenario.room.bids.count == 1)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "Yves for 300")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a bid that is taken back raises no price, and a maximum that it laid open is void`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(120, upTo: 300, by: scenario.rival)
        #expect(scenario.standing == "Xu at 310", "which shows the maximum of 300")
        try ban(scenario.bidder, in: &scenario)
        let events = try retract(0, in: &scenario)
        #expect(scenario.standing == "Yves at 120")
        #expect(maximum(scenario) == 120)
        let leading = try #require(scenario.room.currentBid)
        #expect(events[1] == .maximumVoided(MaximumVoided(bid: leading.id, bidder: scenario.rival)))
    }

    @Test func `a leader who had to outbid the banned bidder leads at their own bid, and keeps their maximum`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(110, upTo: 900, by: scenario.rival)
        #expect(scenario.standing == "Yves at 510")
        try ban(scenario.bidder, in: &scenario)
        #expect(try retract(0, in: &scenario).count == 1)
        #expect(scenario.standing == "Yves at 110")
        #expect(maximum(scenario) == 900)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an own bid counts at the reserve price if its maximum covers it`() throws {
        var scenario = try scenario(reserve: 250)
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(260, upTo: 900, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        try retract(0, in: &scenario)
        #expect(scenario.standing == "Yves at 260")
        scenario = try self.scenario(reserve: 450)
        try scenario.bid(100, upTo: 400, by: scenario.bidder)
        try scenario.bid(110, upTo: 900, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        try retract(0, in: &scenario)
        #expect(scenario.standing == "Yves at 450")
    }

    @Test func `later retractions go on from what remained`() throws {
        var scenario = try scenario()
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(110, upTo: 200, by: scenario.rival)
        try scenario.bid(220, upTo: 300, by: scenario.stranger)
        try scenario.bid(700, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        try retract(0, in: &scenario)
        var seen = [scenario.standing]
        for _ in 0..<3 {
            try scenario.retractLatest()
            seen.append("\(scenario.standing), up to \(maximum(scenario) ?? 0)")
        }
        #expect(seen == ["Yves at 700", "Stan at 220, up to 220", "Yves at 110, up to 110", "no bid, up to 0"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test(arguments: [AuctionFormatName.vickrey, .sealedFirstPrice])
    func `in a sealed round the banned bidder's bid before the latest stands again`(_ format: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(format))
        try scenario.bid(300, by: scenario.bidder)
        try scenario.bid(400, by: scenario.bidder)
        try scenario.bid(350, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        try retract(1, in: &scenario)
        #expect(scenario.room.bids.latest(of: scenario.bidder.id)?.amount == FormatFixture.money(300))
        try retract(0, in: &scenario)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome?.hasPrefix("Yves") == true)
    }

    /// A lot with absentee bids of 300 by the bidder, 200 by the rival and, before them, 150 by another, that is open.
    private func opened(reserve: Int64? = nil) throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        let item = UploadItem(name: "A1", description: "", media: [], rules: FormatFixture.rules(reserve: reserve))
        try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
        try scenario.leave(150, on: "A1", by: scenario.stranger)
        try scenario.leave(300, on: "A1", by: scenario.bidder)
        try scenario.leave(200, on: "A1", by: scenario.rival)
        try scenario.openBidding()
        return scenario
    }

    @discardableResult
    private func retract(_ person: Person, in scenario: inout Scenario) throws -> [EventBody] {
        let bid = try #require(scenario.room.bids.all.first { $0.origin == .absentee && $0.bidder == person })
        return try scenario.perform(.retractBid(bid.id, reason: "A shill."), by: scenario.host)
    }

    @Test func `a banned bidder's absentee bid that leads is taken back, and the one that it beat leads alone`() throws {
        var scenario = try opened()
        #expect(scenario.standing == "Xu at 210")
        let bid = try #require(scenario.room.currentBid)
        let command = Command.retractBid(bid.id, reason: "A shill.")
        #expect(scenario.refusal(of: command, by: scenario.host)?.code == "retract.not_latest", "nobody is banned")
        try ban(scenario.bidder, in: &scenario)
        #expect(maximum(scenario) == 210)
        let events = try retract(scenario.bidder, in: &scenario)
        guard case .bidRetracted(let retracted) = events[0] else { throw ScenarioError() }
        #expect(retracted.removed == [bid.id] && retracted.leader == scenario.rival)
        #expect(retracted.price == FormatFixture.money(100), "the bid of 150 was never shown")
        #expect(scenario.standing == "Yves at 100")
        #expect(maximum(scenario) == 100, "what the event of the opening has shown is void")
        #expect(try scenario.standing(scenario.rival, on: "A1") == .leading)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .outbid)
        #expect(try scenario.replayed() == scenario.room)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "Yves for 100")
    }

    @Test func `without a banned bidder's absentee bid that was beaten the leader pays less, up to their maximum`() throws {
        for (reserve, price) in [(nil, 100), (180, 180)] as [(Int64?, Int64)] {
            var scenario = try opened(reserve: reserve)
            try ban(scenario.rival, in: &scenario)
            try retract(scenario.rival, in: &scenario)
            #expect(scenario.standing == "Xu at \(price)")
            #expect(maximum(scenario) == 300)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a live bid that beat a banned bidder's absentee bid, or was beaten by it, leads in its place`() throws {
        for (amount, isBeaten) in [(400, false), (250, true)] as [(Int64, Bool)] {
            var scenario = try opened()
            try scenario.bid(amount, by: scenario.stranger)
            #expect(scenario.room.currentBid?.bidder == (isBeaten ? scenario.bidder : scenario.stranger))
            try ban(scenario.bidder, in: &scenario)
            try retract(scenario.bidder, in: &scenario)
            #expect(scenario.standing == "Stan at \(amount)")
            try scenario.retractLatest()
            #expect(scenario.standing == "Yves at 100")
            #expect(maximum(scenario) == 100)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a round whose absentee bids were all taken back has none, and can be cancelled`() throws {
        var scenario = try opened()
        let retracting = RuleRequest()
        func mayRetract(_ scenario: Scenario) -> Bool {
            scenario.rulebook.denial(
                of: .retractBid,
                in: RuleContext(
                    room: scenario.room, rulebook: scenario.rulebook, caller: scenario.host.id, at: scenario.instant, retracting
                ))
                == nil
        }
        #expect(!mayRetract(scenario), "there is no explicit bid")
        for person in [scenario.bidder, scenario.rival] { try ban(person, in: &scenario) }
        #expect(mayRetract(scenario))
        let cancel = Command.auction(.cancel, AuctionTransition(reason: "Shills."))
        try retract(scenario.bidder, in: &scenario)
        #expect(scenario.refusal(of: cancel, by: scenario.host)?.code == "cancel.has_bids")
        try retract(scenario.rival, in: &scenario)
        #expect(scenario.standing == "no bid" && !mayRetract(scenario))
        var cancelled = scenario
        try cancelled.perform(cancel, by: scenario.host)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "no_bids")
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .passed)
    }

    @Test func `an absentee bid that no event has shown is not to be named`() throws {
        var scenario = try opened()
        let hidden = try #require(scenario.room.absenteeBid(of: scenario.stranger.id, on: scenario.lot("A1").id)).id
        try ban(scenario.stranger, in: &scenario)
        let command = Command.retractBid(hidden, reason: "A shill.")
        #expect(scenario.refusal(of: command, by: scenario.host)?.code == "retract.not_latest")
    }

    @Test func `an automatic bid, or one that is gone, cannot be taken back`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(300, by: scenario.rival)
        try ban(scenario.bidder, in: &scenario)
        let bids = scenario.room.bids.all
        try retract(0, in: &scenario)
        for bid in [bids[0], bids[2]] {
            #expect(scenario.refusal(of: .retractBid(bid.id, reason: "x"), by: scenario.host)?.code == "retract.not_latest")
        }
    }
}
