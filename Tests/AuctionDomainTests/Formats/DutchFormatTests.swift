import AuctionDomain
import AuctionTestKit
import Testing

struct DutchFormatTests {
    private func scenario() throws -> Scenario { try .auctioning(FormatFixture.dutch()) }

    private func asks(_ scenario: Scenario) -> Int64? { scenario.room.askingPrice?.minorUnits }

    private func untilDrop(_ scenario: Scenario) -> Int64? {
        scenario.room.nextDropAt.map { $0.milliseconds(since: scenario.instant) }
    }

    @Test func `the asking price begins at the starting price, and the deadline is one tick after the floor`() throws {
        let scenario = try scenario()
        #expect(asks(scenario) == 100)
        #expect(scenario.room.currentPrice == FormatFixture.money(100))
        #expect(untilDrop(scenario) == 10000)
        // Prices: 100, 70, 40, 20.
        #expect(scenario.left == 40000)
    }

    @Test func `the price drops every tick down to the floor, where the last step is clamped`() throws {
        var scenario = try scenario()
        var seen: [Int64?] = []
        for _ in 0..<3 {
            scenario.wait(milliseconds: 10000)
            seen.append(asks(scenario))
        }
        #expect(seen == [70, 40, 20])
        #expect(scenario.room.nextDropAt == nil)
        scenario.wait(milliseconds: 9999)
        #expect(scenario.room.state == .auctioning)
        scenario.wait(milliseconds: 1)
        #expect(scenario.room.state == .closed)
        #expect(scenario.outcome == "no_bids")
    }

    @Test func `the first bid at or above the asking price wins at the asking price`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 10000)
        #expect(scenario.code(bid: 69, by: scenario.bidder) == "bid.below_minimum")
        #expect(bids(in: try scenario.bid(95, by: scenario.bidder)) == ["Xu 70"])
        #expect(scenario.outcome == "Xu for 70")
        #expect(scenario.room.state == .closed)
        #expect(scenario.wait(milliseconds: 60000).isEmpty)
    }

    @Test func `a maximum is refused`() throws {
        let scenario = try scenario()
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 100), maximum: .init(minorUnits: 120)))
        #expect(scenario.refusal(of: command, by: scenario.bidder)?.kind == .malformed(field: "maximum"))
    }

    @Test func `a late timer keeps the schedule, one drop at a time`() throws {
        var scenario = try scenario()
        scenario.skip(milliseconds: 25000)
        let events = scenario.wait(milliseconds: 0)
        let drops = events.compactMap { body -> Int64? in
            guard case .priceDropped(let price, _) = body else { return nil }
            return price.minorUnits
        }
        #expect(drops == [70, 40])
        #expect(untilDrop(scenario) == 5000)
    }

    @Test func `after an outage the last price remains for at least a tick, or a minute if the tick is longer`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 10000)
        scenario.skip(milliseconds: 100_000)
        #expect(moves(in: scenario.serviceReturns()).map(\.cause) == [.outage])
        #expect(asks(scenario) == 70)
        #expect(untilDrop(scenario) == 10000)
        #expect(scenario.left == 30000)
        scenario = try .auctioning(FormatFixture.dutch(tick: 600))
        scenario.wait(milliseconds: 590_000)
        scenario.serviceReturns()
        #expect(untilDrop(scenario) == 60000)
        #expect(scenario.serviceReturns().isEmpty)
    }

    @Test func `at the floor an outage extends only the deadline`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 35000)
        scenario.serviceReturns()
        #expect(scenario.room.nextDropAt == nil)
        #expect(scenario.left == 10000)
    }

    @Test func `a pause keeps the remaining time of the tick`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 4000)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(scenario.wait(milliseconds: 60000).isEmpty)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(asks(scenario) == 100)
        #expect(untilDrop(scenario) == 6000)
        #expect(scenario.left == 36000)
    }

    @Test func `a cancelled round has no asking price`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 10000)
        try scenario.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scenario.host)
        #expect(scenario.room.askingPrice == nil)
        #expect(scenario.room.currentPrice == nil)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(asks(scenario) == 100)
    }

    @Test func `a floor equal to the starting price gives one price for one tick`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.dutch(floor: 100))
        #expect(scenario.room.nextDropAt == nil)
        #expect(scenario.left == 10000)
        try scenario.bid(100, by: scenario.rival)
        #expect(scenario.outcome == "Yves for 100")
    }
}
