import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct RoundTests {
    private func states(_ events: [EventBody]) -> [String] {
        events.compactMap { body in
            guard case .stateChanged(let change) = body else { return nil }
            return "\(change.from) → \(change.to) by \(change.by?.nickname ?? "the clock")"
        }
    }

    private func keys(_ events: [EventBody]) -> [String] {
        events.compactMap { body in
            guard case .systemMessage(let message) = body else { return nil }
            return message.key
        }
    }

    @Test func `a round goes from preparing to closed, and the next round follows`() throws {
        var scenario = try Scenario.withItem()
        #expect(
            states(try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)) == [
                "preparing → listing by Hana"
            ])
        #expect(states(scenario.wait(milliseconds: 3000)) == ["listing → auctioning by the clock"])
        try scenario.bid(10000, by: scenario.bidder)
        #expect(states(scenario.wait(milliseconds: 15000)) == ["auctioning → closed by the clock"])
        #expect(scenario.room.results.map(\.outcome) == [.sold(to: scenario.bidder, price: Money(minorUnits: 10000))])
        #expect(
            states(try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)) == [
                "closed → preparing by Hana"
            ])
        #expect(scenario.room.round == 2)
        #expect(scenario.room.item == nil)
        #expect(scenario.room.currentBid == nil)
        #expect(scenario.room.bids.isEmpty)
    }

    @Test func `an early start by the host cancels the listing countdown`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 1000)
        #expect(
            states(try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)) == [
                "listing → auctioning by Hana"
            ])
        #expect(scenario.wait(milliseconds: 2000).isEmpty)
        #expect(scenario.room.endsAt.map { $0.milliseconds(since: scenario.instant) } == 13000)
    }

    @Test func `a countdown of a finished round does not end the next one`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.endsAt == nil)
        #expect(scenario.wait(milliseconds: 60000).isEmpty)
        #expect(scenario.room.state == .preparing)
    }

    @Test func `without a listing time bidding opens at once`() throws {
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)), listing: Seconds(0))
        var scenario = try Scenario.withItem(rules)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .auctioning)
    }

    @Test func `without bids the item passes`() throws {
        var scenario = try Scenario.auctioning()
        let events = scenario.wait(milliseconds: 15000)
        #expect(events.contains(.itemPassed(.noBids)))
        #expect(keys(events) == ["state.closed", "item.passed"])
    }

    @Test func `every transition and result is announced in both languages`() throws {
        var scenario = try Scenario.withItem()
        var events = try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        events += scenario.wait(milliseconds: 3000)
        events += try scenario.bid(10000, by: scenario.bidder)
        events += try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        events += try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(keys(events) == ["state.listing", "state.auctioning", "state.closed", "item.sold", "round.next"])
        for case .systemMessage(let message) in events {
            #expect(!message.text.english.isEmpty)
            #expect(message.text.chinese.unicodeScalars.contains { $0.value > 0x4E00 })
        }
    }

    @Test func `every bid restarts the whole countdown`() throws {
        var scenario = try Scenario.auctioning()
        scenario.wait(milliseconds: 14_999)
        try scenario.bid(10000, by: scenario.bidder)
        #expect(scenario.room.endsAt.map { $0.milliseconds(since: scenario.instant) } == 15000)
        scenario.wait(milliseconds: 14_999)
        try scenario.bid(11000, by: scenario.rival)
        #expect(scenario.room.endsAt.map { $0.milliseconds(since: scenario.instant) } == 15000)
    }

    @Test func `a refused bid never moves the countdown`() throws {
        var scenario = try Scenario.auctioning()
        let end = scenario.room.endsAt
        scenario.wait(milliseconds: 5000)
        #expect(throws: Refusal.self) { try scenario.bid(9999, by: scenario.bidder) }
        #expect(scenario.room.endsAt == end)
        #expect(scenario.room.bids.isEmpty)
    }

    @Test func `replaying the events gives the same room`() throws {
        var scenario = try Scenario.auctioning()
        for step in 0..<40 {
            try scenario.bid(10000 + Int64(step) * 1000, by: step % 2 == 0 ? scenario.bidder : scenario.rival)
        }
        scenario.wait(milliseconds: 15000)
        var replayed = try #require(Room(id: scenario.room.id, opening: scenario.history[0]))
        for event in scenario.history.dropFirst() { try replayed.apply(event) }
        #expect(replayed == scenario.room)
        #expect(replayed.results.first?.bidCount == 40)
    }

    @Test func `an event that is out of sequence is not applied`() throws {
        var scenario = try Scenario.withMembers()
        let last = try #require(scenario.history.last)
        var room = scenario.room
        #expect(throws: ReplayError.self) { try room.apply(last) }
        scenario.wait(milliseconds: 1)
    }

    @Test func `bids are paged from the newest`() throws {
        var scenario = try Scenario.auctioning()
        for step in 0..<70 {
            try scenario.bid(10000 + Int64(step) * 1000, by: step % 2 == 0 ? scenario.bidder : scenario.rival)
        }
        let all = scenario.room.bids.all
        #expect(all.count == 70)
        #expect(scenario.room.bids.newest(before: nil, limit: 100) == all.reversed())
        let page = scenario.room.bids.newest(before: all[40].seq, limit: 15)
        #expect(page == all[25..<40].reversed())
    }

    @Test func `after an outage an expired deadline is extended to a whole countdown from now`() throws {
        var scenario = try Scenario.auctioning()
        let end = scenario.room.endsAt
        // Time passes without any command or timer, as during an outage of the service.
        var away = scenario
        away.skip(milliseconds: 20000)
        let events = away.serviceReturns()
        let moved = Timestamp(milliseconds: away.instant.milliseconds + 15000)
        #expect(events == [.countdownMoved(CountdownMoved(endsAt: moved, extendedBySeconds: 20, cause: .outage))])
        #expect(away.room.endsAt == moved)
        #expect(scenario.serviceReturns().isEmpty)
        #expect(scenario.room.endsAt == end)
    }
}
