import AuctionDomain
import AuctionTestKit
import Testing

/// A credit limit below what the leader may owe ends their maximum.
struct LoweredCreditTests {
    private func scenario(buyNow: Int64? = nil) throws -> Scenario {
        var scenario = try Scenario.auctioning(FormatFixture.rules(buyNow: buyNow))
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        return scenario
    }

    @discardableResult
    private func limit(_ person: Person, to units: Int64?, in scenario: inout Scenario) throws -> [EventBody] {
        let changes = MemberChanges(creditLimit: .some(units.map(FormatFixture.money)))
        return try scenario.perform(.changeMember(person.id, changes), by: scenario.host)
    }

    @Test func `a limit below the maximum cuts it to the price, and the limit holds`() throws {
        var scenario = try scenario()
        let events = try limit(scenario.bidder, to: 150, in: &scenario)
        let leading = try #require(scenario.room.currentBid)
        #expect(events.last == .maximumVoided(MaximumVoided(bid: leading.id, bidder: scenario.bidder)))
        #expect(scenario.room.leaderMaximum == FormatFixture.money(100))
        try scenario.bid(300, by: scenario.rival)
        #expect(scenario.standing == "Yves at 300", "and not Xu at 310, which is beyond their limit")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a limit below the price leaves the bid as it is`() throws {
        var scenario = try scenario()
        try limit(scenario.bidder, to: 50, in: &scenario)
        #expect(scenario.standing == "Xu at 100")
        #expect(scenario.room.leaderMaximum == FormatFixture.money(100))
    }

    @Test func `a limit that covers the maximum cuts nothing, nor does its end, nor that of another bidder`() throws {
        var scenario = try scenario()
        for units in [500, nil] as [Int64?] { #expect(try limit(scenario.bidder, to: units, in: &scenario).count == 1) }
        try limit(scenario.rival, to: 1, in: &scenario)
        #expect(scenario.room.leaderMaximum == FormatFixture.money(500))
    }

    @Test func `no more than the buy-now price can be owed`() throws {
        var scenario = try scenario(buyNow: 400)
        #expect(try limit(scenario.bidder, to: 400, in: &scenario).count == 1)
        #expect(try limit(scenario.bidder, to: 399, in: &scenario).count == 2)
    }

    @Test func `what the bidder has won in the room counts too`() throws {
        var scenario = try scenario()
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(FormatFixture.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        var tight = scenario
        #expect(try limit(scenario.bidder, to: 600, in: &scenario).count == 1)
        #expect(try limit(tight.bidder, to: 599, in: &tight).count == 2)
    }

    @Test func `a ban and a limit in one command end the maximum once`() throws {
        var scenario = try scenario()
        let changes = MemberChanges(isMuted: true, isBanned: true, creditLimit: .some(FormatFixture.money(150)))
        #expect(try scenario.perform(.changeMember(scenario.bidder.id, changes), by: scenario.host).count == 4)
    }
}
