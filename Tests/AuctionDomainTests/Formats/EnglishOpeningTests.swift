import AuctionTestKit
import Permissions
import Testing

@testable import AuctionDomain

/// What absentee bids do when their lot opens, in rooms that are led by commands.
struct EnglishOpeningTests {
    /// A room with a lot under these rules, and another one.
    private func room(_ change: (inout AuctionRules) -> Void = { _ in }) throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        var rules = scenario.rules()
        change(&rules)
        let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
        try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
        try scenario.queue("A2")
        return scenario
    }

    /// The bids of the opening: bidder, amount, and whether it leads.
    private func bids(_ scenario: Scenario) -> [String] {
        scenario.room.bids.all.filter { $0.origin == .absentee }.map {
            "\($0.bidder.nickname) \($0.amount.minorUnits)\($0.leading ? " leads" : "")"
        }
    }

    @Test func `one bid leads at the starting price, up to what was left, and moves no countdown`() throws {
        var scenario = try room()
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        let id = try #require(scenario.room.absenteeBid(of: scenario.bidder.id, on: scenario.lot("A1").id)?.id)
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xu 10000 leads"])
        let (room, bid) = (scenario.room, try #require(scenario.room.currentBid))
        #expect(bid.id == id && bid.automatic && bid.maximum == Money(minorUnits: 50_000))
        #expect(room.leaderMaximum == Money(minorUnits: 50_000))
        #expect(room.endsAt == scenario.instant + AuctionRules.defaultBidding)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .leading)
        #expect(try scenario.replayed() == scenario.room)
        scenario.wait(milliseconds: 20_000)
        #expect(scenario.room.results.last?.winner == scenario.bidder)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .won)
    }

    @Test func `of two the higher leads just above the other, whichever was first`() throws {
        for isHigherFirst in [true, false] {
            var scenario = try room()
            let order =
                isHigherFirst
                ? [(scenario.bidder, 50_000), (scenario.rival, 30_000)] : [(scenario.rival, 30_000), (scenario.bidder, 50_000)]
            for (person, maximum) in order { try scenario.leave(Int64(maximum), on: "A1", by: person) }
            try scenario.openBidding()
            #expect(bids(scenario) == ["Yves 30000", "Xu 31000 leads"], "higher first: \(isHigherFirst)")
            #expect(scenario.room.leaderMaximum == Money(minorUnits: 50_000))
            #expect(try scenario.standing(scenario.rival, on: "A1") == .outbid)
            scenario.wait(milliseconds: 20_000)
            #expect(try scenario.standing(scenario.rival, on: "A1") == .lost)
        }
    }

    @Test func `of equal bids the earlier leads at its maximum, and a changed one is later`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        var changed = scenario
        try scenario.openBidding()
        #expect(bids(scenario) == ["Yves 30000", "Xu 30000 leads"])
        try changed.leave(31_000, on: "A1", by: changed.bidder)
        try changed.leave(30_000, on: "A1", by: changed.bidder)
        try changed.openBidding()
        #expect(bids(changed) == ["Xu 30000", "Yves 30000 leads"])
    }

    @Test func `a bid that is less than an increment above the leader's leads at its maximum`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.leave(30_001, on: "A1", by: scenario.rival)
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xu 30000", "Yves 30001 leads"])
        #expect(scenario.room.currentBid?.maximum == nil, "nothing is left above the price")
    }

    @Test func `bids that the price has passed have no effect, and only the one that explains the price is shown`() throws {
        var scenario = try room()
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.leave(50_000, on: "A1", by: scenario.rival)
        try scenario.leave(21_500, on: "A1", by: scenario.stranger)
        try scenario.openBidding()
        // Placed now, 215.00 would be refused: the price is 210.00 and the increment 10.00.
        #expect(bids(scenario) == ["Xu 20000", "Yves 21000 leads"])
    }

    @Test func `the price is the reserve price if the leader reaches it, and what explains it is not shown`() throws {
        var scenario = try room { $0.reservePrice = Money(minorUnits: 40_000) }
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        var reversed = scenario
        try reversed.takeBack(from: "A1", by: scenario.bidder)
        try reversed.leave(50_000, on: "A1", by: scenario.bidder)
        try reversed.openBidding()
        #expect(bids(reversed) == ["Xu 40000 leads"])
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xu 40000 leads"])
        #expect(scenario.rulebook.reserveMet(in: scenario.room) == true)
        var below = try room { $0.reservePrice = Money(minorUnits: 60_000) }
        try below.leave(50_000, on: "A1", by: below.bidder)
        try below.openBidding()
        #expect(bids(below) == ["Xu 10000 leads"])
        below.wait(milliseconds: 20_000)
        #expect(try below.standing(below.bidder, on: "A1") == .passed)
    }

    @Test func `two bids of the buy-now price buy for the earlier, and the sale goes on`() throws {
        var scenario = try room { $0.buyNowPrice = Money(minorUnits: 40_000) }
        try scenario.leave(45_000, on: "A1", by: scenario.bidder)
        try scenario.leave(90_000, on: "A1", by: scenario.rival)
        try scenario.startAutomaticSale()
        try #require(scenario.room.state == .listing)
        let events = scenario.wait(milliseconds: 3000)
        #expect(scenario.room.state == .closed && scenario.room.sale.isRunning)
        #expect(bids(scenario) == ["Yves 40000", "Xu 40000 leads"])
        #expect(
            events.contains(
                .itemSold(winner: scenario.bidder, price: Money(minorUnits: 40_000), lot: try scenario.lot("A1").id)))
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .won)
        let next = scenario.wait(milliseconds: 10_000)
        #expect(!next.isEmpty && scenario.room.state == .listing && scenario.room.item?.name == "A2")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a maximum alone never buys a lot of one price, and one bid does not buy`() throws {
        var scenario = try room { $0.buyNowPrice = Money(minorUnits: 40_000) }
        try scenario.leave(90_000, on: "A1", by: scenario.bidder)
        var alone = scenario
        try alone.openBidding()
        #expect(bids(alone) == ["Xu 10000 leads"])
        var changes = LotChanges()
        changes.rules = RulesPatch()
        changes.rules?.startingPrice = Money(minorUnits: 40_000)
        try scenario.perform(.changeLot(scenario.lot("A1").id, changes), by: scenario.auctioneer)
        try scenario.openBidding()
        #expect(bids(scenario) == [] && scenario.room.state == .auctioning)
    }

    @Test func `what may not act at the opening does not, and is used up`() throws {
        var scenario = try room()
        for person in [scenario.bidder, scenario.rival, scenario.stranger] { try scenario.leave(50_000, on: "A1", by: person) }
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(role: .viewer)), by: scenario.host)
        var raised = scenario
        try scenario.openBidding()
        #expect(bids(scenario) == ["Stan 10000 leads"])
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.banned))
        // The starting price has risen above the bid since.
        var changes = LotChanges()
        changes.rules = RulesPatch()
        changes.rules?.startingPrice = Money(minorUnits: 50_001)
        try raised.perform(.changeLot(raised.lot("A1").id, changes), by: raised.auctioneer)
        try raised.openBidding()
        #expect(bids(raised) == [] && raised.room.currentBid == nil)
        #expect(try raised.standing(raised.stranger, on: "A1") == .outbid)
    }

    @Test func `a bid acts up to the credit that is left`() throws {
        var scenario = try room()
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 25_000))), by: scenario.host)
        var none = scenario
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xu 25000", "Yves 26000 leads"])
        try none.perform(.changeMember(none.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 1))), by: none.host)
        try none.openBidding()
        #expect(bids(none) == ["Yves 10000 leads"])
    }

    @Test func `a bid on what has become one's own lot by a link does not act`() throws {
        var scenario = try room()
        let user = scenario.bidder
        try scenario.leave(50_000, on: "A1", by: user)
        try scenario.perform(.linkGuest(scenario.auctioneer), by: user)
        try #require(scenario.room.lots.owner(of: scenario.lot("A1")) == user)
        try scenario.openBidding()
        #expect(bids(scenario) == [])
    }

    @Test func `without a listing countdown the bids act with the start`() throws {
        var scenario = try room { $0.listing = Seconds(0) }
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        try scenario.perform(.auction(.start, AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .auctioning && bids(scenario) == ["Xu 10000 leads"])
    }

    @Test func `a sale whose first lot is bought by bids that were left, as it begins, goes on`() throws {
        for isScheduled in [false, true] {
            var scenario = try room {
                $0.listing = Seconds(0)
                $0.buyNowPrice = Money(minorUnits: 30_000)
            }
            for person in [scenario.bidder, scenario.rival] { try scenario.leave(40_000, on: "A1", by: person) }
            let start = isScheduled ? scenario.instant + Seconds(60) : nil
            try scenario.perform(
                .sale(.configure(Sale(mode: .automatic, pause: Seconds(5), startsAt: start))), by: scenario.host)
            if isScheduled {
                scenario.wait(milliseconds: 60_000)
            } else {
                try scenario.perform(.sale(.start), by: scenario.host)
            }
            #expect(scenario.room.results.last?.winner == scenario.bidder && scenario.room.state == .closed)
            #expect(scenario.room.isBetweenLots, "scheduled: \(isScheduled)")
            scenario.wait(milliseconds: 5000)
            #expect(scenario.room.round == 2 && scenario.room.sale.isRunning)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `the bidder's present nickname is shown`() throws {
        var scenario = try room()
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        try scenario.perform(.sendMessage("Hello"), by: Person(id: scenario.bidder.id, nickname: "Xiu"))
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xiu 10000 leads"])
    }

    @Test func `live bids compete with the leader's maximum, which they may raise`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        try scenario.bid(20_000, by: scenario.rival)
        #expect(scenario.room.currentBid?.bidder == scenario.bidder && scenario.room.currentPrice?.minorUnits == 21_000)
        try scenario.bid(upTo: 60_000, by: scenario.bidder)
        try scenario.bid(50_000, by: scenario.rival)
        #expect(scenario.room.currentBid?.bidder == scenario.bidder && scenario.room.currentPrice?.minorUnits == 51_000)
        try scenario.bid(70_000, by: scenario.rival)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .outbid)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an absentee leader whose maximum a retracted bid has disclosed leads without it`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        #expect(
            scenario.refusal(
                of: .retractBid(try #require(scenario.room.currentBid).id, reason: "A slip."), by: scenario.host)?.code
                == "retract.not_latest", "it is no bid of now")
        try scenario.bid(40_000, by: scenario.rival)
        try scenario.retractLatest()
        #expect(scenario.room.currentBid?.bidder == scenario.bidder && scenario.room.currentPrice?.minorUnits == 10_000)
        #expect(scenario.room.leaderMaximum?.minorUnits == 10_000)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a ban ends the maximum of an absentee leader`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.room.leaderMaximum?.minorUnits == 10_000)
    }

    @Test func `a round with a bid that was left is not cancelled, and a resume repeats no bid`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        let cancel = Command.auction(.cancel, AuctionTransition(reason: "Rain."))
        #expect(scenario.refusal(of: cancel, by: scenario.host)?.code == "cancel.has_bids")
        try scenario.perform(.auction(.pause, AuctionTransition()), by: scenario.host)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .leading)
        try scenario.perform(.auction(.resume, AuctionTransition()), by: scenario.host)
        #expect(scenario.room.bids.count == 1)
    }

    @Test func `a bid that could not act is not tried again after a cancelled round`() throws {
        var scenario = try room()
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        var changes = LotChanges()
        changes.rules = RulesPatch()
        for price in [50_000, 20_000] as [Int64] {
            changes.rules?.startingPrice = Money(minorUnits: price)
            if scenario.room.item == nil {
                try scenario.perform(.changeLot(scenario.lot("A1").id, changes), by: scenario.auctioneer)
            } else {
                let item = try #require(scenario.room.item)
                try scenario.perform(.adjustRules(item.id, changes.rules ?? RulesPatch()), by: scenario.auctioneer)
            }
            try scenario.openBidding()
            #expect(scenario.room.bids.isEmpty, "the seller learns nothing of it by trying lower prices")
            try scenario.perform(.auction(.cancel, AuctionTransition(reason: "Rain.")), by: scenario.host)
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .unused)
        }
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
        try scenario.openBidding()
        #expect(bids(scenario) == ["Xu 20000 leads"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a host whose left bid leads has bid in the round`() throws {
        var scenario = try room()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.host", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.leave(30_000, on: "A1", by: scenario.host)
        try scenario.openBidding()
        #expect(scenario.room.hasBid(scenario.host.id))
        #expect(scenario.refusal(of: .auction(.end, AuctionTransition()), by: scenario.host)?.code == "end.has_bid")
    }

    @Test func `a Dutch lot opens without the bids that were left before it became one`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        var changes = LotChanges()
        changes.rules = RulesPatch()
        changes.rules?.format = .dutch
        changes.rules?.floorPrice = .some(Money(minorUnits: 1000))
        changes.rules?.dutchTick = .some(Seconds(5))
        try scenario.perform(.changeLot(scenario.lot("A1").id, changes), by: scenario.auctioneer)
        try scenario.openBidding()
        #expect(scenario.room.bids.isEmpty && scenario.room.askingPrice != nil)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.formatChanged))
    }
}
