import AuctionDomain
import AuctionTestKit
import Testing

struct SealedFormatTests {
    private static let names: [AuctionFormatName] = [.sealedFirstPrice, .vickrey]

    @Test(arguments: names) func `nothing about amounts shows before the close`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name, reserve: 200))
        let events = try scene.bid(300, by: scene.bidder)
        guard case .bidPlaced(let bid) = events[0] else { throw ScenarioError() }
        #expect(bid.isSealed)
        #expect(!bid.leading)
        #expect(bid.reserveMet == nil)
        #expect(bid.nextMinimum == FormatScene.money(100))
        #expect(scene.room.currentBid == nil)
        #expect(scene.room.currentPrice == nil)
        #expect(scene.rulebook.reserveMet(in: scene.room) == nil)
        scene.wait(milliseconds: 15000)
        #expect(scene.rulebook.reserveMet(in: scene.room) == true)
    }

    @Test(arguments: names) func `a standing bid is replaced upward only, and tells nothing of others`(
        _ name: AuctionFormatName
    ) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name))
        try scene.bid(500, by: scene.rival)
        try scene.bid(200, by: scene.bidder)
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200)))
        let refusal = try #require(scene.refusal(of: command, by: scene.bidder))
        #expect(refusal.code == "bid.below_minimum")
        #expect(refusal.required == "2.01")
        try scene.bid(201, by: scene.bidder)
        #expect(scene.room.bids.latest(of: scene.bidder.id)?.amount == FormatScene.money(201))
    }

    @Test(arguments: names) func `the countdown is fixed`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name))
        scene.wait(milliseconds: 14_000)
        try scene.bid(200, by: scene.bidder)
        #expect(scene.left == 1000)
        #expect(try scene.retractLatest().count == 1)
        #expect(scene.left == 1000)
    }

    @Test(arguments: names) func `a maximum is refused`(_ name: AuctionFormatName) throws {
        let scene = try Scenario.auctioning(FormatScene.sealed(name))
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200), maximum: .init(minorUnits: 300)))
        #expect(scene.refusal(of: command, by: scene.bidder)?.kind == .malformed(field: "maximum"))
    }

    @Test(arguments: names) func `an unmet reserve passes the item`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name, reserve: 300))
        try scene.bid(299, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "reserve_not_met")
        #expect(scene.rulebook.reserveMet(in: scene.room) == false)
    }

    @Test(arguments: names) func `a replacement takes the new time`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(300, by: scene.rival)
        try scene.bid(300, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "Yves for 300")
    }

    @Test(arguments: names) func `a retraction restores the bidder's earlier bid`(_ name: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(name))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(150, by: scene.rival)
        try scene.bid(900, by: scene.rival)
        guard case .bidRetracted(let retracted) = try scene.retractLatest()[0] else { throw ScenarioError() }
        #expect(retracted.price == nil)
        #expect(retracted.leader == nil)
        #expect(scene.room.bids.latest(of: scene.rival.id)?.amount == FormatScene.money(150))
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == (name == .vickrey ? "Xu for 150" : "Xu for 200"))
    }

    @Test func `the highest sealed bid pays what it says`() throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(.sealedFirstPrice))
        try scene.bid(200, by: scene.bidder)
        try scene.bid(700, by: scene.rival)
        scene.wait(milliseconds: 15000)
        #expect(scene.outcome == "Yves for 700")
    }

    @Test func `a draw is committed when the item is listed and revealed when the hammer falls`() throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(.sealedFirstPrice, tie: .draw))
        let seed = try #require(scene.room.drawSeed)
        #expect(scene.history.contains { $0.body == .drawCommitted(seed: seed) })
        try scene.bid(300, by: scene.rival)
        try scene.bid(300, by: scene.bidder)
        let events = scene.wait(milliseconds: 15000)
        #expect(events.contains(.drawRevealed(seed: seed)))
        // The bidders in the order of their ids, the one at seed mod count.
        #expect(scene.outcome == (seed % 2 == 0 ? "Xu for 300" : "Yves for 300"))
    }

    @Test func `without a draw no seed is drawn`() throws {
        #expect(try Scenario.auctioning(FormatScene.sealed(.vickrey)).room.drawSeed == nil)
    }

    @Test func `a cancelled round's seed does not decide the next`() throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(.vickrey, tie: .draw))
        let seed = scene.room.drawSeed
        try scene.perform(.cancel(Advance(reason: "Rain.")), by: scene.host)
        #expect(scene.room.drawSeed == nil)
        try scene.perform(.startAuction(Advance()), by: scene.host)
        #expect(scene.room.drawSeed != seed)
    }
}

struct VickreyTests {
    private func outcome(_ amounts: [(Int64, rival: Bool)], reserve: Int64? = nil) throws -> String? {
        var scene = try Scenario.auctioning(FormatScene.sealed(.vickrey, reserve: reserve))
        for (amount, isRival) in amounts { try scene.bid(amount, by: isRival ? scene.rival : scene.bidder) }
        scene.wait(milliseconds: 15000)
        return scene.outcome
    }

    @Test func `the winner pays the second highest`() throws {
        #expect(try outcome([(200, rival: false), (700, rival: true)]) == "Yves for 200")
    }

    @Test func `the winner's own earlier bid is not the second highest`() throws {
        #expect(try outcome([(150, rival: false), (600, rival: true), (700, rival: true)]) == "Yves for 150")
    }

    @Test func `a tied top pays the top`() throws {
        #expect(try outcome([(500, rival: false), (500, rival: true)]) == "Xu for 500")
    }

    @Test func `a lone bidder pays the starting price, or the reserve`() throws {
        #expect(try outcome([(700, rival: true)]) == "Yves for 100")
        #expect(try outcome([(700, rival: true)], reserve: 300) == "Yves for 300")
    }

    @Test func `the reserve counts where it is above the second highest`() throws {
        #expect(try outcome([(200, rival: false), (700, rival: true)], reserve: 300) == "Yves for 300")
        #expect(try outcome([(400, rival: false), (700, rival: true)], reserve: 300) == "Yves for 400")
    }

    @Test func `after the close amounts show, except the winner's own to others`() throws {
        var scene = try Scenario.auctioning(FormatScene.sealed(.vickrey))
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
