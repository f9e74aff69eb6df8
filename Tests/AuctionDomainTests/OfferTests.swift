import AuctionDomain
import AuctionTestKit
import Testing

@testable import EventLog

/// The item of a voided sale is offered to the next bidder of its round.
struct OfferTests {
    private static func void(_ offersNext: Bool = true) -> Command {
        .result(.void(round: 1, reason: "Not paid.", offersNext: offersNext))
    }

    /// A room whose first lot was sold to the bidder for 120.00, and is offered to the rival for 110.00.
    private static func withOffer() throws -> (scenario: Scenario, offer: ItemOffer) {
        var scenario = try VoidTests.withSoldLot()
        try scenario.perform(void(), by: scenario.host)
        return (scenario, try #require(scenario.room.offers.first))
    }

    private func answer(_ offer: ItemOffer, _ accepts: Bool = true) -> Command { .result(.answer(offer.id, accepts: accepts)) }

    @Test func `the next bidder is offered the item at their highest amount, for ten minutes`() throws {
        var (scenario, offer) = try Self.withOffer()
        #expect(offer.to == scenario.rival && offer.price == Money(minorUnits: 11_000) && offer.round == 1)
        #expect(try offer.lot == scenario.lot("A1").id && offer.expiresAt == scenario.instant + Seconds(600))
        #expect(scenario.room.dueAt == offer.expiresAt && scenario.room.results.last?.isVoid == true)
        #expect(try scenario.replayed() == scenario.room)
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
        #expect(scenario.refusal(of: .reofferLot(try #require(offer.lot), nil), by: scenario.host)?.actual == "offered")
        #expect(scenario.refusal(of: Self.void(), by: scenario.host)?.code == "offer.made_before")
        #expect(try scenario.perform(Self.void(false), by: scenario.host).isEmpty)
    }

    @Test func `an offer that is accepted is a sale, also by a bidder who has left`() throws {
        var (scenario, offer) = try Self.withOffer()
        try scenario.perform(.leave, by: scenario.rival)
        scenario.skip(milliseconds: 599_999)
        let events = try scenario.perform(answer(offer), by: scenario.rival)
        #expect(events.first == .offer(.accepted(offer.id, round: 1, lot: offer.lot, by: scenario.rival, price: offer.price)))
        let row = try #require(scenario.room.results.row(ofRound: 1))
        #expect(row.winner == scenario.rival && row.price == offer.price && row.total == offer.price && !row.isVoid)
        #expect(row.afterwards.void?.sale.buyer == scenario.bidder)
        #expect(scenario.room.results.amountWon(by: scenario.rival.id) == offer.price)
        #expect(scenario.room.results.amountWon(by: scenario.bidder.id) == Money(minorUnits: 0))
        #expect(try scenario.lot("A1").state == .sold && scenario.room.offers.isEmpty && scenario.room.dueAt == nil)
        #expect(UserChanges(of: scenario.room).wins.map(\.winner) == [scenario.rival.id])
        #expect(scenario.refusal(of: answer(offer), by: scenario.rival)?.code == "offer.not_found")
        #expect(try moneyFindings(scenario) == [])
        // That buyer does not pay either: the lot can only be offered to all again.
        try scenario.perform(Self.void(false), by: scenario.host)
        let again = try #require(scenario.room.results.row(ofRound: 1)?.afterwards)
        #expect(again.void?.sale.buyer == scenario.rival && again.earlierVoid == row.afterwards.void)
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
        #expect(scenario.refusal(of: Self.void(), by: scenario.host)?.code == "offer.made_before")
        try scenario.perform(.reofferLot(try #require(offer.lot), nil), by: scenario.host)
        #expect(try moneyFindings(scenario) == [])
        #expect(try scenario.replayed() == scenario.room)
    }

    /// What the audit of money says of the scenario's events and results.
    private func moneyFindings(_ scenario: Scenario) throws -> [String] {
        var audit = MoneyAudit(scenario.room.id)
        for event in scenario.history { audit.take(event) }
        return (audit.findings + audit.allFindings(scenario.room.results)).map(\.text)
    }

    @Test func `an offer that is declined or not answered leaves the sale voided`() throws {
        var (scenario, offer) = try Self.withOffer()
        try scenario.perform(answer(offer, false), by: scenario.rival)
        #expect(scenario.room.results.last?.isVoid == true && scenario.room.offers.isEmpty)
        try scenario.perform(.reofferLot(try #require(offer.lot), nil), by: scenario.host)
        #expect(try scenario.replayed() == scenario.room)
        var (late, other) = try Self.withOffer()
        let events = late.wait(milliseconds: 600_000)
        #expect(events == [.offer(.expired(other.id, to: late.rival))])
        #expect(late.refusal(of: answer(other), by: late.rival)?.code == "offer.not_found")
        try late.perform(.reofferLot(try #require(other.lot), nil), by: late.host)
        #expect(try late.replayed() == late.room)
    }

    @Test func `only the bidder answers, within their credit limit, and no banned one`() throws {
        var (scenario, offer) = try Self.withOffer()
        for person in [scenario.bidder, scenario.host, scenario.stranger] {
            #expect(scenario.refusal(of: answer(offer), by: person)?.code == "offer.not_yours")
        }
        let limit = MemberChanges(creditLimit: Money(minorUnits: 10_999))
        try scenario.perform(.changeMember(scenario.rival.id, limit), by: scenario.host)
        let refused = scenario.refusal(of: answer(offer), by: scenario.rival)
        #expect(refused?.code == "offer.over_credit" && refused?.actual == "110.00" && refused?.required == "109.99")
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        for accepts in [true, false] {
            #expect(scenario.refusal(of: answer(offer, accepts), by: scenario.rival)?.code == "offer.banned")
        }
        #expect(scenario.refusal(of: .archiveRoom, by: scenario.host)?.code == "room.offer_open")
        scenario.wait(milliseconds: 600_000)
        #expect(scenario.refusal(of: .archiveRoom, by: scenario.host) == nil)
    }

    @Test func `without a bidder who is here nothing is offered, and nothing voided`() throws {
        var scenario = try VoidTests.withSoldLot()
        try scenario.perform(.leave, by: scenario.rival)
        #expect(scenario.refusal(of: Self.void(), by: scenario.host)?.code == "offer.no_bidder")
        #expect(scenario.room.results.last?.isVoid == false)
        try scenario.perform(.join(JoinRoom(role: .viewer, inviteCode: nil)), by: scenario.rival)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.refusal(of: Self.void(), by: scenario.host)?.code == "offer.no_bidder")
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: false)), by: scenario.host)
        try scenario.perform(Self.void(false), by: scenario.host)
        try scenario.perform(.reofferLot(scenario.lot("A1").id, nil), by: scenario.host)
        #expect(scenario.refusal(of: Self.void(), by: scenario.host)?.code == "offer.lot_reoffered")
        try scenario.perform(.withdrawLot(scenario.lot("A1").id, reason: nil), by: scenario.host)
        try scenario.perform(Self.void(), by: scenario.host)
        #expect(scenario.room.offers.count == 1, "also for a sale that was voided before")
    }

    @Test func `after an outage an offer stands for another minute, and one that has longer stays as it is`() throws {
        var (scenario, offer) = try Self.withOffer()
        scenario.skip(milliseconds: 540_000)
        #expect(scenario.serviceReturns().isEmpty)
        scenario.skip(milliseconds: 1)
        let events = scenario.serviceReturns()
        guard case .offer(.made(let longer, .outage))? = events.first else { throw ScenarioError() }
        #expect(events.count == 1 && longer.id == offer.id && longer.expiresAt == scenario.instant + Seconds(60))
        #expect(scenario.room.offers == [longer] && scenario.room.dueAt == longer.expiresAt)
        scenario.skip(milliseconds: 3_600_000)
        scenario.serviceReturns()
        #expect(scenario.room.offers.first?.expiresAt == scenario.instant + Seconds(60))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an offer to a guest is the user's after a link`() throws {
        var (scenario, offer) = try Self.withOffer()
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        #expect(scenario.room.offers.first?.to == scenario.stranger)
        #expect(scenario.refusal(of: answer(offer), by: scenario.rival)?.code == "offer.not_yours")
        try scenario.perform(answer(offer), by: scenario.stranger)
        #expect(scenario.room.results.last?.winner == scenario.stranger)
        #expect(try moneyFindings(scenario) == [])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the warning of a round and an offer stand beside each other`() throws {
        var (scenario, offer) = try Self.withOffer()
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        scenario.wait(milliseconds: 3000)
        try scenario.perform(.auction(.warn(level: 1), AuctionTransition()), by: scenario.host)
        #expect(scenario.room.warning == 1 && scenario.room.offers == [offer])
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(.leave, by: scenario.rival)
        let rows = UserChanges(of: scenario.room).participations
        #expect(rows.contains { $0.user == scenario.rival.id && $0.bidRound == 0 }, "a link has to find the offer")
        try scenario.perform(answer(offer), by: scenario.rival)
        #expect(!UserChanges(of: scenario.room).participations.contains { $0.user == scenario.rival.id })
        #expect(scenario.room.warning == 0 && scenario.room.results.first?.winner == scenario.rival)
        #expect(try scenario.replayed() == scenario.room)
    }
}
