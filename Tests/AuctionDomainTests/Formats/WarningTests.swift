import AuctionDomain
import AuctionTestKit
import Testing

/// The host says that the round is about to end.
struct WarningTests {
    private func warn(_ level: Int) -> Command { .auction(.warn(level: level), AuctionTransition()) }

    /// A round with a bid and the warning of a level.
    private func warned(_ level: Int = 1, _ rules: AuctionRules? = nil) throws -> Scenario {
        var scenario = try Scenario.auctioning(rules)
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(warn(level), by: scenario.host)
        return scenario
    }

    @Test func `a warning is one event, which leaves the countdown as it is`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10_000, by: scenario.bidder)
        scenario.wait(milliseconds: 4000)
        let before = scenario.room
        #expect(before.warning == 0)
        let events = try scenario.perform(warn(1), by: scenario.host)
        #expect(events == [.warningGiven(WarningGiven(level: 1, by: scenario.host))])
        #expect(scenario.room.warning == 1 && scenario.room.endsAt == before.endsAt && scenario.room.dueAt == before.dueAt)
    }

    @Test func `the host goes from once to twice, and back if that was a slip`() throws {
        var scenario = try warned()
        for level in [2, 1] {
            try scenario.perform(warn(level), by: scenario.host)
            #expect(scenario.room.warning == level)
        }
    }

    @Test func `the level that stands is given once`() throws {
        var scenario = try warned(2)
        #expect(try scenario.perform(warn(2), by: scenario.host) == [])
        try scenario.bid(11_000, by: scenario.rival)
        #expect(try scenario.perform(warn(2), by: scenario.host).count == 1)
    }

    @Test func `any bid ends it, also one that is outbid at once and a sealed one`() throws {
        var english = try Scenario.auctioning()
        try english.bid(upTo: 50_000, by: english.bidder)
        try english.perform(warn(2), by: english.host)
        try english.bid(20_000, by: english.rival)
        #expect(english.room.currentBid?.bidder == english.bidder && english.room.warning == 0)
        var sealed = try Scenario.auctioning(PermissionTable.rules(of: .sealedFirstPrice))
        try sealed.perform(warn(1), by: sealed.host)
        try sealed.bid(10_000, by: sealed.rival)
        #expect(sealed.room.warning == 0)
    }

    @Test func `a maximum that is raised is no bid`() throws {
        var scenario = try warned()
        try scenario.bid(upTo: 50_000, by: scenario.bidder)
        #expect(scenario.room.warning == 1)
    }

    @Test func `a retraction ends it, and does not bring back the one before the retracted bid`() throws {
        var scenario = try warned()
        try scenario.retractLatest()
        #expect(scenario.room.warning == 0)
        try scenario.perform(warn(2), by: scenario.host)
        try scenario.bid(10_000, by: scenario.rival)
        try scenario.retractLatest()
        #expect(scenario.room.bids.count == 0 && scenario.room.warning == 0)
    }

    @Test func `a transition ends it, and a resumed round has none`() throws {
        var scenario = try warned()
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.warning == 0)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.warning == 0)
        try scenario.perform(warn(2), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.warning == 0)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `only the host warns, while the auction runs, in every format`() throws {
        for format in PermissionTable.formats {
            var scenario = try Scenario.withItem(PermissionTable.rules(of: format))
            #expect(scenario.refusal(of: warn(1), by: scenario.host)?.code == "warn.not_auctioning")
            try scenario.openBidding()
            #expect(scenario.refusal(of: warn(1), by: scenario.auctioneer)?.code == "warn.not_host")
            try scenario.perform(warn(1), by: scenario.host)
            #expect(scenario.room.warning == 1)
        }
    }

    @Test func `a host who has bid may warn, which gains them nothing`() throws {
        var scenario = try warned()
        scenario.given(
            .bidPlaced(
                BidPlaced(
                    bid: BidID(bits: 99), amount: Money(minorUnits: 20_000), bidder: scenario.host, leading: true,
                    nextMinimum: nil,
                    endsAt: nil)))
        try scenario.perform(warn(1), by: scenario.host)
        #expect(scenario.room.warning == 1)
    }

    @Test func `a warning that was meant for another item is refused`() throws {
        var scenario = try Scenario.auctioning()
        let other = AuctionTransition(expectedItem: ItemID(bits: 77))
        #expect(throws: Refusal.self) { try scenario.perform(.auction(.warn(level: 1), other), by: scenario.host) }
    }
}
