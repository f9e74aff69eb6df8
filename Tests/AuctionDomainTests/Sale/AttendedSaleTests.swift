import AuctionDomain
import AuctionTestKit
import Testing

/// Whether an automatic sale needs its host.
struct AttendedSaleTests {
    /// Two lots whose host has no successor.
    private func lots() throws -> Scenario {
        var scenario = try Scenario.withMembers()
        for reference in ["A1", "A2"] { try scenario.queue(reference, by: scenario.host) }
        try scenario.perform(.leave, by: scenario.auctioneer)
        return scenario
    }

    private func sale(_ isAttended: Bool, at start: Timestamp? = nil) -> Sale {
        Sale(mode: .automatic, pause: Seconds(10), startsAt: start, isAttended: isAttended)
    }

    @Test func `a sale that needs no host begins at its time and goes on to its last lot`() throws {
        var scenario = try lots()
        try scenario.configure(sale(false, at: scenario.instant + Seconds(60)))
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.wait(milliseconds: 60_000).first == .sale(.started(by: nil)))
        #expect(scenario.room.state == .listing)
        let events = scenario.wait(milliseconds: 60_000)
        #expect(events.last == .sale(.finished))
        #expect(scenario.references(.passed) == ["A1", "A2"])
        #expect(scenario.room.dueAt == nil && scenario.room.hostGoneSince != nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a host who disconnects does not pause the round of a sale that needs none`() throws {
        var scenario = try lots()
        try scenario.configure(sale(false))
        try scenario.perform(.sale(.start), by: scenario.host)
        scenario.wait(milliseconds: 4000)
        let events = try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(events == [.hostGone(scenario.host)])
        #expect(scenario.room.state == .auctioning && scenario.room.endsAt != nil)
        scenario.wait(milliseconds: 14_000 + 10_000)
        #expect(scenario.room.state == .listing && scenario.references(.current) == ["A2"])
        // A round that the host begins is not of the sale.
        try scenario.perform(.sale(.stop), by: scenario.host)
        let alone = try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(alone.first == .hostGone(scenario.host) && scenario.room.state == .paused)
    }

    @Test func `a start that the absent host of an attended sale prevents is an event, and one command makes up for it`() throws
    {
        var scenario = try lots()
        try scenario.configure(sale(true, at: scenario.instant + Seconds(60)))
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(scenario.wait(milliseconds: 60_000) == [.sale(.postponed(.hostGone))])
        #expect(scenario.room.sale.isPostponed && scenario.room.sale.startsAt == nil && scenario.room.dueAt == nil)
        #expect(scenario.wait(milliseconds: 3_600_000).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
        let events = try scenario.perform(.sale(.start), by: scenario.host)
        #expect(events.prefix(2) == [.hostReturned(scenario.host), .sale(.started(by: scenario.host))])
        #expect(scenario.room.state == .listing && !scenario.room.sale.isPostponed)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `another configuration replaces a postponed start`() throws {
        var scenario = try lots()
        try scenario.configure(sale(true, at: scenario.instant + Seconds(60)))
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        scenario.wait(milliseconds: 60_000)
        let later = scenario.instant + Seconds(600)
        try scenario.configure(sale(true, at: later))
        #expect(!scenario.room.sale.isPostponed && scenario.room.dueAt == later)
    }

    @Test func `an attended sale pauses without its host, and begins no lot`() throws {
        var scenario = try lots()
        try scenario.configure(sale(true))
        try scenario.perform(.sale(.start), by: scenario.host)
        scenario.wait(milliseconds: 4000)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        #expect(scenario.room.state == .paused)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 14_000)
        #expect(scenario.room.isBetweenLots)
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.wait(milliseconds: 10_000) == [.sale(.stopped(.hostGone, by: nil))])
        #expect(scenario.room.dueAt == nil && scenario.references(.queued) == ["A2"])
    }
}
