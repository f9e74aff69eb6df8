import AuctionDomain
import AuctionTestKit
import Testing

struct RetractionTests {
    private func scene(reserve: Int64? = nil) throws -> Scenario { try .auctioning(FormatFixture.rules(reserve: reserve)) }

    private func retracted(_ events: [EventBody]) throws -> BidRetracted {
        guard case .bidRetracted(let retracted) = events.first else { throw ScenarioError() }
        return retracted
    }

    @Test func `retracting the only bid removes the price`() throws {
        var scene = try scene()
        try scene.bid(150, upTo: 400, by: scene.bidder)
        let retracted = try retracted(try scene.retractLatest())
        #expect(retracted.price == nil)
        #expect(retracted.leader == nil)
        #expect(retracted.nextMinimum == FormatFixture.money(100))
        #expect(scene.standing == "nobody")
        #expect(scene.room.leaderMaximum == nil)
        #expect(!scene.room.hasBid(scene.bidder.id))
    }

    @Test func `after a retraction the beaten bidder leads again at their price`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        try scene.bid(upTo: 250, by: scene.bidder)
        try scene.bid(110, upTo: 400, by: scene.rival)
        let retracted = try retracted(try scene.retractLatest())
        #expect(retracted.price == FormatFixture.money(100))
        #expect(retracted.leader == scene.bidder)
        #expect(try scene.replayed() == scene.room)
    }

    @Test func `retracting a beaten bid also removes the automatic bid it caused`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        let beaten = try scene.bid(200, by: scene.rival)
        let retracted = try retracted(try scene.retractLatest())
        #expect(retracted.removed.count == beaten.count)
        #expect(scene.standing == "Xu at 100")
        #expect(scene.room.bids.count == 1)
        #expect(scene.room.leaderMaximum == FormatFixture.money(500))
    }

    @Test func `a leader's raised maximum is kept when a challenger's bid is retracted`() throws {
        var scene = try scene(reserve: 450)
        try scene.bid(100, upTo: 300, by: scene.bidder)
        try scene.bid(200, by: scene.rival)
        try scene.bid(upTo: 500, by: scene.bidder)
        #expect(scene.standing == "Xu at 450")
        let retracted = try retracted(try scene.retractLatest())
        #expect(retracted.removed.count == 2)
        #expect(retracted.reserveMet == true)
        #expect(scene.standing == "Xu at 450")
        #expect(scene.room.leaderMaximum == FormatFixture.money(500))
    }

    @Test func `retracting a bid also removes its raised maximum and the jump to the reserve`() throws {
        var scene = try scene(reserve: 450)
        try scene.bid(100, by: scene.rival)
        try scene.bid(110, upTo: 300, by: scene.bidder)
        try scene.bid(upTo: 500, by: scene.bidder)
        let retracted = try retracted(try scene.retractLatest())
        #expect(retracted.removed.count == 2)
        #expect(retracted.reserveMet == false)
        #expect(scene.standing == "Yves at 100")
        #expect(scene.room.leaderMaximum == FormatFixture.money(100))
        #expect(try scene.replayed() == scene.room)
    }

    @Test func `bids can be retracted one by one down to the first`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 150, by: scene.bidder)
        try scene.bid(110, upTo: 400, by: scene.rival)
        try scene.bid(300, by: scene.bidder)
        try scene.bid(500, by: scene.bidder)
        var seen = [scene.standing]
        for _ in 0..<4 {
            try scene.retractLatest()
            seen.append(scene.standing)
        }
        #expect(seen == ["Xu at 500", "Yves at 310", "Yves at 160", "Xu at 100", "nobody"])
    }

    @Test func `only the host may retract, and only the latest bid that is not automatic`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 300, by: scene.bidder)
        try scene.bid(150, by: scene.rival)
        let all = scene.room.bids.all
        func code(_ bid: Bid, by person: Person) -> String? {
            scene.refusal(of: .retractBid(bid.id, reason: ""), by: person)?.code
        }
        #expect(code(all[0], by: scene.host) == "retract.not_latest")
        #expect(code(all[2], by: scene.host) == "retract.not_latest")
        #expect(code(all[1], by: scene.rival) == "retract.not_host")
        #expect(code(all[1], by: scene.host) == nil)
    }

    @Test func `a retraction moves the countdown as a bid does, never backwards`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        scene.wait(milliseconds: 5000)
        #expect(moves(in: try scene.retractLatest()).map(\.cause) == [.retraction])
        #expect(scene.left == 15000)
        scene = try .auctioning(FormatFixture.rules(countdown: .fixed))
        try scene.bid(100, by: scene.bidder)
        scene.wait(milliseconds: 5000)
        #expect(moves(in: try scene.retractLatest()).isEmpty)
        #expect(scene.left == 10000)
    }

    @Test func `while paused a retraction does not move the countdown`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        try scene.bid(110, by: scene.rival)
        scene.wait(milliseconds: 5000)
        try scene.perform(.pause(AuctionTransition()), by: scene.host)
        #expect(try scene.retractLatest().count == 1)
        #expect(scene.standing == "Xu at 100")
        try scene.perform(.resume(AuctionTransition()), by: scene.host)
        #expect(scene.left == 10000)
    }

    @Test func `after a retraction the same bidder may bid again`() throws {
        var scene = try scene()
        try scene.bid(100, by: scene.bidder)
        try scene.bid(900, by: scene.rival)
        try scene.retractLatest()
        try scene.bid(110, by: scene.rival)
        #expect(scene.standing == "Yves at 110")
    }
}
