import AuctionDomain
import AuctionTestKit
import Testing

/// A maximum that a retracted bid has revealed is voided.
struct VoidedMaximumTests {
    private func scenario(reserve: Int64? = nil, buyNow: Int64? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(reserve: reserve, buyNow: buyNow))
    }

    /// Nicknames of the bidders whose maximum the events void.
    private func voided(_ events: [EventBody]) -> [String] {
        events.compactMap { if case .maximumVoided(let voided) = $0 { voided.bidder.nickname } else { nil } }
    }

    private func units(_ scenario: Scenario) -> Int64? { scenario.room.leaderMaximum?.minorUnits }

    @Test func `a maximum beaten by the retracted bid is void, and its bidder leads again at their price`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(110, upTo: 900, by: scenario.rival)
        let events = try scenario.retractLatest()
        let leading = try #require(scenario.room.currentBid)
        #expect(events.dropFirst().first == .maximumVoided(MaximumVoided(bid: leading.id, bidder: scenario.bidder)))
        #expect(scenario.standing == "Xu at 100")
        #expect(units(scenario) == 100)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a retracted bid cannot be used to push a bidder to the maximum it revealed`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(110, upTo: 900, by: scenario.rival)
        #expect(scenario.standing == "Yves at 510", "which shows the maximum of 500")
        try scenario.retractLatest()
        try scenario.bid(490, by: scenario.rival)
        #expect(scenario.standing == "Yves at 490", "and not Xu at 500")
    }

    @Test func `a raised maximum that was beaten is also voided`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        try scenario.bid(upTo: 250, by: scenario.bidder)
        try scenario.bid(110, upTo: 400, by: scenario.rival)
        #expect(voided(try scenario.retractLatest()) == ["Xu"])
        #expect(units(scenario) == 100)
    }

    @Test func `a beaten plain bid has no maximum to void`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        try scenario.bid(110, upTo: 400, by: scenario.rival)
        #expect(voided(try scenario.retractLatest()).isEmpty)
        #expect(scenario.standing == "Xu at 100")
    }

    @Test func `a beaten challenger's bid reveals only a lower bound, so the maximum stays in force`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        #expect(voided(try scenario.retractLatest()).isEmpty)
        #expect(scenario.standing == "Xu at 100")
        #expect(units(scenario) == 500)
    }

    @Test(arguments: [500, 495, 490])
    func `a challenger's bid that drives the price to the maximum reveals it`(_ challenge: Int64) throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(challenge, by: scenario.rival)
        #expect(scenario.standing == "Xu at 500")
        #expect(voided(try scenario.retractLatest()) == ["Xu"])
        #expect(scenario.standing == "Xu at 100")
        #expect(units(scenario) == 100)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `each retraction lowers the maximum to the remaining price`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        try scenario.bid(600, by: scenario.rival)
        #expect(voided(try scenario.retractLatest()) == ["Xu"])
        #expect(scenario.standing == "Xu at 210")
        #expect(units(scenario) == 210)
        #expect(voided(try scenario.retractLatest()) == ["Xu"], "everybody knows by now that it is 210")
        #expect(scenario.standing == "Xu at 100")
        #expect(units(scenario) == 100)
    }

    @Test func `retracting bids one by one restores none of the maxima they beat`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 150, by: scenario.bidder)
        try scenario.bid(110, upTo: 400, by: scenario.rival)
        try scenario.bid(200, upTo: 800, by: scenario.bidder)
        var seen: [String] = []
        for _ in 0..<3 {
            try scenario.retractLatest()
            seen.append("\(scenario.standing), up to \(units(scenario) ?? 0)")
        }
        #expect(seen == ["Yves at 160, up to 160", "Xu at 100, up to 100", "no bid, up to 0"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a new maximum set after a retraction is in force`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(600, by: scenario.rival)
        try scenario.retractLatest()
        try scenario.bid(upTo: 300, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        #expect(scenario.standing == "Xu at 210")
        #expect(voided(try scenario.retractLatest()).isEmpty, "nothing shows the new one")
        #expect(units(scenario) == 300)
    }

    @Test func `a maximum raised after the price reached the old one is not revealed`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        try scenario.bid(195, by: scenario.rival)
        try scenario.bid(upTo: 400, by: scenario.bidder)
        #expect(voided(try scenario.retractLatest()).isEmpty)
        #expect(scenario.standing == "Xu at 100")
        #expect(units(scenario) == 400)
    }

    @Test func `a leader whose maximum met the reserve leads again at the reserve price`() throws {
        var scenario = try scenario(reserve: 300)
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        #expect(scenario.standing == "Xu at 300")
        try scenario.bid(600, by: scenario.rival)
        let events = try scenario.retractLatest()
        #expect(voided(events) == ["Xu"])
        #expect(scenario.standing == "Xu at 300")
        #expect(units(scenario) == 300)
        guard case .bidRetracted(let retracted) = events[0] else { throw ScenarioError() }
        #expect(retracted.reserveMet == true)
    }

    @Test func `a maximum above the buy-now price stays in force after a retraction below that price`() throws {
        var scenario = try scenario(buyNow: 1000)
        try scenario.bid(100, upTo: 2000, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        #expect(voided(try scenario.retractLatest()).isEmpty)
        #expect(units(scenario) == 2000)
        #expect(scenario.outcome == nil)
    }

    @Test func `a retraction while paused also voids the maximum`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(600, by: scenario.rival)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(voided(try scenario.retractLatest()) == ["Xu"])
        #expect(units(scenario) == 100)
    }

    @Test(arguments: [AuctionFormatName.vickrey, .sealedFirstPrice])
    func `a retraction in a sealed format voids no maximum and restores the previous bid`(_ format: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(format))
        try scenario.bid(300, by: scenario.bidder)
        try scenario.bid(400, by: scenario.bidder)
        #expect(voided(try scenario.retractLatest()).isEmpty)
        #expect(scenario.room.bids.latest(of: scenario.bidder.id)?.amount == FormatFixture.money(300))
        #expect(scenario.room.leaderMaximum == nil)
    }

    @Test func `a log without voided maxima replays to the same room as before`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        try scenario.bid(600, by: scenario.rival)
        let gone = try #require(scenario.room.bids.latestExplicit)
        scenario.given(
            .bidRetracted(
                BidRetracted(
                    bid: gone.id, bidder: gone.bidder, by: scenario.host, reason: "slip", removed: [gone.id],
                    price: FormatFixture.money(100), leader: scenario.bidder, nextMinimum: FormatFixture.money(110),
                    reserveMet: nil)))
        #expect(units(scenario) == 500)
        #expect(try scenario.replayed() == scenario.room)
    }
}
