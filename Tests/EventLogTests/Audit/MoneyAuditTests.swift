import AuctionDomain
import AuctionTestKit
import Testing

@testable import EventLog

/// Histories with valid hashes but with events that no auction produces.
struct MoneyAuditTests {
    /// Findings for the scenario's events after a change, with new sequence numbers and hashes.
    private func findings(_ scenario: Scenario, _ change: (inout [EventBody]) throws -> Void) throws -> [String] {
        var bodies = scenario.history.map(\.body)
        try change(&bodies)
        var history: [Event] = []
        var round = 1
        for (index, body) in bodies.enumerated() {
            if case .stateChanged(let change) = body, change.beginsRound { round += 1 }
            history.append(Event(seq: index + 1, at: scenario.instant, round: round, body: body))
        }
        return try ArchiveStub(scenario.room.id, history).findings()
    }

    private func sale(_ scenario: Scenario) throws -> Int {
        try scenario.index { if case .itemSold = $0 { true } else { false } }
    }

    @Test func `a sale above the winner's highest offer is a finding`() throws {
        let scenario = try Scenario.twoRounds()
        let index = try sale(scenario)
        let found = try findings(scenario) {
            $0[index] = .itemSold(winner: scenario.rival, price: Money(minorUnits: 12001))
        }
        #expect(found == ["seq \(index + 1): Yves never offered the price of 12001 minor units in round 1"])
    }

    @Test func `a result that has another buyer than the events is a finding, also after a link`() throws {
        var scenario = try Scenario.twoRounds()
        let sold = scenario.room.results
        func findings() -> [String] {
            var audit = MoneyAudit(scenario.room.id)
            for event in scenario.history { audit.take(event) }
            return audit.allFindings(sold).map(\.text)
        }
        #expect(findings() == [])
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        #expect(findings() == ["the results have another buyer in round 1 than the events"])
        #expect(try ArchiveStub(scenario).findings() == [])
    }

