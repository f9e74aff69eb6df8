import AuctionDomain
import AuctionTestKit
import Testing

/// A maximum that a retracted bid has revealed is voided.
struct VoidedMaximumTests {
    private func scene(reserve: Int64? = nil, buyNow: Int64? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(reserve: reserve, buyNow: buyNow))
    }

    /// Nicknames of the bidders whose maximum the events void.
    private func voided(_ events: [EventBody]) -> [String] {
        events.compactMap { if case .maximumVoided(let voided) = $0 { voided.bidder.nickname } else { nil } }
    }

    private func units(_ scene: Scenario) -> Int64? { scene.room.leaderMaximum?.minorUnits }

    @Test func `a maximum beaten by the retracted bid is void, and its bidder leads again at their price`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(110, upTo: 900, by: scene.rival)
        let events = try scene.retractLatest()
        let leading = try #require(scene.room.currentBid)
        #expect(events.dropFirst().first == .maximumVoided(MaximumVoided(bid: leading.id, bidder: scene.bidder)))
        #expect(scene.standing == "Xu at 100")
        #expect(units(scene) == 100)
        #expect(try scene.replayed() == scene.room)
    }

    @Test func `a retracted bid cannot be used to push a bidder to the maximum it revealed`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(110, upTo: 900, by: scene.rival)
        #expect(scene.standing == "Yves at 510", "which shows the maximum of 500")
        try scene.retractLatest()
        try scene.bid(490, by: scene.rival)
        #expect(scene.standing == "Yves at 490", "and not Xu at 500")
    }

    @Test func `a raised maximum that was beaten is also voided`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        try scene.bid(upTo: 250, by: scene.bidder)
        try scene.bid(110, upTo: 400, by: scene.rival)
        #expect(voided(try scene.retractLatest()) == ["Xu"])
        #expect(units(scene) == 100)
    }

    @Test func `a beaten plain bid has no maximum to void`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        try scene.bid(110, upTo: 400, by: scene.rival)
        #expect(voided(try scene.retractLatest()).isEmpty)
        #expect(scene.standing == "Xu at 100")
    }

    @Test func `a beaten challenger's bid reveals only a lower bound, so the maximum stays in force`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(200, by: scene.rival)
        #expect(voided(try scene.retractLatest()).isEmpty)
        #expect(scene.standing == "Xu at 100")
        #expect(units(scene) == 500)
    }

    @Test(arguments: [500, 495, 490])
    func `a challenger's bid that drives the price to the maximum reveals it`(_ challenge: Int64) throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(challenge, by: scene.rival)
        #expect(scene.standing == "Xu at 500")
        #expect(voided(try scene.retractLatest()) == ["Xu"])
        #expect(scene.standing == "Xu at 100")
        #expect(units(scene) == 100)
        #expect(try scene.replayed() == scene.room)
    }

    @Test func `each retraction lowers the maximum to the remaining price`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(200, by: scene.rival)
        try scene.bid(600, by: scene.rival)
        #expect(voided(try scene.retractLatest()) == ["Xu"])
        #expect(scene.standing == "Xu at 210")
        #expect(units(scene) == 210)
        #expect(voided(try scene.retractLatest()) == ["Xu"], "everybody knows by now that it is 210")
        #expect(scene.standing == "Xu at 100")
        #expect(units(scene) == 100)
    }

    @Test func `retracting bids one by one restores none of the maxima they beat`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 150, by: scene.bidder)
        try scene.bid(110, upTo: 400, by: scene.rival)
        try scene.bid(200, upTo: 800, by: scene.bidder)
        var seen: [String] = []
        for _ in 0..<3 {
            try scene.retractLatest()
            seen.append("\(scene.standing), up to \(units(scene) ?? 0)")
        }
        #expect(seen == ["Yves at 160, up to 160", "Xu at 100, up to 100", "nobody, up to 0"])
        #expect(try scene.replayed() == scene.room)
    }

    @Test func `a new maximum set after a retraction is in force`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(600, by: scene.rival)
        try scene.retractLatest()
        try scene.bid(upTo: 300, by: scene.bidder)
        try scene.bid(200, by: scene.rival)
        #expect(scene.standing == "Xu at 210")
        #expect(voided(try scene.retractLatest()).isEmpty, "nothing shows the new one")
        #expect(units(scene) == 300)
    }

    @Test func `a maximum raised after the price reached the old one is not revealed`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        try scene.bid(195, by: scene.rival)
        try scene.bid(upTo: 400, by: scene.bidder)
        #expect(voided(try scene.retractLatest()).isEmpty)
        #expect(scene.standing == "Xu at 100")
        #expect(units(scene) == 400)
    }

    @Test func `a leader whose maximum met the reserve leads again at the reserve price`() throws {
        var scene = try scene(reserve: 300)
        try scene.bid(100, upTo: 500, by: scene.bidder)
        #expect(scene.standing == "Xu at 300")
        try scene.bid(600, by: scene.rival)
        let events = try scene.retractLatest()
        #expect(voided(events) == ["Xu"])
        #expect(scene.standing == "Xu at 300")
        #expect(units(scene) == 300)
        guard case .bidRetracted(let retracted) = events[0] else { throw ScenarioError() }
        #expect(retracted.reserveMet == true)
    }

    @Test func `a maximum above the buy-now price stays in force after a retraction below that price`() throws {
        var scene = try scene(buyNow: 1000)
        try scene.bid(100, upTo: 2000, by: scene.bidder)
        try scene.bid(200, by: scene.rival)
        #expect(voided(try scene.retractLatest()).isEmpty)
        #expect(units(scene) == 2000)
        #expect(scene.outcome == nil)
    }

    @Test func `a retraction while paused also voids the maximum`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(600, by: scene.rival)
        try scene.perform(.pause(AuctionTransition()), by: scene.host)
        #expect(voided(try scene.retractLatest()) == ["Xu"])
        #expect(units(scene) == 100)
    }

    @Test(arguments: [AuctionFormatName.vickrey, .sealedFirstPrice])
    func `a retraction in a sealed format voids no maximum and restores the previous bid`(_ format: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(format))
        try scene.bid(300, by: scene.bidder)
        try scene.bid(400, by: scene.bidder)
        #expect(voided(try scene.retractLatest()).isEmpty)
        #expect(scene.room.bids.latest(of: scene.bidder.id)?.amount == FormatFixture.money(300))
        #expect(scene.room.leaderMaximum == nil)
    }

    @Test func `a log without voided maxima replays to the same room as before`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        try scene.bid(600, by: scene.rival)
        let gone = try #require(scene.room.bids.latestExplicit)
        scene.given(
            .bidRetracted(
                BidRetracted(
                    bid: gone.id, bidder: gone.bidder, by: scene.host, reason: "slip", removed: [gone.id],
                    price: FormatFixture.money(100), leader: scene.bidder, nextMinimum: FormatFixture.money(110),
                    reserveMet: nil)))
        #expect(units(scene) == 500)
        #expect(try scene.replayed() == scene.room)
    }
}
