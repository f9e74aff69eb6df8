import AuctionDomain
import AuctionTestKit
import Testing

struct ReserveTests {
    @Test func `an unmet reserve passes the item`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == false)
        try scenario.bid(299, by: scenario.bidder)
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == false)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "reserve_not_met")
    }

    @Test func `a bid at the reserve meets it`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        let events = try scenario.bid(300, by: scenario.bidder)
        guard case .bidPlaced(let bid) = events[0] else { throw ScenarioError() }
        #expect(bid.reserveMet == true)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "Xu for 300")
    }

    @Test func `without a reserve it is not reported as met or unmet`() throws {
        let scenario = try Scenario.auctioning(FormatFixture.rules())
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == nil)
    }

    @Test func `a round without bids passes for that reason, not for an unmet reserve`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        scenario.wait(milliseconds: 15000)
        #expect(scenario.outcome == "no_bids")
    }

    @Test func `a proxy whose maximum reaches the reserve jumps to it`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        #expect(bids(in: try scenario.bid(100, upTo: 300, by: scenario.bidder)) == ["Xu 300"])
        scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(upTo: 350, by: scenario.rival)) == ["Yves 300"])
    }

    @Test func `a maximum raised to the reserve jumps to it and moves the countdown`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        scenario.wait(milliseconds: 6000)
        let events = try scenario.bid(upTo: 400, by: scenario.bidder)
        #expect(bids(in: events) == ["Xu 300*"])
        #expect(moves(in: events).map(\.cause) == [.maximum])
        #expect(moves(in: events).map(\.extendedBySeconds) == [6])
        #expect(scenario.left == 15000)
        #expect(scenario.room.leaderMaximum == FormatFixture.money(400))
        // The price is at the reserve: raising the maximum further does not change it.
        #expect(try scenario.bid(upTo: 900, by: scenario.bidder).count == 1)
    }
}

struct BuyNowTests {
    private func scenario(start: Int64 = 100, reserve: Int64? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(start: start, reserve: reserve, buyNow: 500))
    }

    @Test func `a bid at or above the buy-now price wins at exactly this price and ends the round`() throws {
        for amount in [500, 900] as [Int64] {
            var scenario = try scenario()
            #expect(bids(in: try scenario.bid(amount, by: scenario.bidder)) == ["Xu 500"])
            #expect(scenario.room.state == .closed)
            #expect(scenario.outcome == "Xu for 500")
        }
    }

    @Test func `the next minimum is never above the buy-now price`() throws {
        var scenario = try scenario()
        try scenario.bid(495, by: scenario.bidder)
        #expect(scenario.room.nextMinimum(scenario) == 500)
        try scenario.bid(500, by: scenario.rival)
        #expect(scenario.outcome == "Yves for 500")
    }

    @Test func `the leader may take the buy-now price`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.code(bid: 499, by: scenario.bidder) == "bid.already_leading")
        try scenario.bid(500, by: scenario.bidder)
        #expect(scenario.outcome == "Xu for 500")
    }

    @Test func `a maximum alone never buys`() throws {
        var scenario = try scenario()
        #expect(bids(in: try scenario.bid(upTo: 900, by: scenario.bidder)) == ["Xu 100"])
        #expect(scenario.room.state == .auctioning)
        try scenario.bid(upTo: 1000, by: scenario.bidder)
        #expect(scenario.standing == "Xu at 100")
        #expect(scenario.room.state == .auctioning)
    }

    @Test func `a maximum alone is refused where the next bid is the buy-now price, which the refusal names`() throws {
        var scenario = try scenario()
        try scenario.bid(490, by: scenario.bidder)
        let refusal = scenario.refusal(
            of: .placeBid(PlaceBid(amount: nil, maximum: FormatFixture.money(900))), by: scenario.rival)
        #expect(refusal?.code == "bid.names_no_price")
        #expect(refusal?.required == "5.00")
        #expect(scenario.code(bid: nil, upTo: 499, by: scenario.rival) == "bid.below_minimum")
        #expect(try scenario.bid(upTo: 900, by: scenario.bidder).count == 1, "the leader only raises theirs")
        try scenario.bid(500, upTo: 900, by: scenario.rival)
        #expect(scenario.outcome == "Xu for 500", "whose maximum reached the price first")
    }

    @Test func `a maximum alone is refused where the starting price is the buy-now price`() throws {
        let scenario = try scenario(start: 500)
        #expect(scenario.code(bid: nil, upTo: 500, by: scenario.bidder) == "bid.names_no_price")
        #expect(scenario.code(bid: 500, by: scenario.bidder) == nil)
    }

    @Test func `a maximum alone does not buy where the reserve is the buy-now price either`() throws {
        var scenario = try scenario(reserve: 500)
        #expect(bids(in: try scenario.bid(100, upTo: 900, by: scenario.bidder)) == ["Xu 100"])
        #expect(scenario.room.state == .auctioning)
    }

    @Test func `when competing maxima reach the buy-now price the earlier buys at exactly this price`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 600, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(110, upTo: 900, by: scenario.rival)) == ["(Yves 500)", "Xu 500*"])
        #expect(scenario.outcome == "Xu for 500")
    }

    @Test func `a plain bid competes as a maximum, so an earlier maximum at the buy-now price buys`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(500, by: scenario.rival)) == ["(Yves 500)", "Xu 500*"])
        #expect(scenario.outcome == "Xu for 500")
    }

    @Test func `a maximum that is driven to the buy-now price by a competing bid buys`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 495, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(110, upTo: 700, by: scenario.rival)) == ["Yves 500"])
        #expect(scenario.outcome == "Yves for 500")
    }
}
