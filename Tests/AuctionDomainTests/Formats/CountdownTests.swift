import AuctionDomain
import AuctionTestKit
import Testing

struct CountdownTests {
    private func scene(_ countdown: Countdown, maxDuration: Int? = nil) throws -> Scenario {
        try .auctioning(FormatFixture.rules(countdown: countdown, maxDuration: maxDuration))
    }

    @Test func `a reset countdown restarts in full with every bid`() throws {
        var scene = try scene(.reset)
        scene.wait(milliseconds: 1000)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 15000)
    }

    @Test func `an extend countdown moves the deadline only for a bid in the extension window`() throws {
        var scene = try scene(.extend)
        scene.wait(milliseconds: 4999)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 10001)
        scene.wait(milliseconds: 1)
        try scene.bid(110, by: scene.rival)
        #expect(scene.left == 10000)
        scene.wait(milliseconds: 9000)
        try scene.bid(120, by: scene.bidder)
        #expect(scene.left == 10000)
    }

    @Test func `an extension shorter than the remaining time does not move the deadline`() throws {
        var rules = FormatFixture.rules(countdown: .extend)
        (rules.extendWindow, rules.extendBy) = (Seconds(10), Seconds(3))
        var scene = try Scenario.auctioning(rules)
        scene.wait(milliseconds: 8000)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 7000)
        scene.wait(milliseconds: 6000)
        try scene.bid(110, by: scene.rival)
        #expect(scene.left == 3000)
    }

    @Test func `a fixed countdown never moves`() throws {
        var scene = try scene(.fixed)
        scene.wait(milliseconds: 14_999)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 1)
    }

    @Test func `no bid moves the deadline past the maximum duration`() throws {
        var scene = try scene(.reset, maxDuration: 20)
        scene.wait(milliseconds: 10000)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 10000)
        scene.wait(milliseconds: 9999)
        try scene.bid(110, by: scene.rival)
        #expect(scene.left == 1)
    }

    @Test func `a maximum duration below the countdown bounds the first deadline`() throws {
        #expect(try scene(.reset, maxDuration: 7).left == 7000)
    }

    @Test func `paused time does not count towards the maximum duration`() throws {
        var scene = try scene(.reset, maxDuration: 20)
        scene.wait(milliseconds: 10000)
        try scene.perform(.pause(AuctionTransition()), by: scene.host)
        scene.wait(milliseconds: 60000)
        try scene.perform(.resume(AuctionTransition()), by: scene.host)
        try scene.bid(100, by: scene.bidder)
        #expect(scene.left == 10000)
    }

    @Test func `a resume leaves five seconds, also beyond the maximum duration, and a bid never moves it back`() throws {
        var scene = try scene(.reset, maxDuration: 20)
        scene.wait(milliseconds: 10000)
        try scene.bid(100, by: scene.bidder)
        scene.wait(milliseconds: 9999)
        try scene.perform(.pause(AuctionTransition()), by: scene.host)
        try scene.perform(.resume(AuctionTransition()), by: scene.host)
        #expect(scene.left == 5000)
        try scene.bid(110, by: scene.rival)
        #expect(scene.left == 5000)
    }

    @Test func `an outage extends the deadline beyond the maximum duration, and a bid never moves it back`() throws {
        for countdown in Countdown.allCases {
            var scene = try scene(countdown, maxDuration: 15)
            scene.skip(milliseconds: 20000)
            #expect(moves(in: scene.serviceReturns()).map(\.cause) == [.outage])
            #expect(scene.left == 15000)
            scene.wait(milliseconds: 14000)
            try scene.bid(100, by: scene.bidder)
            #expect(scene.left == 1000)
        }
    }

    @Test func `a refused bid never moves the countdown`() throws {
        var scene = try scene(.reset)
        let end = scene.room.endsAt
        scene.wait(milliseconds: 5000)
        #expect(scene.code(bid: 99, by: scene.bidder) == "bid.below_minimum")
        #expect(throws: Refusal.self) { try scene.bid(99, by: scene.bidder) }
        #expect(scene.room.endsAt == end)
    }
}
