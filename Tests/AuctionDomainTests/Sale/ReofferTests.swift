import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

@testable import EventLog

/// A lot that was not sold is offered again as a new one.
struct ReofferTests {
    /// A room whose first lot was passed without a bid, in the third minute.
    private static func withPassedLot(others: Int = 1) throws -> Scenario {
        var scenario = try Scenario.withLots(1 + others)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        scenario.wait(milliseconds: 15_000)
        #expect(scenario.references(.passed) == ["A1"])
        return scenario
    }

    private func patch(startingPrice: Int64? = nil, bidding: Seconds? = nil) -> RulesPatch {
        var patch = RulesPatch()
        patch.startingPrice = startingPrice.map(Money.init(minorUnits:))
        patch.bidding = bidding
        return patch
    }

    @Test func `a passed lot waits again as a new lot with the same content and the reference`() throws {
        var scenario = try Self.withPassedLot()
        let old = try scenario.lot("A1")
        let events = try scenario.perform(.reofferLot(old.id, nil), by: scenario.auctioneer)
        guard case .lotQueued(let queued)? = events.first, case .lotQueued(let id) = scenario.lastOutcome else {
            throw ScenarioError()
        }
        #expect(events.count == 1 && queued.id == id && id != old.id && queued.number == 3 && queued.by == nil)
        let new = try scenario.lot("A1")
        #expect(new.id == id && new.state == .queued && new.content.offeredBefore == old.id)
        #expect(new.content.upload == old.content.upload && new.content.item != old.content.item)
        let lots = scenario.room.lots
        #expect(lots[old.id]?.state == .passed && lots[old.id]?.reference == nil)
        #expect(lots.standingSuccessor(of: old.id)?.id == id)
        #expect(lots.position(of: new) == 3)
        #expect(scenario.room.results.last?.reference == "A1", "the result keeps it")
        #expect(try scenario.replayed() == scenario.room)
        let read = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)))
        #expect(read == scenario.room && read.lots.standingSuccessor(of: old.id)?.id == id)
        #expect(read.lots[reference: "A1"]?.id == id)
    }

    @Test func `it has its turn like any other, with other rules, and is offered again once more`() throws {
        var scenario = try Self.withPassedLot(others: 0)
        let first = try scenario.lot("A1").id
        try scenario.perform(.reofferLot(first, patch(startingPrice: 5000, bidding: Seconds(20))), by: scenario.auctioneer)
        let second = try scenario.lot("A1")
        #expect(second.content.upload.rules.startingPrice == Money(minorUnits: 5000))
        #expect(second.content.upload.rules.bidding == Seconds(20))
        #expect(scenario.room.lots[first]?.content.upload.rules.startingPrice == Money(minorUnits: 10000))
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.item?.lot == second.id)
        scenario.wait(milliseconds: 3000)
        scenario.wait(milliseconds: 20_000)
        #expect(scenario.room.lots[second.id]?.state == .passed)
        #expect(scenario.refusal(of: .reofferLot(first, nil), by: scenario.host)?.code == "reoffer.again")
        try scenario.perform(.reofferLot(second.id, nil), by: scenario.host)
        #expect(try scenario.lot("A1").content.offeredBefore == second.id)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the host offers another's lot again, but not at other prices`() throws {
        var scenario = try Self.withPassedLot()
        let old = try scenario.lot("A1")
        let dearer = Command.reofferLot(old.id, patch(startingPrice: 5000))
        #expect(scenario.refusal(of: dearer, by: scenario.host)?.code == "reoffer.owner_only")
        let host = Person(id: scenario.host.id, nickname: "Hana the host")
        let events = try scenario.perform(.reofferLot(old.id, patch(bidding: Seconds(30))), by: host)
        guard case .lotQueued(let queued)? = events.first else { throw ScenarioError() }
        #expect(queued.by == host && queued.item.owner == scenario.auctioneer)
        #expect(scenario.room.host == host, "the event has the nickname of the host's token")
        #expect(scenario.room.lots.owner(of: try scenario.lot("A1")) == scenario.auctioneer)
        #expect(scenario.room.storage.bytes(of: host.id) >= EventBody.lotQueued(queued).storedBytes)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `only a lot that was not sold is offered again, once, by its owner or the host`() throws {
        var scenario = try Self.withPassedLot(others: 2)
        let passed = try scenario.lot("A1").id
        func code(_ lot: LotID, by person: Person) -> String? { scenario.refusal(of: .reofferLot(lot, nil), by: person)?.code }
        #expect(code(try scenario.lot("A2").id, by: scenario.auctioneer) == "reoffer.not_ended")
        #expect(code(LotID(bits: 5), by: scenario.auctioneer) == "lot.not_found")
        #expect(code(passed, by: scenario.bidder) == "reoffer.not_yours")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(code(try #require(scenario.room.item?.lot), by: scenario.host) == "reoffer.not_ended")
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        #expect(code(try scenario.lot("A2").id, by: scenario.host) == "reoffer.not_ended")
        try scenario.perform(.reofferLot(passed, nil), by: scenario.auctioneer)
        let again = scenario.refusal(of: .reofferLot(passed, nil), by: scenario.host)
        let withdrawn = try scenario.lot("A1").id
        #expect(again?.code == "reoffer.again" && again?.actual == withdrawn.description)
        try scenario.perform(.withdrawLot(withdrawn, reason: nil), by: scenario.host)
        #expect(code(withdrawn, by: scenario.host) == "reoffer.not_ended")
        try scenario.perform(.reofferLot(passed, nil), by: scenario.host)
        #expect(try scenario.lot("A1").content.offeredBefore == passed, "the withdrawn one has left it the reference")
        #expect(scenario.room.lots[withdrawn]?.reference == nil)
        let read = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)))
        #expect(try read.lots.successor(of: passed)?.id == scenario.lot("A1").id)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(code(passed, by: scenario.auctioneer) == "reoffer.banned")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `rules that contradict each other are refused, and the room's bound of lots holds`() throws {
        let rulebook = try RoomRulebook.product(limits: RoomLimits(lotsPerRoom: 1))
        var scenario = try Scenario.withLots(1, rulebook: rulebook)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        scenario.wait(milliseconds: 15_000)
        let id = try scenario.lot("A1").id
        #expect(scenario.refusal(of: .reofferLot(id, nil), by: scenario.auctioneer)?.code == "reoffer.too_many")
        let other = try Self.withPassedLot()
        var patch = RulesPatch()
        patch.buyNowPrice = .some(Money(minorUnits: 1))
        let refused = try other.refusal(of: .reofferLot(other.lot("A1").id, patch), by: other.auctioneer)
        #expect(refused?.kind == .malformed(field: "rules.buyNowPrice"))
    }

    @Test func `a file that is imported again updates the new lot, and its repeat changes nothing`() throws {
        var scenario = try Self.withPassedLot()
        try scenario.perform(.reofferLot(scenario.lot("A1").id, nil), by: scenario.auctioneer)
        let id = try scenario.lot("A1").id
        func file(_ name: String) -> ImportLots {
            ImportLots(rows: [.init(line: 2, lot: QueueLot(item: scenario.item(named: name), reference: "A1"))])
        }
        try scenario.perform(.importLots(file("Vase")), by: scenario.auctioneer)
        #expect(try scenario.lot("A1").content.upload.name == "Vase" && scenario.room.lots.count == 3)
        #expect(try scenario.lot("A1").id == id && scenario.lot("A1").content.offeredBefore != nil)
        #expect(try scenario.perform(.importLots(file("Vase")), by: scenario.auctioneer).isEmpty)
        guard case .lotsImported(let imported) = scenario.lastOutcome else { throw ScenarioError() }
        #expect(imported.map(\.outcome) == [.unchanged])
    }

    @Test func `in a running sale the new lot has its turn, and it goes to the user when its owner is linked`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.startAutomaticSale()
        scenario.wait(milliseconds: 3000)
        scenario.wait(milliseconds: 15_000)
        let passed = try #require(scenario.room.results.last?.lot)
        try scenario.perform(.reofferLot(passed, nil), by: scenario.host)
        for milliseconds: Int64 in [10_000, 3000, 15_000, 10_000] { scenario.wait(milliseconds: milliseconds) }
        #expect(try scenario.room.item?.lot == scenario.lot("A1").id && scenario.room.sale.isRunning)
        for milliseconds: Int64 in [3000, 15_000] { scenario.wait(milliseconds: milliseconds) }
        #expect(!scenario.room.sale.isRunning && scenario.references(.passed).count == 3)
        try scenario.perform(.linkGuest(scenario.auctioneer), by: scenario.stranger)
        #expect(scenario.room.lots.owner(of: try scenario.lot("A1")) == scenario.stranger)
        #expect(try scenario.replayed() == scenario.room)
    }
}
