import AuctionDomain
import AuctionTestKit
import Testing

struct CountdownTests {
    private func scenario(_ countdown: Countdown, maxDuration: Int? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(countdown: countdown, maxDuration: maxDuration))
    }

    @Test func `a reset countdown restarts in full with every bid`() throws {
        var scenario = try scenario(.reset)
        scenario.wait(milliseconds: 1000)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 15000)
    }

    @Test func `an extend countdown moves the deadline only for a bid in the extension window`() throws {
        var scenario = try scenario(.extend)
        scenario.wait(milliseconds: 4999)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 10001)
        scenario.wait(milliseconds: 1)
        try scenario.bid(110, by: scenario.rival)
        #expect(scenario.left == 10000)
        scenario.wait(milliseconds: 9000)
        try scenario.bid(120, by: scenario.bidder)
        #expect(scenario.left == 10000)
    }

    @Test func `an extension shorter than the remaining time does not move the deadline`() throws {
        var rules = FormatFixture.rules(countdown: .extend)
        (rules.extendWindow, rules.extendBy) = (Seconds(10), Seconds(3))
        var scenario = try Scenario.auctioning(rules)
        scenario.wait(milliseconds: 8000)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 7000)
        scenario.wait(milliseconds: 6000)
        try scenario.bid(110, by: scenario.rival)
        #expect(scenario.left == 3000)
    }

    @Test func `a fixed countdown never moves`() throws {
        var scenario = try scenario(.fixed)
        scenario.wait(milliseconds: 14_999)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 1)
    }

    @Test func `no bid moves the deadline past the maximum duration`() throws {
        var scenario = try scenario(.reset, maxDuration: 20)
        scenario.wait(milliseconds: 10000)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 10000)
        scenario.wait(milliseconds: 9999)
        try scenario.bid(110, by: scenario.rival)
        #expect(scenario.left == 1)
    }

    @Test func `a maximum duration below the countdown bounds the first deadline`() throws {
        #expect(try scenario(.reset, maxDuration: 7).left == 7000)
    }

    @Test func `paused time does not count towards the maximum duration`() throws {
        var scenario = try scenario(.reset, maxDuration: 20)
        scenario.wait(milliseconds: 10000)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 60000)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.left == 10000)
    }

    @Test func `a resume leaves five seconds, also beyond the maximum duration, and a bid never moves it back`() throws {
        var scenario = try scenario(.reset, maxDuration: 20)
        scenario.wait(milliseconds: 10000)
        try scenario.bid(100, by: scenario.bidder)
        scenario.wait(milliseconds: 9999)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(scenario.left == 5000)
        try scenario.bid(110, by: scenario.rival)
        #expect(scenario.left == 5000)
    }

    @Test func `an outage extends the deadline beyond the maximum duration, and a bid never moves it back`() throws {
        for countdown in Countdown.allCases {
            var scenario = try scenario(countdown, maxDuration: 15)
            scenario.skip(milliseconds: 20000)
            #expect(moves(in: scenario.serviceReturns()).map(\.cause) == [.outage])
            #expect(scenario.left == 15000)
            scenario.wait(milliseconds: 14000)
            try scenario.bid(100, by: scenario.bidder)
            #expect(scenario.left == 1000)
        }
    }

    @Test func `a refused bid never moves the countdown`() throws {
        var scenario = try scenario(.reset)
        let end = scenario.room.endsAt
        scenario.wait(milliseconds: 5000)
        #expect(scenario.code(bid: 99, by: scenario.bidder) == "bid.below_minimum")
        #expect(throws: Refusal.self) { try scenario.bid(99, by: scenario.bidder) }
        #expect(scenario.room.endsAt == end)
    }
}
