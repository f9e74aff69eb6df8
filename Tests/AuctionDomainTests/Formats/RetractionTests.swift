import AuctionDomain
import AuctionTestKit
import Testing

struct RetractionTests {
    private func scenario(reserve: Int64? = nil) throws -> Scenario { try .auctioning(FormatFixture.rules(reserve: reserve)) }

    private func retracted(_ events: [EventBody]) throws -> BidRetracted {
        guard case .bidRetracted(let retracted) = events.first else { throw ScenarioError() }
        return retracted
    }

    @Test func `retracting the only bid removes the price`() throws {
        var scenario = try scenario()
        try scenario.bid(150, upTo: 400, by: scenario.bidder)
        let retracted = try retracted(try scenario.retractLatest())
        #expect(retracted.price == nil)
        #expect(retracted.leader == nil)
        #expect(retracted.nextMinimum == FormatFixture.money(100))
        #expect(scenario.standing == "no bid")
        #expect(scenario.room.leaderMaximum == nil)
        #expect(!scenario.room.hasBid(scenario.bidder.id))
    }

    @Test func `after a retraction the beaten bidder leads again at their price`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        try scenario.bid(upTo: 250, by: scenario.bidder)
        try scenario.bid(110, upTo: 400, by: scenario.rival)
        let retracted = try retracted(try scenario.retractLatest())
        #expect(retracted.price == FormatFixture.money(100))
        #expect(retracted.leader == scenario.bidder)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `retracting a beaten bid also removes the automatic bid it caused`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        let beaten = try scenario.bid(200, by: scenario.rival)
        let retracted = try retracted(try scenario.retractLatest())
        #expect(retracted.removed.count == beaten.count)
        #expect(scenario.standing == "Xu at 100")
        #expect(scenario.room.bids.count == 1)
        #expect(scenario.room.leaderMaximum == FormatFixture.money(500))
    }

    @Test func `a leader's raised maximum is kept when a challenger's bid is retracted`() throws {
        var scenario = try scenario(reserve: 450)
        try scenario.bid(100, upTo: 300, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        try scenario.bid(upTo: 500, by: scenario.bidder)
        #expect(scenario.standing == "Xu at 450")
        let retracted = try retracted(try scenario.retractLatest())
        #expect(retracted.removed.count == 2)
        #expect(retracted.reserveMet == true)
        #expect(scenario.standing == "Xu at 450")
        #expect(scenario.room.leaderMaximum == FormatFixture.money(500))
    }

    @Test func `retracting a bid also removes its raised maximum and the jump to the reserve`() throws {
        var scenario = try scenario(reserve: 450)
        try scenario.bid(100, by: scenario.rival)
        try scenario.bid(110, upTo: 300, by: scenario.bidder)
        try scenario.bid(upTo: 500, by: scenario.bidder)
        let retracted = try retracted(try scenario.retractLatest())
        #expect(retracted.removed.count == 2)
        #expect(retracted.reserveMet == false)
        #expect(scenario.standing == "Yves at 100")
        #expect(scenario.room.leaderMaximum == FormatFixture.money(100))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `bids can be retracted one by one down to the first`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 150, by: scenario.bidder)
        try scenario.bid(110, upTo: 400, by: scenario.rival)
        try scenario.bid(300, by: scenario.bidder)
        try scenario.bid(500, by: scenario.bidder)
        var seen = [scenario.standing]
        for _ in 0..<4 {
            try scenario.retractLatest()
            seen.append(scenario.standing)
        }
        #expect(seen == ["Xu at 500", "Yves at 310", "Yves at 160", "Xu at 100", "no bid"])
    }

    @Test func `only the host may retract, and only the latest bid that is not automatic`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 300, by: scenario.bidder)
        try scenario.bid(150, by: scenario.rival)
        let all = scenario.room.bids.all
        func code(_ bid: Bid, by person: Person) -> String? {
            scenario.refusal(of: .retractBid(bid.id, reason: ""), by: person)?.code
        }
        #expect(code(all[0], by: scenario.host) == "retract.not_latest")
        #expect(code(all[2], by: scenario.host) == "retract.not_latest")
        #expect(code(all[1], by: scenario.rival) == "retract.not_host")
        #expect(code(all[1], by: scenario.host) == nil)
    }

    @Test func `a retraction moves the countdown as a bid does, never backwards`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        scenario.wait(milliseconds: 5000)
        #expect(moves(in: try scenario.retractLatest()).map(\.cause) == [.retraction])
        #expect(scenario.left == 15000)
        scenario = try .auctioning(FormatFixture.rules(countdown: .fixed))
        try scenario.bid(100, by: scenario.bidder)
        scenario.wait(milliseconds: 5000)
        #expect(moves(in: try scenario.retractLatest()).isEmpty)
        #expect(scenario.left == 10000)
    }

    @Test func `while paused a retraction does not move the countdown`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        try scenario.bid(110, by: scenario.rival)
        scenario.wait(milliseconds: 5000)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(try scenario.retractLatest().count == 1)
        #expect(scenario.standing == "Xu at 100")
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(scenario.left == 10000)
    }

    @Test func `after a retraction the same bidder may bid again`() throws {
        var scenario = try scenario()
        try scenario.bid(100, by: scenario.bidder)
        try scenario.bid(900, by: scenario.rival)
        try scenario.retractLatest()
        try scenario.bid(110, by: scenario.rival)
        #expect(scenario.standing == "Yves at 110")
    }
}
