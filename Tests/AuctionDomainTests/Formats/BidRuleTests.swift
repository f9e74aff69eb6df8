import AuctionDomain
import AuctionTestKit
import Testing

struct BidRuleTests {
    private func limited(_ rules: AuctionRules, to limit: Int64) throws -> Scenario {
        var scene = try Scenario.withMembers()
        try scene.limit(scene.bidder, to: limit)
        try scene.play(rules)
        return scene
    }

    @Test func `the amount must be within the credit limit`() throws {
        let scene = try limited(FormatFixture.rules(), to: 300)
        #expect(scene.code(bid: 300, by: scene.bidder) == nil)
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 301)))
        let refusal = try #require(scene.refusal(of: command, by: scene.bidder))
        #expect(refusal.code == "bid.over_credit")
        #expect(refusal.required == "3.00")
        #expect(refusal.actual == "3.01")
        #expect(scene.code(bid: 301, by: scene.rival) == nil)
    }

    @Test func `the maximum, also a raised one, must be within the credit limit`() throws {
        var scene = try limited(FormatFixture.rules(), to: 300)
        #expect(scene.code(bid: 100, upTo: 301, by: scene.bidder) == "bid.over_credit")
        #expect(scene.code(bid: nil, upTo: 301, by: scene.bidder) == "bid.over_credit")
        try scene.bid(100, upTo: 250, by: scene.bidder)
        #expect(scene.code(bid: nil, upTo: 301, by: scene.bidder) == "bid.over_credit")
        #expect(scene.code(bid: nil, upTo: 300, by: scene.bidder) == nil)
    }

    @Test func `the credit limit is compared with at most the buy-now price`() throws {
        let scene = try limited(FormatFixture.rules(buyNow: 300), to: 300)
        #expect(scene.code(bid: 100, upTo: 900, by: scene.bidder) == nil)
        #expect(scene.code(bid: 900, by: scene.bidder) == nil)
    }

    @Test func `items won in this room reduce the remaining credit`() throws {
        var scene = try limited(FormatFixture.rules(), to: 300)
        try scene.bid(200, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        try scene.play(FormatFixture.rules())
        #expect(scene.code(bid: 100, by: scene.bidder) == nil)
        #expect(scene.code(bid: 101, by: scene.bidder) == "bid.over_credit")
    }

    @Test func `items won reduce the largest credit limit, too`() throws {
        let most = Money.maximum.minorUnits
        var scene = try limited(FormatFixture.rules(), to: most)
        try scene.bid(200, by: scene.bidder)
        scene.wait(milliseconds: 15000)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        try scene.play(FormatFixture.rules())
        #expect(scene.code(bid: most - 200, by: scene.bidder) == nil)
        #expect(scene.code(bid: most - 199, by: scene.bidder) == "bid.over_credit")
    }

    @Test func `in a Dutch auction the credit limit applies to the asking price, not to the amount`() throws {
        var scene = try limited(FormatFixture.dutch(), to: 70)
        #expect(scene.code(bid: 100, by: scene.bidder) == "bid.over_credit")
        scene.wait(milliseconds: 10000)
        #expect(scene.code(bid: 100, by: scene.bidder) == nil)
    }

    @Test func `the ban rule is evaluated before the role rules`() throws {
        var scene = try Scenario.auctioning(FormatFixture.rules())
        scene.given(.memberBanned(scene.viewer, isBanned: true, by: scene.host))
        scene.given(.memberBanned(scene.bidder, isBanned: true, by: scene.host))
        #expect(scene.code(bid: 100, by: scene.viewer) == "bid.banned")
        #expect(scene.code(bid: 100, by: scene.bidder) == "bid.banned")
        #expect(scene.code(bid: 100, by: scene.rival) == nil)
    }

    @Test func `the minimum rule is evaluated before the credit limit`() throws {
        let scene = try limited(FormatFixture.rules(), to: 50)
        #expect(scene.code(bid: 99, by: scene.bidder) == "bid.below_minimum")
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
