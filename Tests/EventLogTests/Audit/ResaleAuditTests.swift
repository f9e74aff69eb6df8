import AuctionDomain
import AuctionTestKit
import Testing

@testable import EventLog

/// Sales to next bidders and bids of people who were absent, in histories with valid hashes that no auction produces.
struct ResaleAuditTests {
    /// Findings of the audit of money for the events, and then for the same events after a change.
    private func findings(_ scenario: Scenario, _ change: (inout [EventBody]) throws -> Void) throws -> [String] {
        func audited(_ bodies: [EventBody]) -> [String] {
            var (audit, round) = (MoneyAudit(scenario.room.id), 1)
            for (index, body) in bodies.enumerated() {
                if case .stateChanged(let change) = body, change.beginsRound { round += 1 }
                audit.take(Event(seq: index + 1, at: scenario.instant, round: round, body: body))
            }
            return audit.findings.map(\.text)
        }
        var bodies = scenario.history.map(\.body)
        #expect(audited(bodies) == [])
        try change(&bodies)
        return audited(bodies)
    }

    /// A room whose first lot was sold to the bidder for 120.00, voided, and bought by the rival for 110.00. The viewer bid 100.00 before.
    private func resold() throws -> (scenario: Scenario, accepted: Int, offer: OfferEvent) {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        try scenario.bid(10_000, by: scenario.viewer)
        try scenario.bid(11_000, by: scenario.rival)
        try scenario.bid(12_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.", offersNext: true)), by: scenario.host)
        let offer = try #require(scenario.room.offers.first)
        try scenario.perform(.result(.answer(offer.id, accepts: true)), by: scenario.rival)
        let index = try scenario.index { if case .offer(.accepted) = $0 { true } else { false } }
        guard case .offer(let accepted) = scenario.history[index].body else { throw ScenarioError() }
        return (scenario, index, accepted)
    }

    private func accepted(_ offer: OfferEvent, by person: Person, at units: Int64) -> EventBody {
        guard case .accepted(let id, let round, let lot, _, _) = offer else { return .offer(offer) }
        return .offer(.accepted(id, round: round, lot: lot, by: person, price: Money(minorUnits: units)))
    }

    @Test func `an offer that a stranger accepts is a finding, and one above what its bidder offered`() throws {
        let (scenario, index, offer) = try resold()
        func text(_ person: Person, _ units: Int64) -> [String] {
            ["\(person.nickname) never offered the price of \(units) minor units in round 1"]
        }
        let cases = [
            (scenario.stranger, 11_000), (scenario.host, 11_000), (scenario.viewer, 11_000), (scenario.rival, 11_001),
            (scenario.bidder, 11_000),
        ]
        for (person, units) in cases {
            let found = try findings(scenario) { $0[index] = accepted(offer, by: person, at: Int64(units)) }
            #expect(found == text(person, Int64(units)), "\(person.nickname)")
        }
        #expect(try findings(scenario) { $0[index] = accepted(offer, by: scenario.viewer, at: 10_000) } == [])
    }

    @Test func `what a guest offered covers the price of the user to whom they were linked`() throws {
        var (scenario, _, _) = try resold()
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        let index = scenario.history.count
        let again = EventBody.offer(
            .accepted(
                OfferID(bits: 9), round: 1, lot: nil, by: scenario.stranger, price: Money(minorUnits: 11_000)))
        #expect(try findings(scenario) { $0.append(again) }.count == 1)
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        #expect(scenario.history.count > index)
        #expect(try findings(scenario) { $0.append(again) } == [])
    }

    @Test func `an item that is sold twice is a finding`() throws {
        let (scenario, index, _) = try resold()
        let sold = "an item that is sold is sold again after round 1"
        let twice = try findings(scenario) { $0.insert($0[index], at: index + 1) }
        #expect(twice == ["the item of round 1 is sold twice", sold])
        let void = try scenario.index { if case .itemVoided = $0 { true } else { false } }
        #expect(try findings(scenario) { $0.remove(at: void) } == ["the item of round 1 is sold twice", sold])
    }

    @Test func `an item that has its turn again after its sale is a finding once it is sold`() throws {
        var scenario = try Scenario.twoRounds()
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        try scenario.bid(10_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        let shown = scenario.history.indices.filter {
            if case .itemUploaded = scenario.history[$0].body { true } else { false }
        }
        try #require(shown.count == 3)
        #expect(try findings(scenario) { $0[shown[2]] = $0[shown[1]] } == [], "the second one was passed")
        #expect(
            try findings(scenario) { $0[shown[2]] = $0[shown[0]] } == ["an item that is sold is sold again in round 3"])
    }

    // MARK: - People who were absent

    /// A lot on which the bidder has left a bid of at most 200.00, which opened it at the starting price and won.
    private func absent() throws -> (scenario: Scenario, left: Int, placed: Int, bid: BidPlaced) {
        var scenario = try Scenario.withMembers()
        try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: "A1")), by: scenario.auctioneer)
        let lot = try #require(scenario.room.lots[reference: "A1"]).id
        try scenario.perform(.absentee(.place(lot, maximum: Money(minorUnits: 20_000))), by: scenario.bidder)
        let left = scenario.history.count - 1
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 18_000)
        let placed = try scenario.index { if case .bidPlaced = $0 { true } else { false } }
        guard case .bidPlaced(let bid) = scenario.history[placed].body, bid.origin == .absentee else { throw ScenarioError() }
        return (scenario, left, placed, bid)
    }

    private func placed(_ bid: BidPlaced, upTo units: Int64?, id: BidID? = nil, by person: Person? = nil) -> EventBody {
        .bidPlaced(
            BidPlaced(
                bid: id ?? bid.bid, amount: bid.amount, bidder: person ?? bid.bidder, leading: bid.leading, origin: .absentee,
                maximum: units.map { Money(minorUnits: $0) }, nextMinimum: bid.nextMinimum, endsAt: bid.endsAt))
    }

    private func above(_ name: String) -> String { "the bid of \(name), who was absent, is above what they have left" }

    @Test func `a bid that was left acts up to its maximum`() throws {
        let (scenario, _, index, bid) = try absent()
        #expect(bid.maximum == Money(minorUnits: 20_000))
        #expect(try findings(scenario) { $0[index] = placed(bid, upTo: 19_999) } == [])
        #expect(try findings(scenario) { $0[index] = placed(bid, upTo: 20_001) }.first == above("Xu"))
        #expect(try findings(scenario) { $0[index] = placed(bid, upTo: 20_000, by: scenario.rival) }.first == above("Yves"))
    }

    @Test func `a bid that was left acts once`() throws {
        let (scenario, _, index, bid) = try absent()
        let again = placed(bid, upTo: 20_000, id: BidID(bits: 77))
        #expect(try findings(scenario) { $0.insert(again, at: index + 1) } == [above("Xu")])
        // Nor at another lot, or when its lot opens again.
        let opened = try scenario.index { if case .stateChanged(let change) = $0 { change.to == .auctioning } else { false } }
        #expect(try findings(scenario) { $0.insert(contentsOf: [$0[opened], again], at: index + 1) } == [above("Xu")])
    }

    @Test func `a bid that was taken back does not act, and one that was changed acts up to its last maximum`() throws {
        let (scenario, left, index, _) = try absent()
        guard case .lotBidsChanged(let changed) = scenario.history[left].body else { throw ScenarioError() }
        func change(_ maximum: Int64?) -> EventBody {
            .lotBidsChanged(
                LotBidsChanged(
                    lot: changed.lot, absenteeBids: maximum == nil ? 0 : 1, bidder: changed.bidder,
                    bid: maximum.map { _ in BidID(bits: 78) }, maximum: maximum.map { Money(minorUnits: $0) }))
        }
        #expect(try findings(scenario) { $0.insert(change(nil), at: left + 1) }.first == above("Xu"))
        #expect(try findings(scenario) { $0.insert(change(19_999), at: left + 1) }.first == above("Xu"))
        #expect(try findings(scenario) { $0.insert(change(25_000), at: left + 1) } == [])
        #expect(try findings(scenario) { $0.insert(change(nil), at: index) } == [], "at its opening it is used")
    }
}
