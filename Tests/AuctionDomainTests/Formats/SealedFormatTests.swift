import AuctionDomain
import AuctionTestKit
import Testing

struct SealedFormatTests {
    private static let names: [AuctionFormatName] = [.sealedFirstPrice, .vickrey]

    @Test(arguments: names) func `amounts and the reserve are hidden before the close`(_ name: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name, reserve: 200))
        let events = try scenario.bid(300, by: scenario.bidder)
        guard case .bidPlaced(let bid) = events[0] else { throw ScenarioError() }
        #expect(bid.isSealed)
        #expect(!bid.leading)
        #expect(bid.reserveMet == nil)
        #expect(bid.nextMinimum == FormatFixture.money(100))
        #expect(scenario.room.currentBid == nil)
        #expect(scenario.room.currentPrice == nil)
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == nil)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == true)
    }

    @Test(arguments: names) func `a bidder may only raise their bid, and the minimum reveals nothing about other bids`(
        _ name: AuctionFormatName
    ) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name))
        try scenario.bid(500, by: scenario.rival)
        try scenario.bid(200, by: scenario.bidder)
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200)))
        let refusal = try #require(scenario.refusal(of: command, by: scenario.bidder))
        #expect(refusal.code == "bid.below_minimum")
        #expect(refusal.required == "2.01")
        try scenario.bid(201, by: scenario.bidder)
        #expect(scenario.room.bids.latest(of: scenario.bidder.id)?.amount == FormatFixture.money(201))
    }

    @Test(arguments: names) func `the countdown is fixed`(_ name: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name))
        scenario.wait(milliseconds: 14_000)
        try scenario.bid(200, by: scenario.bidder)
        #expect(scenario.left == 1000)
        #expect(try scenario.retractLatest().count == 1)
        #expect(scenario.left == 1000)
    }

    @Test(arguments: names) func `a maximum is refused`(_ name: AuctionFormatName) throws {
        let scenario = try Scenario.auctioning(FormatFixture.sealed(name))
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200), maximum: .init(minorUnits: 300)))
        #expect(scenario.refusal(of: command, by: scenario.bidder)?.kind == .malformed(field: "maximum"))
    }

    @Test(arguments: names) func `an unmet reserve passes the item`(_ name: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name, reserve: 300))
        try scenario.bid(299, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "reserve_not_met")
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == false)
    }

    @Test(arguments: names) func `a replaced bid counts from the time of the replacement`(_ name: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name))
        try scenario.bid(200, by: scenario.bidder)
        try scenario.bid(300, by: scenario.rival)
        try scenario.bid(300, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "Yves for 300")
    }

    @Test(arguments: names) func `a retraction restores the bidder's earlier bid`(_ name: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(name))
        try scenario.bid(200, by: scenario.bidder)
        try scenario.bid(150, by: scenario.rival)
        try scenario.bid(900, by: scenario.rival)
        guard case .bidRetracted(let retracted) = try scenario.retractLatest()[0] else { throw ScenarioError() }
        #expect(retracted.price == nil)
        #expect(retracted.leader == nil)
        #expect(scenario.room.bids.latest(of: scenario.rival.id)?.amount == FormatFixture.money(150))
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == (name == .vickrey ? "Xu for 150" : "Xu for 200"))
    }

    @Test func `the highest bidder pays their own amount`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(.sealedFirstPrice))
        try scenario.bid(200, by: scenario.bidder)
        try scenario.bid(700, by: scenario.rival)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "Yves for 700")
    }

    @Test func `the seed of a draw is committed at listing and revealed at the close`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(.sealedFirstPrice, tie: .draw))
        let seed = try #require(scenario.room.drawSeed)
        #expect(scenario.history.contains { $0.body == .drawCommitted(seed: seed) })
        try scenario.bid(300, by: scenario.rival)
        try scenario.bid(300, by: scenario.bidder)
        let events = scenario.wait(milliseconds: 15000)
        #expect(events.contains(.drawRevealed(seed: seed)))
        // The winner has index `seed mod count` among the tied bidders, ordered by id.
        #expect(scenario.outcome == (seed.bits % 2 == 0 ? "Xu for 300" : "Yves for 300"))
    }

    @Test func `without a draw there is no seed`() throws {
        #expect(try Scenario.auctioning(FormatFixture.sealed(.vickrey)).room.drawSeed == nil)
    }

    @Test func `the seed of a cancelled round is not used in the next`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(.vickrey, tie: .draw))
        let seed = scenario.room.drawSeed
        try scenario.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scenario.host)
        #expect(scenario.room.drawSeed == nil)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.drawSeed != seed)
    }
}

struct VickreyTests {
    private func outcome(_ amounts: [(Int64, rival: Bool)], reserve: Int64? = nil) throws -> String? {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(.vickrey, reserve: reserve))
        for (amount, isRival) in amounts { try scenario.bid(amount, by: isRival ? scenario.rival : scenario.bidder) }
        scenario.wait(milliseconds: 15000)
        return scenario.outcome
    }

    @Test func `the winner pays the second-highest amount`() throws {
        #expect(try outcome([(200, rival: false), (700, rival: true)]) == "Yves for 200")
    }

    @Test func `the winner's own earlier bid does not count as second highest`() throws {
        #expect(try outcome([(150, rival: false), (600, rival: true), (700, rival: true)]) == "Yves for 150")
    }

    @Test func `with tied highest bids the winner pays that amount`() throws {
        #expect(try outcome([(500, rival: false), (500, rival: true)]) == "Xu for 500")
    }

    @Test func `a single bidder pays the starting price, or the reserve if there is one`() throws {
        #expect(try outcome([(700, rival: true)]) == "Yves for 100")
        #expect(try outcome([(700, rival: true)], reserve: 300) == "Yves for 300")
    }

    @Test func `the winner pays the reserve if it is above the second-highest amount`() throws {
        #expect(try outcome([(200, rival: false), (700, rival: true)], reserve: 300) == "Yves for 300")
        #expect(try outcome([(400, rival: false), (700, rival: true)], reserve: 300) == "Yves for 400")
    }

    @Test func `after the close amounts are visible, except the winner's, which only the winner sees`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(.vickrey))
        let format = try #require(scenario.rulebook.format(of: scenario.room))
        try scenario.bid(200, by: scenario.bidder)
        try scenario.bid(700, by: scenario.rival)
        let (loser, winner) = (scenario.bidder.id, scenario.rival.id)
        #expect(format.showsAmount(of: winner, after: nil, to: winner))
        #expect(!format.showsAmount(of: winner, after: nil, to: loser))
        #expect(!format.showsAmount(of: loser, after: nil, to: scenario.host.id))
        #expect(!format.showsAmount(of: loser, after: nil, to: nil))
        scenario.wait(milliseconds: 15000)
        let outcome = try #require(scenario.room.currentResult?.outcome)
        #expect(format.showsAmount(of: loser, after: outcome, to: nil))
        #expect(format.showsAmount(of: winner, after: outcome, to: winner))
        #expect(!format.showsAmount(of: winner, after: outcome, to: nil))
        let open = try #require(scenario.rulebook.formats[.english])
        #expect(open.showsAmount(of: winner, after: outcome, to: nil))
    }
}
