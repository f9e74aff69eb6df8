import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

/// Configuration of the rules of a room by its host.
struct ConfigurationTests {
    private func configure(_ rule: String, enabled: Bool? = nil, priority: Int? = nil) -> Command {
        .configureRule(ConfigureRule(rule: rule, isEnabled: enabled, priority: priority))
    }

    private func bid(_ minorUnits: Int64 = 10000) -> Command {
        .placeBid(PlaceBid(amount: Money(minorUnits: minorUnits)))
    }

    @Test func `given a disabled viewer rule, when a viewer bids, then the bid is accepted`() throws {
        var scenario = try Scenario.withItem()
        let events = try scenario.perform(configure("bid.viewer", enabled: false), by: scenario.host)
        #expect(
            events == [
                .permissionChanged(
                    PermissionChange(rule: "bid.viewer", isEnabled: false, priority: nil, by: scenario.host))
            ])
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid(), by: scenario.viewer) == nil)
        #expect(scenario.refusal(of: bid(), by: scenario.host)?.code == "bid.host")
    }

    @Test func `a permanent rule cannot be disabled, and the attempt changes nothing`() throws {
        let scenario = try Scenario.withItem()
        for rule in scenario.manager.rulebook.permissions.rules where rule.isPermanent {
            let refusal = scenario.refusal(of: configure(rule.id, enabled: false), by: scenario.host)
            #expect(refusal?.code == "rule.permanent")
            #expect(refusal?.kind == .conflict)
        }
    }

    @Test func `an event that disables a permanent rule has no effect`() throws {
        var room = try Scenario.auctioning().room
        let scenario = try Scenario.auctioning()
        let change = PermissionChange(rule: "bid.own_item", isEnabled: false, priority: nil, by: scenario.host)
        _ = room.record([.permissionChanged(change)], at: scenario.instant)
        let context = RuleContext(
            room: room, rulebook: scenario.manager.rulebook, caller: scenario.auctioneer.id, at: scenario.instant)
        #expect(scenario.manager.rulebook.denial(of: .placeBid, in: context)?.rule == "bid.own_item")
    }

    @Test func `given another priority, the rule evaluated first gives the reason`() throws {
        var scenario = try Scenario.withItem()
        let early = bid()
        #expect(scenario.refusal(of: early, by: scenario.viewer)?.code == "bid.not_auctioning")
        try scenario.perform(configure("bid.viewer", priority: 500), by: scenario.host)
        let refusal = try #require(scenario.refusal(of: early, by: scenario.viewer))
        #expect(refusal.code == "bid.viewer")
        guard case .denied(let denial) = refusal.kind else { throw refusal }
        #expect(denial.priority == 500)
    }

    @Test func `a new priority of a permanent rule may change the reason of a denial, never the verdict`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(configure("bid.not_member", priority: 500), by: scenario.host)
        #expect(scenario.refusal(of: bid(), by: scenario.stranger)?.code == "bid.not_member")
        try scenario.openBidding()
        #expect(scenario.refusal(of: bid(), by: scenario.bidder) == nil)
    }

    @Test func `a configuration without a change produces no event`() throws {
        var scenario = try Scenario.withItem()
        #expect(try scenario.perform(configure("bid.viewer", enabled: true, priority: 80), by: scenario.host).isEmpty)
        #expect(try scenario.perform(configure("bid.own_item", enabled: true), by: scenario.host).isEmpty)
        #expect(try scenario.perform(configure("bid.invited_only", enabled: false), by: scenario.host).isEmpty)
        #expect(try scenario.perform(configure("bid.viewer"), by: scenario.host).isEmpty)
        #expect(scenario.room.configuration.isDefault)
    }

    @Test func `only the value that changes is recorded`() throws {
        var scenario = try Scenario.withItem()
        let events = try scenario.perform(configure("bid.viewer", enabled: true, priority: 81), by: scenario.host)
        #expect(
            events == [
                .permissionChanged(PermissionChange(rule: "bid.viewer", isEnabled: nil, priority: 81, by: scenario.host))
            ])
    }

    @Test(arguments: [-1, 1001, Int.max])
    func `a priority out of range is malformed`(priority: Int) throws {
        let scenario = try Scenario.withItem()
        let refusal = scenario.refusal(of: configure("bid.viewer", priority: priority), by: scenario.host)
        #expect(refusal?.kind == .malformed(field: "priority"))
    }

    @Test func `only the host configures rules, only while preparing, and only existing rules`() throws {
        var scenario = try Scenario.withItem()
        let off = configure("bid.viewer", enabled: false)
        #expect(scenario.refusal(of: off, by: scenario.auctioneer)?.code == "permission.not_host")
        let unknown = scenario.refusal(of: configure("bid.unheard_of", enabled: false), by: scenario.host)
        #expect(unknown?.code == "rule.not_found")
        #expect(unknown?.kind == .notFound)
        try scenario.openBidding()
        #expect(scenario.refusal(of: off, by: scenario.host)?.code == "permission.not_preparing")
    }

    @Test func `an explanation follows the room's configuration`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(configure("bid.viewer", enabled: false, priority: 999), by: scenario.host)
        let context = RuleContext(
            room: scenario.room, rulebook: scenario.manager.rulebook, caller: scenario.viewer.id, at: scenario.instant)
        let trace = scenario.manager.rulebook.permissions.explain(
            .placeBid, in: context, configuration: scenario.room.configuration)
        #expect(trace.first?.rule == "bid.viewer")
        #expect(trace.first?.verdict == .disabled)
        #expect(trace.first?.priority == 999)
        #expect(trace.first { $0.rule == "bid.invited_only" }?.verdict == .disabled)
    }

    @Test func `a configuration is kept after the round, and replaying gives the same room`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(configure("bid.viewer", enabled: false), by: scenario.host)
        try scenario.openBidding()
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.round == 2)
        #expect(!scenario.manager.rulebook.isEnabled("bid.viewer", in: scenario.room))
        #expect(try scenario.replayed() == scenario.room)
    }
}
