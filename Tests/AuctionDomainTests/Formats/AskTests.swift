import AuctionDomain
import AuctionTestKit
import Testing

/// The host changes what the next bid must be: "I'll take 130".
struct AskTests {
    private func ask(_ minorUnits: Int64) -> Command { change(.nextMinimum(Money(minorUnits: minorUnits))) }
    private func increment(_ minorUnits: Int64) -> Command { change(.increment(.fixed(Money(minorUnits: minorUnits)))) }
    private func change(_ change: AskChange) -> Command { .auction(.ask(change), AuctionTransition()) }
    private func minimum(_ scenario: Scenario) -> Int64? { scenario.rulebook.nextMinimum(in: scenario.room)?.minorUnits }

    /// The bidder leads with 100.00; the next minimum is 110.00.
    private func bidding(buyNow: Int64? = nil) throws -> Scenario {
        var rules = try Scenario.withMembers().rules()
        rules.buyNowPrice = buyNow.map { Money(minorUnits: $0) }
        var scenario = try Scenario.auctioning(rules)
        try scenario.bid(10_000, by: scenario.bidder)
        return scenario
    }

    @Test func `an ask is the next minimum for everybody, in one event that leaves price and countdown as they are`() throws {
        for amount in [10_001, 10_500, 13_000] as [Int64] {
            var scenario = try bidding()
            let before = scenario.room
            let events = try scenario.perform(ask(amount), by: scenario.host)
            #expect(events == [.askChanged(AskChanged(nextMinimum: Money(minorUnits: amount), by: scenario.host))])
            #expect(minimum(scenario) == amount)
            #expect(scenario.room.currentBid == before.currentBid && scenario.room.endsAt == before.endsAt)
            #expect(
                scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: amount - 1))), by: scenario.rival)?.code
                    == "bid.below_minimum")
            try scenario.bid(amount, by: scenario.rival)
            #expect(scenario.room.currentPrice?.minorUnits == amount)
        }
    }

    @Test func `once the price is another, the increment counts again`() throws {
        var scenario = try bidding()
        try scenario.perform(ask(15_000), by: scenario.host)
        try scenario.bid(15_000, by: scenario.rival)
        #expect(minimum(scenario) == 16_000)
    }

    @Test func `a bid that was judged before the ask stands, and one after it is judged by it`() throws {
        var scenario = try bidding()
        try scenario.bid(11_000, by: scenario.rival)
        try scenario.perform(ask(20_000), by: scenario.host)
        #expect(scenario.room.currentPrice?.minorUnits == 11_000)
        #expect(
            scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 12_000))), by: scenario.bidder)?.required
                == "200.00")
    }

    @Test func `a later ask replaces the one before, and the increment's own minimum takes it back`() throws {
        var scenario = try bidding()
        try scenario.perform(ask(20_000), by: scenario.host)
        try scenario.perform(ask(12_000), by: scenario.host)
        #expect(minimum(scenario) == 12_000)
        try scenario.perform(ask(11_000), by: scenario.host)
        #expect(minimum(scenario) == 11_000)
    }

    @Test func `what would change nothing causes no event`() throws {
        var scenario = try bidding(buyNow: 50_000)
        #expect(try scenario.perform(ask(11_000), by: scenario.host) == [])
        #expect(try scenario.perform(increment(1000), by: scenario.host) == [])
        try scenario.perform(ask(90_000), by: scenario.host)
        #expect(try scenario.perform(ask(50_000), by: scenario.host) == [], "an ask is at most the buy-now price")
        #expect(try scenario.perform(increment(1000), by: scenario.host).count == 1, "the ask no longer counts")
        try scenario.perform(ask(20_000), by: scenario.host)
        try scenario.bid(20_000, by: scenario.rival)
        #expect(try scenario.perform(increment(1000), by: scenario.host) == [], "an ask at another price counts no more")
    }

    @Test(arguments: [true, false])
    func `at an ask of the buy-now price a bid buys, and a maximum alone names no price`(hasBid: Bool) throws {
        var rules = try Scenario.withMembers().rules()
        rules.buyNowPrice = Money(minorUnits: 50_000)
        var scenario = try hasBid ? bidding(buyNow: 50_000) : Scenario.auctioning(rules)
        try scenario.perform(ask(60_000), by: scenario.host)
        #expect(minimum(scenario) == 50_000)
        let maximum = Command.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 55_000)))
        #expect(scenario.refusal(of: maximum, by: scenario.rival)?.code == "bid.names_no_price")
        try scenario.bid(50_000, by: scenario.rival)
        #expect(scenario.room.state == .closed)
    }

    @Test func `a proxy bids no more than is needed against the ask, and never more than its maximum`() throws {
        for (maximum, price) in [(30_000, 21_000), (20_500, 20_500), (20_000, 20_000)] as [(Int64, Int64)] {
            var scenario = try Scenario.auctioning()
            try scenario.bid(10_000, upTo: maximum, by: scenario.bidder)
            try scenario.perform(ask(20_000), by: scenario.host)
            #expect(scenario.room.currentPrice?.minorUnits == 10_000, "an ask moves no leader")
            try scenario.bid(20_000, by: scenario.rival)
            #expect(scenario.room.currentBid?.bidder == scenario.bidder)
            #expect(scenario.room.currentPrice?.minorUnits == price)
        }
        var beaten = try Scenario.auctioning()
        try beaten.bid(10_000, upTo: 19_000, by: beaten.bidder)
        try beaten.perform(ask(20_000), by: beaten.host)
        try beaten.bid(upTo: 40_000, by: beaten.rival)
        #expect(beaten.room.currentBid?.bidder == beaten.rival && beaten.room.currentPrice?.minorUnits == 20_000)
    }

    @Test func `another increment counts for the rest of the round, and ends an ask`() throws {
        var scenario = try bidding()
        try scenario.perform(ask(20_000), by: scenario.host)
        let tiers: [Increment.Tier] = [(0, 500), (10_500, 2000)].map {
            .init(from: Money(minorUnits: $0.0), step: Money(minorUnits: $0.1))
        }
        let events = try scenario.perform(change(.increment(.tiers(tiers))), by: scenario.host)
        let next = Money(minorUnits: 10_500)
        #expect(events == [.incrementChanged(IncrementChanged(increment: .tiers(tiers), nextMinimum: next, by: scenario.host))])
        try scenario.bid(10_500, by: scenario.rival)
        #expect(minimum(scenario) == 12_500)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the increment may change before the first bid`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(increment(500), by: scenario.host)
        #expect(minimum(scenario) == 10_000)
        try scenario.bid(10_000, by: scenario.bidder)
        #expect(minimum(scenario) == 10_500)
    }

    @Test func `an ask before the first bid is what it must be, and the increment counts from there`() throws {
        var scenario = try Scenario.auctioning()
        let low = scenario.refusal(of: ask(9_999), by: scenario.host)
        #expect(low?.code == "ask.below_price" && low?.required == "100.00" && low?.actual == "99.99")
        #expect(try scenario.perform(ask(10_000), by: scenario.host) == [], "the starting price")
        let events = try scenario.perform(ask(20_000), by: scenario.host)
        #expect(events == [.askChanged(AskChanged(nextMinimum: Money(minorUnits: 20_000), by: scenario.host))])
        #expect(minimum(scenario) == 20_000 && scenario.room.currentPrice == nil)
        #expect(scenario.room.rules?.increment.base == .fixed(Money(minorUnits: 1000)))
        let early = scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 19_999))), by: scenario.bidder)
        #expect(early?.code == "bid.below_minimum" && early?.required == "200.00")
        #expect(try scenario.replayed() == scenario.room)
        try scenario.bid(upTo: 50_000, by: scenario.bidder)
        #expect(scenario.room.currentPrice?.minorUnits == 20_000 && minimum(scenario) == 21_000)
        try scenario.bid(30_000, by: scenario.rival)
        #expect(scenario.room.currentPrice?.minorUnits == 31_000)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an ask before the first bid ends with another, with an increment, and with that bid though it is retracted`()
        throws
    {
        var scenario = try Scenario.auctioning()
        try scenario.perform(ask(20_000), by: scenario.host)
        try scenario.perform(ask(15_000), by: scenario.host)
        #expect(minimum(scenario) == 15_000)
        let same = try scenario.perform(increment(1000), by: scenario.host)
        let (step, start) = (Increment.fixed(Money(minorUnits: 1000)), Money(minorUnits: 10_000))
        #expect(same == [.incrementChanged(IncrementChanged(increment: step, nextMinimum: start, by: scenario.host))])
        #expect(minimum(scenario) == 10_000)
        try scenario.perform(ask(15_000), by: scenario.host)
        try scenario.bid(15_000, by: scenario.bidder)
        try scenario.retractLatest()
        #expect(minimum(scenario) == 10_000)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a round that is cancelled keeps no ask that was made before a bid`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(ask(20_000), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scenario.host)
        #expect(scenario.room.rules?.increment == .fixed(Money(minorUnits: 1000)))
    }

    @Test func `a retraction computes price and minimum from the rest: an ask at that price is in force again`() throws {
        var scenario = try bidding()
        try scenario.perform(ask(15_000), by: scenario.host)
        try scenario.bid(15_000, by: scenario.rival)
        try scenario.retractLatest()
        #expect(scenario.room.currentPrice?.minorUnits == 10_000 && minimum(scenario) == 15_000)
        try scenario.bid(15_000, by: scenario.rival)
        try scenario.perform(ask(40_000), by: scenario.host)
        try scenario.retractLatest()
        #expect(minimum(scenario) == 11_000, "the ask at the removed price is none at this one")
        try scenario.retractLatest()
        #expect(minimum(scenario) == 10_000)
    }

    @Test func `an ask above the price that a retraction has left ends, and raises no maximum later`() throws {
        var scenario = try bidding()
        try scenario.bid(11_000, by: scenario.rival)
        try scenario.perform(ask(20_000), by: scenario.host)
        try scenario.retractLatest()
        #expect(minimum(scenario) == 11_000)
        // The leader's maximum is the price at which the host asked.
        try scenario.perform(.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 11_000))), by: scenario.bidder)
        try scenario.perform(.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 15_000))), by: scenario.rival)
        #expect(scenario.room.currentPrice?.minorUnits == 12_000, "one increment above the other maximum")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an ask ends with the only bid`() throws {
        var scenario = try bidding()
        try scenario.perform(ask(30_000), by: scenario.host)
        try scenario.retractLatest()
        try scenario.bid(10_000, by: scenario.rival)
        #expect(minimum(scenario) == 11_000)
    }

    @Test func `an ask stays while the round is paused, and may be made then`() throws {
        var scenario = try bidding()
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        try scenario.perform(ask(12_000), by: scenario.host)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(minimum(scenario) == 12_000)
        try scenario.bid(12_000, by: scenario.rival)
    }

    @Test func `a cancelled round keeps its increment and no ask, and the lot what it was queued with`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: "A")), by: scenario.auctioneer)
        try scenario.openBidding()
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(increment(500), by: scenario.host)
        try scenario.perform(ask(30_000), by: scenario.host)
        try scenario.retractLatest()
        try scenario.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scenario.host)
        #expect(scenario.room.rules?.increment == .fixed(Money(minorUnits: 500)))
        let lot = try #require(scenario.room.lots[reference: "A"])
        #expect(lot.content.upload.rules == scenario.rules())
    }

    @Test func `an ask says why it is refused`() throws {
        var scenario = try Scenario.withItem()
        #expect(scenario.refusal(of: ask(20_000), by: scenario.host)?.code == "ask.wrong_state")
        try scenario.openBidding()
        #expect(scenario.refusal(of: ask(20_000), by: scenario.auctioneer)?.code == "ask.not_host")
        try scenario.bid(10_000, by: scenario.bidder)
        let low = scenario.refusal(of: ask(10_000), by: scenario.host)
        #expect(low?.code == "ask.below_price" && low?.required == "100.01" && low?.actual == "100.00")
        let bid = BidPlaced(
            bid: BidID(bits: 99), amount: Money(minorUnits: 20_000), bidder: scenario.host, leading: true, nextMinimum: nil,
            endsAt: nil)
        scenario.given(.bidPlaced(bid))
        #expect(scenario.refusal(of: ask(30_000), by: scenario.host)?.code == "ask.has_bid")
        for format in PermissionTable.formats where format != .english {
            let other = try Scenario.auctioning(PermissionTable.rules(of: format))
            #expect(other.refusal(of: increment(500), by: other.host)?.code == "ask.not_english")
        }
    }
}
