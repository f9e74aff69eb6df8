import AuctionTestKit
import Testing

@testable import AuctionDomain

/// Random absentee bids on lots with sealed bids, compared with a naive auction and with what no bidder may lose.
struct SealedAbsenteePropertyTests {
    /// What one person offers, and what becomes of them.
    private struct Bidder {
        let person: Person
        /// What they leave before the lot opens, in minor units; nil: nothing.
        let left: Int64?
        let limit: Int64?
        /// What they bid while it is open; nil: nothing.
        let placed: Int64?
        let leaves: Bool

        init(_ number: Int, _ generator: inout SeededGenerator) {
            person = Person(id: UserID(bits: UInt128(number + 100)), nickname: "P\(number)")
            left = generator.once(in: 4) ? nil : generator.amount(100...110) * 100
            limit = generator.once(in: 3) ? generator.amount(98...110) * 100 : nil
            placed = generator.once(in: 3) ? generator.amount(100...112) * 100 : nil
            leaves = generator.once(in: 4)
        }

        /// What they offer at the opening.
        func opening(from start: Int64) -> Int64? {
            left.map { min($0, limit ?? .max) }.flatMap { $0 < start ? nil : $0 }
        }
    }

    private struct Case {
        var scenario: Scenario
        let rules: AuctionRules
        let bidders: [Bidder]
        var oracle: SealedOracle

        init(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            scenario = try Scenario.withMembers()
            var rules = scenario.rules()
            rules.format = generator.pick([.sealedFirstPrice, .vickrey])
            rules.reservePrice = generator.once(in: 3) ? Money(minorUnits: generator.amount(100...112) * 100) : nil
            self.rules = rules
            let bidders = (0..<generator.roll(1...7)).map { Bidder($0, &generator) }
            self.bidders = bidders
            oracle = SealedOracle(
                start: rules.startingPrice.minorUnits, reserve: rules.reservePrice?.minorUnits,
                isVickrey: rules.format == .vickrey)
            let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
            try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
            for bidder in bidders {
                try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: bidder.person)
                if let left = bidder.left { try scenario.leave(left, on: "A1", by: bidder.person) }
                if let limit = bidder.limit {
                    let changes = MemberChanges(creditLimit: Money(minorUnits: limit))
                    try scenario.perform(.changeMember(bidder.person.id, changes), by: scenario.host)
                }
            }
            try scenario.openBidding()
            for (who, bidder) in bidders.enumerated() {
                if let amount = bidder.opening(from: oracle.start) { oracle.entries.append((who, amount)) }
            }
            for (who, bidder) in bidders.enumerated() {
                if let placed = bidder.placed { try place(placed, who, bidder) }
                if bidder.leaves { try scenario.perform(.leave, by: bidder.person) }
            }
            try scenario.perform(.auction(.end, AuctionTransition()), by: scenario.host)
        }

        private mutating func place(_ amount: Int64, _ who: Int, _ bidder: Bidder) throws {
            let isTaken = amount <= bidder.limit ?? .max && oracle.bid(who, amount)
            if isTaken {
                try scenario.bid(amount, by: bidder.person)
            } else {
                #expect(scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: amount))), by: bidder.person) != nil)
            }
        }
    }

    @Test func `the result is that of a naive auction in which every absentee bid was placed at the opening`() throws {
        for seed in 1...max(50, PropertyRuns.count / 4) {
            let it = try Case(seed: UInt64(seed))
            let expected = it.oracle.result(draw: nil)
            let outcome = it.scenario.room.results.last?.outcome
            guard case .sold(let winner, let price)? = outcome else {
                #expect(expected.winner == nil, "seed \(seed): there is no winner")
                continue
            }
            #expect(expected.winner.map { it.bidders[$0].person.id } == winner.id, "seed \(seed): winner")
            #expect(price.minorUnits == expected.price, "seed \(seed): price")
            #expect(try it.scenario.replayed() == it.scenario.room, "seed \(seed)")
        }
    }

    @Test func `no bidder pays more than they have left or may owe, loses to a lower bid, or pays more than needed`() throws {
        for seed in 1...max(50, PropertyRuns.count / 4) {
            let it = try Case(seed: UInt64(seed))
            guard case .sold(let winner, let price)? = it.scenario.room.results.last?.outcome,
                let bidder = it.bidders.first(where: { $0.person.id == winner.id })
            else { continue }
            func offer(_ bidder: Bidder) -> Int64 {
                let start = it.rules.startingPrice.minorUnits
                let placed = bidder.placed.flatMap { $0 <= bidder.limit ?? .max && $0 >= start ? $0 : nil }
                return max(bidder.opening(from: start) ?? 0, placed ?? 0)
            }
            let own = offer(bidder)
            #expect(price.minorUnits <= own && own <= bidder.limit ?? .max, "seed \(seed): above what they offered")
            let others = it.bidders.filter { $0.person.id != winner.id }.map(offer)
            #expect(others.allSatisfy { $0 <= own }, "seed \(seed): lost to a lower bid")
            if it.rules.format == .vickrey {
                let needed = max(others.max() ?? 0, it.rules.reservePrice?.minorUnits ?? 0, it.rules.startingPrice.minorUnits)
                #expect(price.minorUnits == needed, "seed \(seed): another price than needed")
            }
        }
    }
}
