import AuctionDomain
import AuctionTestKit
import Testing

/// A round that is cancelled before its first bid begins again with the same number, perhaps with another item.
struct WrongItemTests {
    /// The second item of round 1 is up, and the first one's id.
    private func secondItem() throws -> (scenario: Scenario, first: ItemID) {
        var scenario = try Scenario.auctioning()
        let first = try #require(scenario.room.item?.id)
        try scenario.perform(.cancel(AuctionTransition(reason: "Rain.")), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        return (scenario, first)
    }

    @Test func `a bid that was on its way to the first item does not buy the second`() throws {
        let (replaced, first) = try secondItem()
        var scenario = replaced
        let bid = PlaceBid(amount: Money(minorUnits: 10000), round: 1, item: first)
        let refusal = scenario.refusal(of: .placeBid(bid), by: scenario.bidder)
        let second = try #require(scenario.room.item?.id)
        #expect(refusal?.code == "bid.wrong_item")
        #expect(refusal?.required == second.description)
        #expect(refusal?.actual == first.description)
        try scenario.perform(
            .placeBid(PlaceBid(amount: Money(minorUnits: 10000), round: 1, item: second)), by: scenario.bidder)
    }

    @Test func `an order of the host for the first item does nothing to the second`() throws {
        let (replaced, first) = try secondItem()
        var scenario = replaced
        func order(_ item: ItemID?) -> AuctionTransition {
            AuctionTransition(reason: "x", expectedRound: 1, expectedItem: item)
        }
        for command in [Command.endAuction(order(first)), .pause(order(first)), .cancel(order(first))] {
            let refusal = scenario.refusal(of: command, by: scenario.host)
            #expect(refusal?.code == "auction.state_changed")
            #expect(refusal?.required == "auctioning, round 1, \(first)")
        }
        let second = scenario.room.item?.id
        try scenario.perform(.endAuction(order(second)), by: scenario.host)
        try scenario.perform(.startAuction(order(second)), by: scenario.host)
        let nothing = scenario.refusal(of: .startAuction(AuctionTransition(expectedItem: second)), by: scenario.host)
        #expect(nothing?.actual == "preparing, round 2, no item")
    }
}
