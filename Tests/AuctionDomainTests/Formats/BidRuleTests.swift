import AuctionDomain
import AuctionTestKit
import Testing

struct BidRuleTests {
    private func limited(_ rules: AuctionRules, to limit: Int64) throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.limit(scenario.bidder, to: limit)
        try scenario.play(rules)
        return scenario
    }

    @Test func `the amount must be within the credit limit`() throws {
        let scenario = try limited(FormatFixture.rules(), to: 300)
        #expect(scenario.code(bid: 300, by: scenario.bidder) == nil)
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 301)))
        let refusal = try #require(scenario.refusal(of: command, by: scenario.bidder))
        #expect(refusal.code == "bid.over_credit")
        #expect(refusal.required == "3.00")
        #expect(refusal.actual == "3.01")
        #expect(scenario.code(bid: 301, by: scenario.rival) == nil)
    }

    @Test func `the maximum, also a raised one, must be within the credit limit`() throws {
        var scenario = try limited(FormatFixture.rules(), to: 300)
        #expect(scenario.code(bid: 100, upTo: 301, by: scenario.bidder) == "bid.over_credit")
        #expect(scenario.code(bid: nil, upTo: 301, by: scenario.bidder) == "bid.over_credit")
        try scenario.bid(100, upTo: 250, by: scenario.bidder)
        #expect(scenario.code(bid: nil, upTo: 301, by: scenario.bidder) == "bid.over_credit")
        #expect(scenario.code(bid: nil, upTo: 300, by: scenario.bidder) == nil)
    }

    @Test func `the credit limit is compared with at most the buy-now price`() throws {
        let scenario = try limited(FormatFixture.rules(buyNow: 300), to: 300)
        #expect(scenario.code(bid: 100, upTo: 900, by: scenario.bidder) == nil)
        #expect(scenario.code(bid: 900, by: scenario.bidder) == nil)
    }

    @Test func `items won in this room reduce the remaining credit`() throws {
        var scenario = try limited(FormatFixture.rules(), to: 300)
        try scenario.bid(200, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.play(FormatFixture.rules())
        #expect(scenario.code(bid: 100, by: scenario.bidder) == nil)
        #expect(scenario.code(bid: 101, by: scenario.bidder) == "bid.over_credit")
    }

    @Test func `items won reduce the largest credit limit, too`() throws {
        let most = Money.maximum.minorUnits
        var scenario = try limited(FormatFixture.rules(), to: most)
        try scenario.bid(200, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.play(FormatFixture.rules())
        #expect(scenario.code(bid: most - 200, by: scenario.bidder) == nil)
        #expect(scenario.code(bid: most - 199, by: scenario.bidder) == "bid.over_credit")
    }

    @Test func `in a Dutch auction the credit limit applies to the asking price, not to the amount`() throws {
        var scenario = try limited(FormatFixture.dutch(), to: 70)
        #expect(scenario.code(bid: 100, by: scenario.bidder) == "bid.over_credit")
        scenario.wait(milliseconds: 10000)
        #expect(scenario.code(bid: 100, by: scenario.bidder) == nil)
    }

    @Test func `the ban rule is evaluated before the role rules`() throws {
        var scenario = try Scenario.auctioning(FormatFixture.rules())
        scenario.given(.memberBanned(scenario.viewer, isBanned: true, by: scenario.host))
        scenario.given(.memberBanned(scenario.bidder, isBanned: true, by: scenario.host))
        #expect(scenario.code(bid: 100, by: scenario.viewer) == "bid.banned")
        #expect(scenario.code(bid: 100, by: scenario.bidder) == "bid.banned")
        #expect(scenario.code(bid: 100, by: scenario.rival) == nil)
    }

    @Test func `the minimum rule is evaluated before the credit limit`() throws {
        let scenario = try limited(FormatFixture.rules(), to: 50)
        #expect(scenario.code(bid: 99, by: scenario.bidder) == "bid.below_minimum")
    }
}

extension Scenario {
    /// Sets the credit limit of a member, in minor units.
    fileprivate mutating func limit(_ person: Person, to minorUnits: Int64) throws {
        given(.memberCreditLimitChanged(person, limit: Money(minorUnits: minorUnits), by: host))
    }

    /// Uploads an item and opens the bidding.
    fileprivate mutating func play(_ rules: AuctionRules) throws {
        try perform(.uploadItem(Self.item(rules)), by: auctioneer)
        try perform(.startAuction(AuctionTransition()), by: host)
        try perform(.startAuction(AuctionTransition()), by: host)
    }
}