    @Test func `a void of another sale than the round's is a finding, and one that is right is none`() throws {
        var scenario = try Scenario.twoRounds()
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        #expect(try ArchiveStub(scenario).findings() == [])
        let index = try scenario.index { if case .itemVoided = $0 { true } else { false } }
        guard case .itemVoided(let right) = scenario.history[index].body else { throw ScenarioError() }
        func voided(_ winner: Person, _ price: Int64) throws -> [String] {
            try findings(scenario) {
                $0[index] = .itemVoided(
                    ItemVoided(
                        round: 1, lot: nil, item: right.item, winner: winner, price: Money(minorUnits: price), reason: "",
                        by: right.by))
            }
        }
        #expect(try voided(scenario.rival, 12_000) == [])
        #expect(try voided(scenario.bidder, 12_000).contains("seq \(index + 1): a sale of round 1 is voided that there is not"))
        #expect(
            try voided(scenario.rival, 11_000) == ["the results add up to 0 minor units in 0 sales, the events to 1000 in 0"])
        let twice = try findings(scenario) { $0.append($0[index]) }
        #expect(twice == ["seq \(scenario.history.count + 1): a sale of round 1 is voided that there is not"])
    }

    @Test func `a sale to a person who never bid is a finding`() throws {
        let scenario = try Scenario.twoRounds()
        let index = try sale(scenario)
        let found = try findings(scenario) {
            $0[index] = .itemSold(winner: scenario.viewer, price: Money(minorUnits: 10000))
        }
        #expect(found == ["seq \(index + 1): Vera never offered the price of 10000 minor units in round 1"])
    }

    @Test func `a bid of an earlier round or a retracted bid does not cover a price`() throws {
        let scenario = try Scenario.twoRounds()
        let passed = try scenario.index { if case .itemPassed = $0 { true } else { false } }
        let earlier = try findings(scenario) {
            $0[passed] = .itemSold(winner: scenario.rival, price: Money(minorUnits: 12000))
        }
        #expect(earlier == ["seq \(passed + 1): Yves never offered the price of 12000 minor units in round 2"])
        let index = try sale(scenario)
        let retracted = try findings(scenario) { bodies in
            let bids = scenario.room.results[0].bidCount
            #expect(bids == 2)
            let last = try scenario.index {
                if case .bidPlaced(let placed) = $0 { placed.bidder == scenario.rival } else { false }
            }
            guard case .bidPlaced(let placed) = bodies[last] else { return }
            bodies.insert(
                .bidRetracted(
                    BidRetracted(
                        bid: placed.bid, bidder: placed.bidder, by: scenario.host, reason: "slip", removed: [placed.bid],
                        price: nil, leader: nil, nextMinimum: nil, reserveMet: nil)), at: last + 1)
        }
        #expect(retracted == ["seq \(index + 2): Yves never offered the price of 12000 minor units in round 1"])
    }

    @Test func `a maximum voided by a retraction covers only the remaining price`() throws {
        var scenario = try Scenario.withItem()
        try scenario.openBidding()
        try scenario.bid(10000, upTo: 50000, by: scenario.bidder)
        try scenario.bid(60000, by: scenario.rival)
        try scenario.retractLatest()
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(try findings(scenario) { _ in }.isEmpty)
        let index = try sale(scenario)
        let found = try findings(scenario) {
            $0[index] = .itemSold(winner: scenario.bidder, price: Money(minorUnits: 50000))
        }
        #expect(found.first == "seq \(index + 1): Xu never offered the price of 50000 minor units in round 1")
    }

    @Test func `a maximum raised before a retracted bid still covers a price`() throws {
        var scenario = try Scenario.withItem()
        try scenario.openBidding()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.bid(upTo: 20000, by: scenario.bidder)
        try scenario.bid(12000, by: scenario.rival)
        try scenario.bid(25000, by: scenario.rival)
        try scenario.bid(40000, by: scenario.bidder)
        for _ in 1...2 { try scenario.retractLatest() }
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(
            scenario.room.results.map(\.outcome) == [.sold(to: scenario.bidder, price: Money(minorUnits: 13000))])
        #expect(try findings(scenario) { _ in }.isEmpty)
    }

    @Test func `a maximum raised after a retracted bid covers no price`() throws {
        var scenario = try Scenario.withItem()
        try scenario.openBidding()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.bid(12000, by: scenario.rival)
        try scenario.bid(14000, by: scenario.bidder)
        try scenario.bid(upTo: 30000, by: scenario.bidder)
        for _ in 1...2 { try scenario.retractLatest() }
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        let index = try sale(scenario)
        let found = try findings(scenario) {
            $0[index] = .itemSold(winner: scenario.bidder, price: Money(minorUnits: 30000))
        }
        #expect(found.first == "seq \(index + 1): Xu never offered the price of 30000 minor units in round 1")
    }

    @Test func `a second sale in a round is a finding`() throws {
        let scenario = try Scenario.twoRounds()
        let index = try sale(scenario)
        let found = try findings(scenario) { $0.insert($0[index], at: index + 1) }
        #expect(found == ["seq \(index + 2): round 1 has a second result"])
    }

    @Test func `a sale without an item is a finding`() throws {
        let scenario = try Scenario.withMembers()
        let found = try findings(scenario) {
            $0.append(.itemSold(winner: scenario.bidder, price: Money(minorUnits: 500)))
        }
        #expect(
            found == [
                "seq 7: Xu never offered the price of 500 minor units in round 1",
                "the results add up to 0 minor units in 0 sales, the events to 500 in 1",
            ])
    }

    @Test func `a floor bid covers the price at which the floor buys, and nothing above`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.openBidding()
        try scenario.perform(.placeFloorBid(PlaceBid(amount: Money(minorUnits: 10_000)), paddle: nil), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(try findings(scenario) { _ in } == [])
        let index = try sale(scenario)
        let found = try findings(scenario) { $0[index] = .itemSold(winner: .floor, price: Money(minorUnits: 10_001)) }
        #expect(found.first == "seq \(index + 1): Floor never offered the price of 10001 minor units in round 1")
    }

    @Test func `a maximum covers a price up to its amount, and an automatic bid above it is a finding`() throws {
        let scenario = try Scenario.twoRounds()
        let index = try scenario.index {
            if case .bidPlaced(let placed) = $0 { placed.bidder == scenario.rival } else { false }
        }
        func automatic(_ units: Int64) -> EventBody {
            .bidPlaced(
                BidPlaced(
                    bid: BidID(bits: 77), amount: Money(minorUnits: units), bidder: scenario.rival, leading: true,
                    origin: .automatic, nextMinimum: nil, endsAt: nil))
        }
        let sale = try sale(scenario)
        func findingsAfterAutomaticBid(_ units: Int64) throws -> [String] {
            try findings(scenario) { bodies in
                guard case .bidPlaced(let placed) = bodies[index] else { return }
                bodies[index] = .bidPlaced(
                    BidPlaced(
                        bid: placed.bid, amount: placed.amount, bidder: placed.bidder, leading: true,
                        maximum: Money(minorUnits: 20000), nextMinimum: nil, endsAt: nil))
                bodies[sale] = .itemSold(winner: scenario.rival, price: Money(minorUnits: min(units, 20000)))
                bodies.insert(automatic(units), at: index + 1)
            }
        }
        #expect(try findingsAfterAutomaticBid(15000) == [])
        #expect(
            try findingsAfterAutomaticBid(20001) == ["seq \(index + 2): the automatic bid of Yves is above what they offered"])
    }
}
