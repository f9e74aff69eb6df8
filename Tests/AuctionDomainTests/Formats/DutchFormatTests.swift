import AuctionDomain
import AuctionTestKit
import Testing

struct DutchFormatTests {
    private func scene() throws -> Scenario { try .auctioning(FormatFixture.dutch()) }

    private func asks(_ scene: Scenario) -> Int64? { scene.room.askingPrice?.minorUnits }

    private func untilDrop(_ scene: Scenario) -> Int64? {
        scene.room.nextDropAt.map { $0.milliseconds(since: scene.instant) }
    }

    @Test func `the asking price begins at the starting price, and the deadline is one tick after the floor`() throws {
        let scene = try scene()
        #expect(asks(scene) == 100)
        #expect(scene.room.currentPrice == FormatFixture.money(100))
        #expect(untilDrop(scene) == 10000)
        // Prices: 100, 70, 40, 20.
        #expect(scene.left == 40000)
    }

    @Test func `the price drops every tick down to the floor, where the last step is clamped`() throws {
        var scene = try scene()
        var seen: [Int64?] = []
        for _ in 0..<3 {
            scene.wait(milliseconds: 10000)
            seen.append(asks(scene))
        }
        #expect(seen == [70, 40, 20])
        #expect(scene.room.nextDropAt == nil)
        scene.wait(milliseconds: 9999)
        #expect(scene.room.state == .auctioning)
        scene.wait(milliseconds: 1)
        #expect(scene.room.state == .closed)
        #expect(scene.outcome == "no_bids")
    }

    @Test func `the first bid at or above the asking price wins at the asking price`() throws {
        var scene = try scene()
        scene.wait(milliseconds: 10000)
        #expect(scene.code(bid: 69, by: scene.bidder) == "bid.below_minimum")
        #expect(bids(in: try scene.bid(95, by: scene.bidder)) == ["Xu 70"])
        #expect(scene.outcome == "Xu for 70")
        #expect(scene.room.state == .closed)
        #expect(scene.wait(milliseconds: 60000).isEmpty)
    }

    @Test func `a maximum is refused`() throws {
        let scene = try scene()
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 100), maximum: .init(minorUnits: 120)))
        #expect(scene.refusal(of: command, by: scene.bidder)?.kind == .malformed(field: "maximum"))
    }

    @Test func `a late timer keeps the schedule, one drop at a time`() throws {
        var scene = try scene()
        scene.skip(milliseconds: 25000)
        let events = scene.wait(milliseconds: 0)
        let drops = events.compactMap { body -> Int64? in
            guard case .priceDropped(let price, _) = body else { return nil }
            return price.minorUnits
        }
        #expect(drops == [70, 40])
        #expect(untilDrop(scene) == 5000)
    }

    @Test func `after an outage the last price remains for at least a tick, or a minute if the tick is longer`() throws {
        var scene = try scene()
        scene.wait(milliseconds: 10000)
        scene.skip(milliseconds: 100_000)
        #expect(moves(in: scene.serviceReturns()).map(\.cause) == [.outage])
        #expect(asks(scene) == 70)
        #expect(untilDrop(scene) == 10000)
        #expect(scene.left == 30000)
        scene = try .auctioning(FormatFixture.dutch(tick: 600))
        scene.wait(milliseconds: 590_000)
        scene.serviceReturns()
        #expect(untilDrop(scene) == 60000)
        #expect(scene.serviceReturns().isEmpty)
    }

    @Test func `at the floor an outage extends only the deadline`() throws {
        var scene = try scene()
        scene.wait(milliseconds: 35000)
        scene.serviceReturns()
        #expect(scene.room.nextDropAt == nil)
        #expect(scene.left == 10000)
    }

    @Test func `a pause keeps the remaining time of the tick`() throws {
        var scene = try scene()
        scene.wait(milliseconds: 4000)
        try scene.perform(.pause(AuctionTransition()), by: scene.host)
        #expect(scene.wait(milliseconds: 60000).isEmpty)
        try scene.perform(.resume(AuctionTransition()), by: scene.host)
        #expect(asks(scene) == 100)
        #expect(untilDrop(scene) == 6000)
        #expect(scene.left == 36000)
    }

    @Test func `a cancelled round has no asking price`() throws {
        var scene = try scene()
        scene.wait(milliseconds: 10000)
        try scene.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scene.host)
        #expect(scene.room.askingPrice == nil)
        #expect(scene.room.currentPrice == nil)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        #expect(asks(scene) == 100)
    }

    @Test func `a floor equal to the starting price gives one price for one tick`() throws {
        var scene = try Scenario.auctioning(FormatFixture.dutch(floor: 100))
        #expect(scene.room.nextDropAt == nil)
        #expect(scene.left == 10000)
        try scene.bid(100, by: scene.rival)
        #expect(scene.outcome == "Yves for 100")
    }
}
