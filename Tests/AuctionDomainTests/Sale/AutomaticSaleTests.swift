import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct AutomaticSaleTests {
    @Test func `an automatic sale sells its lots one after the other, with a pause between`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.startAutomaticSale(pause: 10)
        #expect(scenario.room.state == .listing && scenario.room.item?.name == "A1")
        // Listing 3 s, bidding 15 s.
        scenario.wait(milliseconds: 18000)
        #expect(scenario.room.state == .closed && scenario.room.isBetweenLots)
        #expect(scenario.room.endsAt == scenario.instant + Seconds(10))
        scenario.wait(milliseconds: 10000)
        #expect(scenario.room.state == .listing && scenario.room.item?.name == "A2" && scenario.room.round == 2)
        let events = scenario.wait(milliseconds: 60000)
        #expect(events.last == .sale(.finished))
        #expect(scenario.references(.passed) == ["A1", "A2", "A3"])
        #expect(scenario.room.results.map(\.round) == [1, 2, 3])
        #expect(!scenario.room.sale.isRunning && scenario.room.dueAt == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a stopped sale ends after the current lot, also in the pause`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.startAutomaticSale()
        try scenario.perform(.sale(.stop), by: scenario.host)
        scenario.wait(milliseconds: 100_000)
        #expect(scenario.references(.queued) == ["A2", "A3"] && scenario.room.state == .closed)
        try scenario.perform(.sale(.start), by: scenario.host)
        scenario.wait(milliseconds: 18000)
        #expect(scenario.room.isBetweenLots)
        try scenario.perform(.sale(.stop), by: scenario.host)
        #expect(scenario.room.endsAt == nil)
        scenario.wait(milliseconds: 100_000)
        #expect(scenario.references(.queued) == ["A3"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a start in the pause of a running sale lists the next lot at once`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale()
        scenario.wait(milliseconds: 18000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .listing && scenario.room.item?.name == "A2")
        #expect(scenario.wait(milliseconds: 60000).last == .sale(.finished))
    }

    @Test func `a pause that is changed while it runs begins anew`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale(pause: 600)
        scenario.wait(milliseconds: 118_000)
        let end = scenario.room.endsAt
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(600), premium: Premium(rawValue: 1000)))
        #expect(scenario.room.endsAt == end, "the pause was not changed")
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(2), premium: Premium(rawValue: 1000)))
        #expect(scenario.room.isBetweenLots && scenario.room.endsAt == scenario.instant + Seconds(2))
        scenario.wait(milliseconds: 2000)
        #expect(scenario.room.state == .listing && scenario.room.item?.name == "A2")
        let deadline = scenario.room.endsAt
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(30), premium: Premium(rawValue: 1000)))
        #expect(scenario.room.endsAt == deadline, "the countdown of a round is not changed")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `given a room archived between two lots, an outage changes nothing`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale()
        scenario.wait(milliseconds: 18000)
        #expect(scenario.room.isBetweenLots)
        try scenario.perform(.archiveRoom, by: scenario.host)
        scenario.wait(milliseconds: 60_000)
        #expect(scenario.serviceReturns().isEmpty)
    }

    @Test func `the refusal to stop a sale that has not begun explains how to cancel its start`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: scenario.instant + Seconds(10)))
        let refused = scenario.refusal(of: .sale(.stop), by: scenario.host)
        #expect(refused?.code == "sale.not_running" && refused?.text.english.contains("startsAt") == true)
    }

    @Test func `a sale whose last lot is withdrawn in the pause is finished`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale()
        scenario.wait(milliseconds: 18000)
        let events = try scenario.perform(.withdrawLot(scenario.lot("A2").id, reason: nil), by: scenario.host)
        #expect(events.last == .sale(.finished) && scenario.room.state == .closed && !scenario.room.sale.isRunning)
        #expect(scenario.room.dueAt == nil && scenario.wait(milliseconds: 60000).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a manual sale never begins by itself`() throws {
        var scenario = try Scenario.withLots(1)
        let start = scenario.instant + Seconds(60)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: start))
        let manual = Sale(mode: .manual, pause: Seconds(5), startsAt: start)
        #expect(scenario.refusal(of: .sale(.configure(manual)), by: scenario.host)?.kind == .malformed(field: "startsAt"))
        let late = Sale(mode: .automatic, pause: Seconds(5), startsAt: scenario.instant + Seconds(400 * 86400))
        #expect(scenario.refusal(of: .sale(.configure(late)), by: scenario.host)?.kind == .malformed(field: "startsAt"))
    }

    @Test func `a cancelled round stops the sale`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale()
        let events = try scenario.perform(.cancel(AuctionTransition(reason: "Wait.")), by: scenario.host)
        #expect(events.last == .sale(.stopped(.cancel, by: scenario.host)))
        #expect(scenario.room.state == .preparing && scenario.room.item?.name == "A1")
        scenario.wait(milliseconds: 100_000)
        #expect(scenario.room.state == .preparing)
        try scenario.perform(.sale(.start), by: scenario.host)
        #expect(scenario.room.state == .listing && scenario.references(.current) == ["A1"])
    }

    @Test func `an item that was uploaded by hand goes first`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.uploadItem(scenario.item(named: "A vase")), by: scenario.auctioneer)
        try scenario.startAutomaticSale(pause: 0)
        #expect(scenario.room.item?.name == "A vase" && scenario.room.state == .listing)
        scenario.wait(milliseconds: 18000)
        #expect(scenario.room.item?.name == "A1" && scenario.room.state == .listing)
    }

    @Test func `a sale begins at its time`() throws {
        var scenario = try Scenario.withLots(1)
        let start = scenario.instant + Seconds(3600)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: start))
        #expect(scenario.room.dueAt == start)
        let events = scenario.wait(milliseconds: 3_600_000)
        #expect(events.first == .sale(.started(by: nil)))
        #expect(scenario.room.state == .listing && scenario.room.sale.startsAt == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a sale whose time comes during a round goes on after it`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.uploadItem(scenario.item(named: "A vase")), by: scenario.auctioneer)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: scenario.instant + Seconds(10)))
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 12000)
        #expect(scenario.room.state == .auctioning && scenario.room.sale.isRunning)
        scenario.wait(milliseconds: 11000)
        #expect(scenario.room.state == .listing && scenario.room.item?.name == "A1")
    }

    @Test func `a start that was due during an outage happens a minute after it`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: scenario.instant + Seconds(10)))
        scenario.skip(milliseconds: 20000)
        let late = scenario.instant + Seconds(60)
        #expect(scenario.serviceReturns() == [.sale(.starting(late, cause: .outage))])
        scenario.wait(milliseconds: 59999)
        #expect(scenario.room.state == .preparing)
        scenario.wait(milliseconds: 1)
        #expect(scenario.room.state == .listing)
    }

    @Test func `a pause between lots that ended during an outage begins again after it`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale(pause: 10)
        scenario.wait(milliseconds: 18000)
        scenario.skip(milliseconds: 50000)
        scenario.serviceReturns()
        #expect(scenario.room.endsAt == scenario.instant + Seconds(10))
        scenario.wait(milliseconds: 10000)
        #expect(scenario.room.state == .listing && scenario.references(.current) == ["A2"])
    }

    /// Joins are still taken in a full room.
    private func fill(_ scenario: inout Scenario, beyond bytes: Int) throws {
        for number in 0..<1000 where scenario.room.storage.bytes <= bytes {
            let viewer = Person(id: UserID(bits: UInt128(100 + number)), nickname: "Vi")
            try scenario.perform(.join(JoinRoom(role: .viewer, inviteCode: nil)), by: viewer)
        }
    }

    @Test func `no lot begins in a room that is full, at the sale's time or after a pause`() throws {
        let rulebook = try RoomRulebook.product(limits: RoomLimits(roomBytes: 30_000))
        var scenario = try Scenario.withLots(2, rulebook: rulebook)
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: scenario.instant + Seconds(10)))
        var other = scenario
        try fill(&scenario, beyond: 30_000)
        let stopped = EventBody.sale(.stopped(.storageFull, by: nil))
        #expect(scenario.wait(milliseconds: 10_000) == [.sale(.started(by: nil)), stopped])
        #expect(scenario.room.state == .preparing && !scenario.room.sale.isRunning && scenario.room.dueAt == nil)
        #expect(scenario.refusal(of: .sale(.start), by: scenario.host)?.code == "room.storage_full")
        other.wait(milliseconds: 28_000)
        #expect(other.room.isBetweenLots)
        try fill(&other, beyond: 30_000)
        #expect(other.wait(milliseconds: 5000) == [stopped])
        #expect(other.room.state == .closed && other.references(.queued) == ["A2"])
        #expect(try other.replayed() == other.room)
    }

    @Test func `a sale without lots, a manual one and one that does not run are refused`() throws {
        var scenario = try Scenario.withMembers()
        #expect(scenario.refusal(of: .sale(.start), by: scenario.host)?.code == "sale.not_automatic")
        #expect(scenario.refusal(of: .sale(.stop), by: scenario.host)?.code == "sale.not_running")
        #expect(scenario.refusal(of: .sale(.start), by: scenario.auctioneer)?.code == "sale.not_host")
        try scenario.configure(Sale(mode: .automatic, pause: Seconds(0)))
        #expect(scenario.refusal(of: .sale(.start), by: scenario.host)?.code == "sale.no_lots")
        let past = Sale(mode: .automatic, pause: Seconds(0), startsAt: scenario.instant)
        #expect(scenario.refusal(of: .sale(.configure(past)), by: scenario.host)?.kind == .malformed(field: "startsAt"))
    }

    @Test func `a premium is in the results, and is not changed during a round`() throws {
        var scenario = try Scenario.withLots(1)
        let premium = try #require(Premium(rawValue: 1250))
        try scenario.configure(Sale(mode: .manual, pause: Sale.defaultPause, premium: premium))
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.refusal(of: .sale(.configure(.manual)), by: scenario.host)?.code == "sale.premium_in_round")
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10004, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.room.results.last?.premium == premium)
        // 12.5 % of 100.04 is 12.505, rounded half up.
        #expect(premium.total(of: Money(minorUnits: 10004)) == Money(minorUnits: 11255))
        #expect(premium.total(of: Money(minorUnits: .max)) == Money(minorUnits: .max), "a damaged stored price does not trap")
    }
}
