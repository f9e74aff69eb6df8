import AuctionDomain
import AuctionTestKit
import Testing

@testable import EventLog

/// The host voids a sale: it counts nowhere any more.
struct VoidTests {
    /// A room whose first lot was sold to the bidder for 120.00, after a bid of the rival.
    static func withSoldLot(lots: Int = 2) throws -> Scenario {
        var scenario = try Scenario.withLots(lots)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.bid(11_000, by: scenario.rival)
        try scenario.bid(12_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        #expect(scenario.references(.sold) == ["A1"])
        return scenario
    }

    private func void(_ round: Int = 1, _ reason: String = "Not paid.") -> Command {
        .result(.void(round: round, reason: reason))
    }

    @Test func `a voided sale keeps its row, and is in no total`() throws {
        var scenario = try Self.withSoldLot()
        let lot = try scenario.lot("A1").id
        let events = try scenario.perform(void(), by: scenario.host)
        guard case .itemVoided(let voided)? = events.first else { throw ScenarioError() }
        #expect(events.count == 2 && voided.round == 1 && voided.lot == lot && voided.winner == scenario.bidder)
        #expect(voided.price == Money(minorUnits: 12_000) && voided.item.name == "A1" && voided.by == scenario.host)
        let row = try #require(scenario.room.results.row(ofRound: 1))
        #expect(row.isVoid && row.sale == nil && row.total == nil && row.premiumAmount == nil)
        #expect(row.winner == scenario.bidder && row.price == Money(minorUnits: 12_000))
        #expect(row.afterwards.void?.reason == "Not paid." && row.afterwards.void?.by == scenario.host)
        #expect(
            row.afterwards.runnerUp?.person == scenario.rival && row.afterwards.runnerUp?.amount == Money(minorUnits: 11_000))
        let results = scenario.room.results
        #expect(results.amountWon(by: scenario.bidder.id) == Money(minorUnits: 0) && !results.hasWon(scenario.bidder.id))
        #expect(results.count(wonBy: scenario.bidder.id) == 0)
        #expect(scenario.room.lots[lot]?.state == .voided)
        #expect(UserChanges(of: scenario.room).wins.isEmpty)
        #expect(try scenario.replayed() == scenario.room)
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
        #expect(try scenario.perform(void(1, "Again."), by: scenario.host).isEmpty, "it is void already")
        #expect(scenario.lastOutcome == .resultChanged(round: 1))
    }

    @Test func `other sales of the same buyer stay, and the credit limit is free again`() throws {
        var scenario = try Self.withSoldLot()
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 25_000))), by: scenario.host)
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10_000, by: scenario.bidder)
        let dear = Command.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 14_000)))
        #expect(scenario.refusal(of: dear, by: scenario.bidder)?.code == "bid.over_credit")
        try scenario.perform(void(), by: scenario.host)
        try scenario.perform(dear, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        #expect(scenario.room.results.amountWon(by: scenario.bidder.id) == Money(minorUnits: 10_000))
        #expect(scenario.room.results.count(wonBy: scenario.bidder.id) == 1)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a lot whose sale was voided is offered again`() throws {
        var scenario = try Self.withSoldLot()
        let lot = try scenario.lot("A1").id
        #expect(scenario.refusal(of: .reofferLot(lot, nil), by: scenario.host)?.code == "reoffer.not_ended")
        try scenario.perform(void(), by: scenario.host)
        try scenario.perform(.reofferLot(lot, nil), by: scenario.auctioneer)
        #expect(try scenario.lot("A1").content.offeredBefore == lot)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `only the host voids a sale that there is, until the room is archived`() throws {
        var scenario = try Self.withSoldLot()
        func code(_ round: Int, by person: Person) -> String? { scenario.refusal(of: void(round), by: person)?.code }
        for person in [scenario.auctioneer, scenario.bidder, scenario.stranger] {
            #expect(code(1, by: person) == "void.not_host")
        }
        for round in [0, 2, -1, Int.min, Int.max] { #expect(code(round, by: scenario.host) == "result.not_found") }
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        #expect(code(2, by: scenario.host) == "result.not_found", "that round is not over")
        scenario.wait(milliseconds: 3000)
        scenario.wait(milliseconds: 15_000)
        #expect(code(2, by: scenario.host) == "result.not_sold")
        try scenario.perform(.archiveRoom, by: scenario.host)
        #expect(code(1, by: scenario.host) == "room.not_found")
    }

    @Test func `a link moves the parts that a guest has in a voided sale`() throws {
        var scenario = try Self.withSoldLot()
        try scenario.perform(void(), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger)
        let user = Person(id: UserID(bits: 0xE1), nickname: "Eve")
        try scenario.perform(.linkGuest(scenario.rival), by: user)
        let row = try #require(scenario.room.results.row(ofRound: 1))
        #expect(row.winner == scenario.stranger && row.afterwards.void?.sale.buyer == scenario.stranger)
        #expect(row.afterwards.runnerUp?.person == user)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test
    func `the next bidder of a sealed round has the highest other bid, the earliest of equal ones, and a Dutch round has none`()
        throws
    {
        for format in [AuctionFormatName.sealedFirstPrice, .vickrey] {
            var scenario = try Scenario.auctioning(PermissionTable.rules(of: format))
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.viewer)
            try scenario.bid(15_000, by: scenario.viewer)
            try scenario.bid(12_000, by: scenario.rival)
            try scenario.bid(20_000, by: scenario.bidder)
            try scenario.bid(15_000, by: scenario.stranger)
            scenario.wait(milliseconds: 15_000)
            let next = try #require(scenario.room.results.last?.afterwards.runnerUp)
            #expect(next.person == scenario.viewer && next.amount == Money(minorUnits: 15_000))
            #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
        }
        var dutch = try Scenario.auctioning(PermissionTable.rules(of: .dutch))
        try dutch.bid(10_000, by: dutch.bidder)
        #expect(dutch.room.results.last?.sale != nil && dutch.room.results.last?.afterwards.runnerUp == nil)
        var alone = try Scenario.auctioning()
        try alone.bid(upTo: 20_000, by: alone.bidder)
        alone.wait(milliseconds: 15_000)
        #expect(alone.room.results.last?.afterwards.runnerUp == nil)
    }
}
