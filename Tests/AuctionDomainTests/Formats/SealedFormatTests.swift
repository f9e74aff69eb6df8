import AuctionDomain
import AuctionTestKit
import Testing

struct SealedFormatTests {
    private static let names: [AuctionFormatName] = [.sealedFirstPrice, .vickrey]

    @Test(arguments: names) func `amounts and the reserve are hidden before the close`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name, reserve: 200))
        let events = try scene.bid(300, by: scene.bidder)
        guard case .bidPlaced(let bid) = events[0] else { throw ScenarioError() }
        #expect(bid.isSealed)
        #expect(!bid.leading)
        #expect(bid.reserveMet == nil)
        #expect(bid.nextMinimum == FormatFixture.money(100))
        #expect(scene.room.currentBid == nil)
        #expect(scene.room.currentPrice == nil)
        #expect(scene.rulebook.reserveMet(in: scene.room) == nil)
        scene.wait(milliseconds: 15000)
        #expect(scene.rulebook.reserveMet(in: scene.room) == true)
    }

    @Test(arguments: names) func `a bidder may only raise their bid, and the minimum reveals nothing about other bids`(
        _ name: AuctionFormatName
    ) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name))
        try scene.bid(500, by: scene.rival)
        try scene.bid(200, by: scene.bidder)
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200)))
        let refusal = try #require(scene.refusal(of: command, by: scene.bidder))
        #expect(refusal.code == "bid.below_minimum")
        #expect(refusal.required == "2.01")
        try scene.bid(201, by: scene.bidder)
        #expect(scene.room.bids.latest(of: scene.bidder.id)?.amount == FormatFixture.money(201))
    }

    @Test(arguments: names) func `the countdown is fixed`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name))
        scene.wait(milliseconds: 14_000)
        try scene.bid(200, by: scene.bidder)
        #expect(scene.left == 1000)
        #expect(try scene.retractLatest().count == 1)
        #expect(scene.left == 1000)
    }

    @Test(arguments: names) func `a maximum is refused`(_ name: AuctionFormatName) throws {
        let scene = try Scenario.auctioning(FormatFixture.sealed(name))
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200), maximum: .init(minorUnits: 300)))
        #expect(scene.refusal(of: command, by: scene.bidder)?.kind == .malformed(field: "maximum"))
    }

    @Test(arguments: names) func `an unmet reserve passes the item`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name, reserve: 300))
        try scene.bid(299, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "reserve_not_met")
        #expect(scene.rulebook.reserveMet(in: scene.room) == false)
    }

    @Test(arguments: names) func `a replaced bid counts from the time of the replacement`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(300, by: scene.rival)
        try scene.bid(300, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "Yves for 300")
    }

    @Test(arguments: names) func `a retraction restores the bidder's earlier bid`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(name))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(150, by: scene.rival)
        try scene.bid(900, by: scene.rival)
        guard case .bidRetracted(let retracted) = try scene.retractLatest()[0] else { throw ScenarioError() }
        #expect(retracted.price == nil)
        #expect(retracted.leader == nil)
        #expect(scene.room.bids.latest(of: scene.rival.id)?.amount == FormatFixture.money(150))
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == (name == .vickrey ? "Xu for 150" : "Xu for 200"))
    }

    @Test func `the highest bidder pays their own amount`() throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(.sealedFirstPrice))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(700, by: scene.rival)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "Yves for 700")
    }

    @Test func `the seed of a draw is committed at listing and revealed at the close`() throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(.sealedFirstPrice, tie: .draw))
        let seed = try #require(scene.room.drawSeed)
        #expect(scene.history.contains { $0.body == .drawCommitted(seed: seed) })
        try scene.bid(300, by: scene.rival)
        try scene.bid(300, by: scene.bidder)
        let events = scene.wait(milliseconds: 15000)
        #expect(events.contains(.drawRevealed(seed: seed)))
        // The winner has index `seed mod count` among the tied bidders, ordered by id.
        #expect(scene.outcome == (seed.bits % 2 == 0 ? "Xu for 300" : "Yves for 300"))
    }

    @Test func `without a draw there is no seed`() throws {
        #expect(try Scenario.auctioning(FormatFixture.sealed(.vickrey)).room.drawSeed == nil)
    }

    @Test func `the seed of a cancelled round is not used in the next`() throws {
        var scene = try Scenario.auctioning(FormatFixture.sealed(.vickrey, tie: .draw))
        let seed = scene.room.drawSeed
        try scene.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scene.host)
        #expect(scene.room.drawSeed == nil)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        #expect(scene.room.drawSeed != seed)
    }
}

struct VickreyTests {
    private func outcome(_ amounts: [(Int64, rival: Bool)], reserve: Int64? = nil) throws -> String? {
        var scene = try Scenario.auctioning(FormatFixture.sealed(.vickrey, reserve: reserve))
        for (amount, isRival) in amounts { try scene.bid(amount, by: isRival ? scene.rival : scene.bidder) }
        scene.wait(milliseconds: 15000)
        return scene.outcome
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
        var scene = try Scenario.auctioning(FormatFixture.sealed(.vickrey))
        let format = try #require(scene.rulebook.format(of: scene.room))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(700, by: scene.rival)
        let (lost, won) = (scene.room.bids[0], scene.room.bids[1])
        #expect(format.showsAmount(of: won, in: scene.room, to: scene.rival.id))
        #expect(!format.showsAmount(of: won, in: scene.room, to: scene.bidder.id))
        #expect(!format.showsAmount(of: lost, in: scene.room, to: scene.host.id))
        #expect(!format.showsAmount(of: lost, in: scene.room, to: nil))
        scene.wait(milliseconds: 15000)
        #expect(format.showsAmount(of: lost, in: scene.room, to: nil))
        #expect(format.showsAmount(of: won, in: scene.room, to: scene.rival.id))
        #expect(!format.showsAmount(of: won, in: scene.room, to: nil))
        let open = try #require(scene.rulebook.formats[.english])
        #expect(open.showsAmount(of: won, in: scene.room, to: nil))
    }
}
