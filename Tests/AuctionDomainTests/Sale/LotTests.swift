import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct LotTests {
    @Test func `lots wait in the order in which they were queued`() throws {
        let scenario = try Scenario.withLots(3)
        #expect(scenario.references(.queued) == ["A1", "A2", "A3"])
        #expect(try scenario.room.lots.position(of: scenario.lot("A2")) == 2)
        #expect(scenario.room.item == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `lots are numbered in the order of queueing, and keep their numbers`() throws {
        var scenario = try Scenario.withLots(2)
        func numbers() -> [String] { scenario.room.lots.lots().map { "\($0.reference ?? "-"):\($0.number)" } }
        try scenario.perform(.withdrawLot(scenario.lot("A2").id, reason: nil), by: scenario.host)
        let rows = ["B3", "B4"].enumerated().map { index, name in
            ImportLots.Row(line: index + 2, lot: QueueLot(item: scenario.item(named: name), reference: name))
        }
        let events = try scenario.perform(.importLots(ImportLots(rows: rows)), by: scenario.auctioneer)
        let given = events.map { event -> Int? in
            if case .lotQueued(let lot) = event { lot.number } else { nil }
        }
        #expect(given == [3, 4], "those of the withdrawn are not used again")
        try scenario.move(scenario.lot("B4").id, before: scenario.lot("A1").id)
        #expect(numbers() == ["B4:4", "A1:1", "A2:2", "B3:3"])
        var changes = LotChanges()
        changes.name = "Pot"
        guard
            case .lotChanged(let changed)? = try scenario.perform(.changeLot(scenario.lot("B4").id, changes), by: scenario.host)
                .first
        else { throw ScenarioError() }
        #expect(changed.number == 4 && numbers()[0] == "B4:4")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the start takes the first queued lot if no item was uploaded`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .listing)
        #expect(scenario.room.item?.name == "A1")
        #expect(scenario.references(.current) == ["A1"])
        #expect(try scenario.lot("A1").round == 1)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the next round has the next lot, and results name lot, seller and reference`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        try scenario.bid(10000, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        #expect(scenario.references(.sold) == ["A1"])
        let row = try #require(scenario.room.results.last)
        #expect(row.lot == (try scenario.lot("A1").id) && row.seller == scenario.auctioneer && row.reference == "A1")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .preparing && scenario.room.round == 2)
        #expect(scenario.room.item?.name == "A2")
        #expect(scenario.references(.current) == ["A2"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a lot is moved before another one, to the end, and nowhere if it is there`() throws {
        var scenario = try Scenario.withLots(4)
        let ids = Array(scenario.room.lots.lots()).map(\.id)
        try scenario.move(ids[3], before: ids[1])
        #expect(scenario.references() == ["A1", "A4", "A2", "A3"])
        try scenario.move(ids[0], before: nil)
        #expect(scenario.references() == ["A4", "A2", "A3", "A1"])
        #expect(try scenario.move(ids[0], before: nil).isEmpty)
        #expect(try scenario.move(ids[1], before: ids[2]).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a move before a lot that the room does not have names the field`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Wait.")), by: scenario.host)
        #expect(scenario.references(.current) == ["A1"])
        var changes = LotChanges()
        changes.target = .before(LotID(bits: 1))
        for reference in ["A1", "A2"] {
            let move = Command.changeLot(try scenario.lot(reference).id, changes)
            #expect(scenario.refusal(of: move, by: scenario.host)?.kind == .malformed(field: "before"), "\(reference)")
        }
    }

    @Test func `a lot that is moved before the prepared one takes its turn`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.item?.name == "A2")
        try scenario.move(scenario.lot("A3").id, before: scenario.lot("A2").id)
        #expect(scenario.room.item?.name == "A3")
        #expect(scenario.references(.current) == ["A3"] && scenario.references(.queued) == ["A2"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a lot that is changed and moved before the prepared one is auctioned as changed`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        var changes = LotChanges()
        changes.rules = RulesPatch()
        changes.rules?.reservePrice = .some(Money(minorUnits: 50_000))
        changes.target = .before(try scenario.lot("A1").id)
        try scenario.perform(.changeLot(try scenario.lot("A2").id, changes), by: scenario.auctioneer)
        #expect(scenario.room.item?.name == "A2")
        #expect(scenario.room.rules?.reservePrice == Money(minorUnits: 50_000))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the prepared lot is changed and withdrawn like one in the queue, and the next takes its turn`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        var changes = LotChanges()
        changes.name = "A teapot"
        try scenario.perform(.changeLot(try scenario.lot("A1").id, changes), by: scenario.host)
        #expect(scenario.room.item?.name == "A teapot")
        try scenario.perform(.withdrawLot(try scenario.lot("A1").id, reason: nil), by: scenario.host)
        #expect(scenario.room.item?.name == "A2" && scenario.references(.current) == ["A2"])
        try scenario.perform(.withdrawLot(try scenario.lot("A2").id, reason: nil), by: scenario.host)
        #expect(scenario.room.item == nil && scenario.references(.withdrawn) == ["A1", "A2"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the prepared lot is moved behind others, and the first that waits takes its turn`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "It is damaged.")), by: scenario.host)
        let ids = Array(scenario.room.lots.lots()).map(\.id)
        #expect(try scenario.move(ids[0], before: ids[1], by: scenario.auctioneer).isEmpty, "it is there already")
        try scenario.move(ids[0], before: ids[2], by: scenario.auctioneer)
        #expect(scenario.room.item?.name == "A2" && scenario.references() == ["A2", "A1", "A3"])
        #expect(scenario.references(.current) == ["A2"] && scenario.references(.queued) == ["A1", "A3"])
        try scenario.move(ids[1], before: nil)
        #expect(scenario.room.item?.name == "A1" && scenario.references() == ["A1", "A3", "A2"])
        #expect(try scenario.replayed() == scenario.room)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        let refused = #expect(throws: Refusal.self) { try scenario.move(ids[0], before: nil) }
        #expect(refused?.code == "lot.not_queued", "its round runs")
    }

    @Test func `a prepared lot that waits alone stays where it is`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        #expect(try scenario.move(scenario.lot("A1").id, before: nil).isEmpty && scenario.room.item?.name == "A1")
    }

    @Test func `another auctioneer does not displace the prepared lot`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        try scenario.queue("B1", by: scenario.viewer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        let (own, prepared) = (try scenario.lot("B1").id, try scenario.lot("A1").id)
        let refused = #expect(throws: Refusal.self) { try scenario.move(own, before: prepared, by: scenario.viewer) }
        #expect(refused?.code == "lot.not_queued")
        try scenario.move(own, before: prepared)
        #expect(scenario.room.item?.name == "B1")
    }

    @Test func `a host's import does not reveal whether it guessed the reserve price`() throws {
        var scenario = try Scenario.withLots(1)
        var rules = scenario.rules()
        rules.reservePrice = Money(minorUnits: 70_000)
        let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
        let guess = ImportLots(rows: [.init(line: 2, lot: QueueLot(item: item, reference: "A1"))])
        let refused = scenario.refusal(of: .importLots(guess), by: scenario.host)
        try scenario.perform(.importLots(guess), by: scenario.auctioneer)
        #expect(refused != nil && scenario.refusal(of: .importLots(guess), by: scenario.host) == refused)
    }

    @Test func `a lot that was withdrawn is not withdrawn again, and the refusal speaks of withdrawing`() throws {
        var scenario = try Scenario.withLots(2)
        let lot = try scenario.lot("A2").id
        try scenario.perform(.withdrawLot(lot, reason: nil), by: scenario.host)
        let refused = try #require(scenario.refusal(of: .withdrawLot(lot, reason: nil), by: scenario.host))
        #expect(refused.code == "withdraw.not_queued" && refused.actual == "withdrawn")
        #expect(refused.text.english == "Only a lot that waits in the queue can be withdrawn.")
        #expect(refused.text.chinese == "只有仍在排队的拍品才能撤回。")
    }

    @Test func `a cancelled lot is the head of the queue again`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(
            scenario.refusal(of: .withdrawLot(try scenario.lot("A1").id, reason: nil), by: scenario.host)?.code
                == "withdraw.not_queued")
        // Before the current lot of a round, only a later one is the next.
        let refused = #expect(throws: Refusal.self) {
            try scenario.move(scenario.lot("A3").id, before: scenario.lot("A1").id)
        }
        #expect(refused?.code == "lot.not_queued")
        try scenario.perform(.cancel(AuctionTransition(reason: "Wrong picture.")), by: scenario.host)
        #expect(scenario.room.item?.name == "A1")
        #expect(scenario.references(.current) == ["A1"] && scenario.references(.queued) == ["A2", "A3"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an owner changes a queued lot, the host all but its prices`() throws {
        var scenario = try Scenario.withLots(1)
        let lot = try scenario.lot("A1").id
        var changes = LotChanges()
        changes.name = "A teapot"
        changes.rules = RulesPatch()
        changes.rules?.startingPrice = Money(minorUnits: 500)
        #expect(scenario.refusal(of: .changeLot(lot, changes), by: scenario.host)?.code == "lot.owner_only")
        #expect(scenario.refusal(of: .changeLot(lot, changes), by: scenario.bidder)?.code == "lot.not_yours")
        try scenario.perform(.changeLot(lot, changes), by: scenario.auctioneer)
        let item = scenario.room.lots[lot].map { scenario.room.lots.item(of: $0) }
        #expect(item?.name == "A teapot" && item?.rules.startingPrice == Money(minorUnits: 500))
        #expect(try scenario.perform(.changeLot(lot, changes), by: scenario.auctioneer).isEmpty)
        changes.rules = nil
        changes.name = "An old teapot"
        try scenario.perform(.changeLot(lot, changes), by: scenario.host)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `references are unique in the room`() throws {
        var scenario = try Scenario.withLots(2)
        #expect(throws: Refusal.self) { try scenario.queue("A2") }
        var changes = LotChanges()
        changes.reference = "A2"
        let id = try scenario.lot("A1").id
        #expect(scenario.refusal(of: .changeLot(id, changes), by: scenario.auctioneer)?.code == "lot.reference_taken")
        changes.reference = .some(nil)
        try scenario.perform(.changeLot(id, changes), by: scenario.auctioneer)
        try scenario.queue("A1")
    }

    @Test func `a withdrawn lot is skipped`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.withdrawLot(scenario.lot("A1").id, reason: "Broken."), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.item?.name == "A2")
        #expect(scenario.references(.withdrawn) == ["A1"])
    }

    @Test func `an uploaded item takes the place of the owner's prepared lot, which waits again`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        let replaced = try #require(scenario.room.item?.id)
        try scenario.perform(.uploadItem(scenario.item(named: "A vase")), by: scenario.auctioneer)
        #expect(scenario.lastOutcome == .itemUploaded(replaced: replaced))
        #expect(scenario.room.item?.name == "A vase" && scenario.references(.queued) == ["A1", "A2"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `adjusted rules of the prepared item are those of its lot`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.cancel(AuctionTransition(reason: "Too dear.")), by: scenario.host)
        var patch = RulesPatch()
        patch.startingPrice = Money(minorUnits: 300)
        try scenario.perform(.adjustRules(try #require(scenario.room.item?.id), patch), by: scenario.auctioneer)
        let lots = scenario.room.lots
        #expect(try lots.item(of: scenario.lot("A1")).rules.startingPrice == Money(minorUnits: 300))
    }

    @Test func `a linked guest's lots belong to the user`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.linkGuest(scenario.auctioneer), by: scenario.stranger)
        #expect(try scenario.room.lots.owner(of: scenario.lot("A1")) == scenario.stranger)
        #expect(try scenario.replayed() == scenario.room)
    }
}
