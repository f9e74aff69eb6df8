import AuctionDomain
import AuctionTestKit
import Testing

struct ReserveTests {
    @Test func `an unmet reserve passes the item`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        #expect(scene.rulebook.reserveMet(in: scene.room) == false)
        try scene.bid(299, by: scene.bidder)
        #expect(scene.rulebook.reserveMet(in: scene.room) == false)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "reserve_not_met")
    }

    @Test func `a bid at the reserve meets it`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        let events = try scene.bid(300, by: scene.bidder)
        guard case .bidPlaced(let bid) = events[0] else { throw ScenarioError() }
        #expect(bid.reserveMet == true)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "Xu for 300")
    }

    @Test func `without a reserve it is not reported as met or unmet`() throws {
        let scene = try Scenario.auctioning(FormatFixture.rules())
        #expect(scene.rulebook.reserveMet(in: scene.room) == nil)
    }

    @Test func `a round without bids passes for that reason, not for an unmet reserve`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "no_bids")
    }

    @Test func `a proxy whose maximum reaches the reserve jumps to it`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        #expect(bids(in: try scene.bid(100, upTo: 300, by: scene.bidder)) == ["Xu 300"])
        scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        try scene.bid(100, upTo: 200, by: scene.bidder)
        #expect(bids(in: try scene.bid(upTo: 350, by: scene.rival)) == ["Yves 300"])
    }

    @Test func `a maximum raised to the reserve jumps to it and moves the countdown`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules(reserve: 300))
        try scene.bid(100, upTo: 200, by: scene.bidder)
        scene.wait(milliseconds: 6000)
        let events = try scene.bid(upTo: 400, by: scene.bidder)
        #expect(bids(in: events) == ["Xu 300*"])
        #expect(moves(in: events).map(\.cause) == [.maximum])
        #expect(moves(in: events).map(\.extendedBySeconds) == [6])
        #expect(scene.left == 15000)
        #expect(scene.room.leaderMaximum == FormatFixture.money(400))
        // The price is at the reserve: raising the maximum further does not change it.
        #expect(try scene.bid(upTo: 900, by: scene.bidder).count == 1)
    }
}

struct BuyNowTests {
    private func scene(start: Int64 = 100, reserve: Int64? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(start: start, reserve: reserve, buyNow: 500))
    }

    @Test func `a bid at or above the buy-now price wins at exactly this price and ends the round`() throws {
        for amount in [500, 900] as [Int64] {
            var scene = try scene()
            #expect(bids(in: try scene.bid(amount, by: scene.bidder)) == ["Xu 500"])
            #expect(scene.room.state == .closed)
            #expect(scene.outcome == "Xu for 500")
        }
    }

    @Test func `the next minimum is never above the buy-now price`() throws {
        var scene = try scene()
        try scene.bid(495, by: scene.bidder)
        #expect(scene.room.nextMinimum(scene) == 500)
        try scene.bid(500, by: scene.rival)
        #expect(scene.outcome == "Yves for 500")
    }

    @Test func `the leader may take the buy-now price`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        #expect(scene.code(bid: 499, by: scene.bidder) == "bid.already_leading")
        try scene.bid(500, by: scene.bidder)
        #expect(scene.outcome == "Xu for 500")
    }

    @Test func `a maximum alone never buys`() throws {
        var scene = try scene()
        #expect(bids(in: try scene.bid(upTo: 900, by: scene.bidder)) == ["Xu 100"])
        #expect(scene.room.state == .auctioning)
        try scene.bid(upTo: 1000, by: scene.bidder)
        #expect(scene.standing == "Xu at 100")
        #expect(scene.room.state == .auctioning)
    }

    @Test func `a maximum alone does not buy where the reserve is the buy-now price either`() throws {
        var scene = try scene(reserve: 500)
        #expect(bids(in: try scene.bid(100, upTo: 900, by: scene.bidder)) == ["Xu 100"])
        #expect(scene.room.state == .auctioning)
    }

    @Test func `when competing maxima reach the buy-now price the earlier buys at exactly this price`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 600, by: scene.bidder)
        #expect(bids(in: try scene.bid(110, upTo: 900, by: scene.rival)) == ["(Yves 500)", "Xu 500*"])
        #expect(scene.outcome == "Xu for 500")
    }

    @Test func `a plain bid competes as a maximum, so an earlier maximum at the buy-now price buys`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        #expect(bids(in: try scene.bid(500, by: scene.rival)) == ["(Yves 500)", "Xu 500*"])
        #expect(scene.outcome == "Xu for 500")
    }

    @Test func `a maximum that is driven to the buy-now price by a competing bid buys`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 495, by: scene.bidder)
        #expect(bids(in: try scene.bid(110, upTo: 700, by: scene.rival)) == ["Yves 500"])
        #expect(scene.outcome == "Yves for 500")
    }
}
