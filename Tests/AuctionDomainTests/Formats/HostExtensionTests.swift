import AuctionDomain
import AuctionTestKit
import Testing

struct HostExtensionTests {
    private func extend(_ seconds: Int, expecting expected: AuctionTransition = AuctionTransition()) -> Command {
        .auction(.extend(Seconds(seconds)), expected)
    }

    @Test(arguments: [Countdown.reset, .extend, .fixed])
    func `the seconds are added to the deadline, and a bid never takes them away`(countdown: Countdown) throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(countdown: countdown))
        scenario.wait(milliseconds: 5000)
        let moved = moves(in: try scenario.perform(extend(30), by: scenario.host))
        #expect(moved.map(\.cause) == [.host])
        #expect(moved.map(\.extendedBySeconds) == [30])
        #expect(scenario.left == 40000)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 40000)
        scenario.wait(milliseconds: 40000)
        #expect(scenario.outcome == "\(scenario.bidder.nickname) for 100")
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `a sealed round, whose countdown no bid moves, is extended too`(format: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(format))
        try scenario.perform(extend(3600), by: scenario.host)
        #expect(scenario.left == 3_615_000)
    }

    @Test func `a Dutch round has no countdown to extend`() throws {
        let scenario = try Scenario.auctioning(FormatFixture.dutch())
        #expect(scenario.refusal(of: extend(10), by: scenario.host)?.code == "extend.no_countdown")
    }

    @Test func `a round is not extended beyond its maximum duration, and paused time does not count`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules(maxDuration: 40))
        let refusal = scenario.refusal(of: extend(26), by: scenario.host)
        #expect(refusal?.code == "extend.too_long")
        #expect([refusal?.required, refusal?.actual] == ["25", "26"])
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 60000)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        try scenario.perform(extend(25), by: scenario.host)
        #expect(scenario.left == 40000)
        #expect(scenario.refusal(of: extend(1), by: scenario.host)?.required == "0")
    }

    @Test func `an order for another round is refused`() throws {
        let scenario = try Scenario.auctioning(FormatFixture.rules())
        let order = extend(10, expecting: AuctionTransition(expectedRound: 2))
        #expect(scenario.refusal(of: order, by: scenario.host)?.code == "auction.state_changed")
    }
}
