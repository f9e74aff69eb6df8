import AuctionDomain
import AuctionTestKit
import Testing

/// A banned member cannot act; their earlier bids and items remain valid.
struct BannedTests {
    private func banning(_ person: Person, in scenario: inout Scenario) throws {
        try scenario.perform(.changeMember(person.id, MemberChanges(isBanned: true)), by: scenario.host)
    }

    @Test func `a banned auctioneer cannot upload or adjust, and other auctioneers may replace the item`() throws {
        var scenario = try Scenario.withItem()
        try banning(scenario.auctioneer, in: &scenario)
        let upload = Command.uploadItem(Scenario.item(scenario.rules()))
        let item = try #require(scenario.room.item)
        var patch = RulesPatch()
        patch.bidding = Seconds(30)
        #expect(scenario.refusal(of: upload, by: scenario.auctioneer)?.code == "item.banned")
        #expect(scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.auctioneer)?.code == "rules.banned")
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        try scenario.perform(upload, by: scenario.rival)
        #expect(scenario.room.item?.owner == scenario.rival)
    }

    @Test func `another auctioneer may replace an item only once its owner is no longer an auctioneer`() throws {
        var scenario = try Scenario.withItem()
        let upload = Command.uploadItem(Scenario.item(scenario.rules()))
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        #expect(scenario.refusal(of: upload, by: scenario.rival)?.code == "item.taken")
        var demoted = scenario
        try demoted.perform(.changeMember(demoted.auctioneer.id, MemberChanges(role: .bidder)), by: demoted.host)
        #expect(demoted.refusal(of: upload, by: demoted.rival) == nil)
        try scenario.perform(.kick(scenario.auctioneer.id), by: scenario.host)
        #expect(scenario.refusal(of: upload, by: scenario.rival) == nil)
    }

    @Test func `a running round continues when the owner of its item leaves or is banned or kicked`() throws {
        for command in ["ban", "kick", "leave"] {
            var scenario = try Scenario.auctioning()
            switch command {
            case "ban": try banning(scenario.auctioneer, in: &scenario)
            case "kick": try scenario.perform(.kick(scenario.auctioneer.id), by: scenario.host)
            default: try scenario.perform(.leave, by: scenario.auctioneer)
            }
            try scenario.bid(10000, by: scenario.bidder)
            scenario.wait(milliseconds: 15000)
            let result = try #require(scenario.room.results.last)
            #expect(result.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 10000)))
            #expect(result.item.id == scenario.room.item?.id)
        }
    }

    @Test func `a bid remains valid when its bidder is banned, muted or kicked`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        let changes = MemberChanges(isMuted: true, isBanned: true)
        try scenario.perform(.changeMember(scenario.bidder.id, changes), by: scenario.host)
        try scenario.perform(.kick(scenario.bidder.id), by: scenario.host)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.room.results.last?.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 10000)))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a private room is hidden from a banned member, whose join is refused with the reason`() throws {
        var scenario = try Scenario(visibility: .private)
        let join = Command.join(JoinRoom(role: .bidder, inviteCode: "letmein"))
        try scenario.perform(join, by: scenario.bidder)
        try banning(scenario.bidder, in: &scenario)
        #expect(!scenario.room.isVisible(to: scenario.bidder.id))
        for command in [Command.leave, .sendMessage("Hello"), .placeBid(PlaceBid(amount: Money(minorUnits: 1)))] {
            #expect(scenario.refusal(of: command, by: scenario.bidder)?.code == "room.not_found")
        }
        #expect(scenario.refusal(of: join, by: scenario.bidder)?.code == "member.banned")
        #expect(scenario.room.isVisible(to: scenario.host.id))
    }
}
