import AuctionDomain
import AuctionTestKit
import Testing

/// To whom an offer is not made, how many stand at a time, and what a bidder may owe who accepts one.
struct OfferLimitTests {
    private let void = Command.result(.void(round: 1, reason: "Not paid.", offersNext: true))

    private func answer(_ offer: ItemOffer) -> Command { .result(.answer(offer.id, accepts: true)) }

    @Test func `a host who was the next bidder is not offered what they void`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.host", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10_000, by: scenario.rival)
        try scenario.bid(11_000, by: scenario.host)
        try scenario.bid(12_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        #expect(scenario.room.results.last?.afterwards.runnerUp?.person == scenario.host)
        #expect(scenario.refusal(of: void, by: scenario.host)?.code == "offer.no_bidder")
        #expect(scenario.room.results.last?.isVoid == false)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        #expect(scenario.refusal(of: void, by: scenario.host)?.code == "offer.no_bidder", "nor once it is voided")
    }

    @Test func `a seller to whom the next bidder was linked is not offered their own lot`() throws {
        var scenario = try VoidTests.withSoldLot()
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.auctioneer)
        #expect(scenario.room.results.last?.afterwards.runnerUp?.person == scenario.auctioneer)
        #expect(scenario.refusal(of: void, by: scenario.host)?.code == "offer.no_bidder")
    }

    @Test func `a bidder who has become the seller by a link may decline the offer, but not accept it`() throws {
        var scenario = try VoidTests.withSoldLot()
        try scenario.perform(void, by: scenario.host)
        let offer = try #require(scenario.room.offers.first)
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.auctioneer)
        #expect(scenario.room.offers.first?.to.id == scenario.auctioneer.id)
        #expect(scenario.refusal(of: answer(offer), by: scenario.auctioneer)?.code == "offer.own")
        try scenario.perform(.result(.answer(offer.id, accepts: false)), by: scenario.auctioneer)
        #expect(scenario.room.offers.isEmpty)
    }

    @Test func `a bounded number of offers stands at a time`() throws {
        var scenario = try VoidTests.withSoldLot()
        for number in 1...ItemOffer.limit {
            #expect(scenario.refusal(of: void, by: scenario.host) == nil, "after \(number - 1)")
            let offer = ItemOffer(
                id: OfferID(bits: UInt128(number)), round: number + 1, lot: nil, to: scenario.bidder,
                price: Money(minorUnits: 100), expiresAt: scenario.instant + Seconds(number))
            scenario.given(.offer(.made(offer, cause: nil)))
        }
        let refusal = try #require(scenario.refusal(of: void, by: scenario.host))
        #expect(refusal.code == "offer.too_many" && refusal.kind == .conflict)
        #expect(refusal.required == "100" && refusal.actual == "101")
        #expect(scenario.room.results.last?.isVoid == false, "nothing is voided")
        scenario.wait(milliseconds: 1000)
        try scenario.perform(void, by: scenario.host)
        #expect(scenario.room.offers.count == ItemOffer.limit)
        #expect(try scenario.replayed() == scenario.room)
    }

    /// A room with an offer of 110.00 to the rival, who may owe 300.00.
    private func withOffer() throws -> (scenario: Scenario, offer: ItemOffer) {
        var scenario = try VoidTests.withSoldLot()
        try scenario.perform(void, by: scenario.host)
        let limit = MemberChanges(creditLimit: Money(minorUnits: 30_000))
        try scenario.perform(.changeMember(scenario.rival.id, limit), by: scenario.host)
        return (scenario, try #require(scenario.room.offers.first))
    }

    @Test func `waiting absentee bids count beside an offer that is accepted`() throws {
        var (scenario, offer) = try withOffer()
        try scenario.leave(19_001, on: "A2", by: scenario.rival)
        let refusal = try #require(scenario.refusal(of: answer(offer), by: scenario.rival))
        #expect(refusal.code == "offer.over_credit" && refusal.actual == "300.01" && refusal.required == "300.00")
        try scenario.leave(19_000, on: "A2", by: scenario.rival)
        #expect(scenario.refusal(of: answer(offer), by: scenario.rival) == nil)
        try scenario.perform(answer(offer), by: scenario.rival)
        #expect(scenario.room.results.amountWon(by: scenario.rival.id) == Money(minorUnits: 11_000))
    }

    @Test func `a bid that leads counts beside an offer up to its maximum, and one that is outbid does not`() throws {
        var (scenario, offer) = try withOffer()
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.openBidding()
        try scenario.bid(upTo: 20_000, by: scenario.rival)
        #expect(scenario.standing == "Yves at 10000")
        let refusal = try #require(scenario.refusal(of: answer(offer), by: scenario.rival))
        #expect(refusal.code == "offer.over_credit" && refusal.actual == "310.00")
        try scenario.bid(21_000, by: scenario.bidder)
        #expect(scenario.refusal(of: answer(offer), by: scenario.rival) == nil)
    }
}
