import AuctionTestKit
import Testing

@testable import AuctionDomain

/// Random absentee bids at the opening of a round, compared with a naive auction, with live bids, and with what no bidder may lose.
struct EnglishOpeningPropertyTests {
    private struct Case {
        let rules: AuctionRules
        let maxima: [Int64]
        let seed: UInt64

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            rules = EnglishPropertyTests.rules(&generator)
            let start = rules.startingPrice.minorUnits
            let spread = generator.pick([20, 200, 900])
            maxima = (0..<generator.roll(generator.once(in: 4) ? 1...2 : 2...40)).map { _ in
                max(1, start + generator.amount(-10...spread))
            }
            self.seed = seed
        }

        var opening: EnglishOpening {
            var opening = EnglishOpening(EnglishPricing(rules: rules))
            for (who, maximum) in maxima.enumerated() { opening.place(Case.offer(who, maximum)) }
            return opening
        }

        static func offer(_ who: Int, _ maximum: Int64) -> EnglishOpening.Offer {
            EnglishOpening.Offer(
                bid: BidID(bits: UInt128(who)), bidder: Person(id: UserID(bits: UInt128(who + 1)), nickname: "P\(who)"),
                maximum: Money(minorUnits: maximum))
        }

        func number(_ offer: EnglishOpening.Offer?) -> Int? { offer.map { Int($0.bid.bits) } }
        func capped(_ maximum: Int64) -> Int64 { min(maximum, rules.buyNowPrice?.minorUnits ?? .max) }
    }

    @Test func `the opening agrees with a naive auction of bids one after the other`() {
        for seed in 1...PropertyRuns.count {
            let it = Case(seed: seed)
            var oracle = EnglishPropertyTests.oracle(it.rules)
            for (who, maximum) in it.maxima.enumerated() { oracle.leave(who, upTo: maximum) }
            let (opening, standing) = (it.opening, oracle.sold ?? oracle.standing)
            #expect(it.number(opening.leader) == standing?.leader, "seed \(seed): leader")
            if let standing { #expect(opening.price.minorUnits == standing.price, "seed \(seed): price") }
            #expect(opening.isSold == (oracle.sold != nil) || standing == nil, "seed \(seed): sold")
        }
    }

    @Test func `the highest bid leads, the earliest of equal ones, and pays no more than it must`() {
        for seed in 1...PropertyRuns.count {
            let it = Case(seed: seed)
            let (opening, start) = (it.opening, it.rules.startingPrice.minorUnits)
            let isOnePrice = it.rules.buyNowPrice == it.rules.startingPrice
            let eligible = it.maxima.indices.filter { it.maxima[$0] >= start && !isOnePrice }
            let highest = eligible.map { it.capped(it.maxima[$0]) }.max()
            let expected = eligible.first { it.capped(it.maxima[$0]) == highest }
            #expect(it.number(opening.leader) == expected, "seed \(seed): another bid is higher, or earlier")
            guard let leader = expected else { continue }
            let price = opening.price.minorUnits
            #expect(price <= it.maxima[leader], "seed \(seed): pays more than the maximum")
            let other = eligible.filter { $0 != leader }.map { it.capped(it.maxima[$0]) }.max()
            let needed = other.map { EnglishPricing(rules: it.rules).minimum(above: Money(minorUnits: $0)).minorUnits }
            let reserve = it.rules.reservePrice.flatMap { $0.minorUnits <= it.maxima[leader] ? $0.minorUnits : nil }
            #expect(price <= max(start, needed ?? 0, reserve ?? 0), "seed \(seed): pays more than needed")
            if let second = opening.second {
                #expect(it.number(second.offer) != leader && second.amount <= opening.price, "seed \(seed): second")
                #expect(second.amount.minorUnits <= it.maxima[Int(second.offer.bid.bits)], "seed \(seed): above its maximum")
            }
        }
    }

    /// Live, a bid that exceeds the leader's maximum by less than an increment is refused: there the two may differ.
    @Test func `the result is that of live bids where none is refused`() throws {
        var compared = 0
        for seed in 1...PropertyRuns.count / 4 {
            let it = Case(seed: seed)
            var scenario = try Scenario.auctioning(it.rules)
            var wasRefused = false
            for (who, maximum) in it.maxima.enumerated() where scenario.room.state == .auctioning {
                let person = Case.offer(who + 100, maximum).bidder
                try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
                let bid = PlaceBid(amount: nil, maximum: Money(minorUnits: maximum))
                do throws(Refusal) { try scenario.perform(.placeBid(bid), by: person) } catch {
                    let isHigher = maximum > scenario.room.leaderMaximum?.minorUnits ?? 0
                    if isHigher, maximum >= it.rules.startingPrice.minorUnits { wasRefused = true }
                }
            }
            guard !wasRefused else { continue }
            compared += 1
            let opening = it.opening
            #expect(
                scenario.room.currentBid?.bidder.id.bits == opening.leader.map { $0.bidder.id.bits + 100 }, "seed \(seed)")
            if opening.leader != nil { #expect(scenario.room.currentPrice == opening.price, "seed \(seed)") }
            #expect((scenario.room.state == .closed) == opening.isSold || opening.leader == nil, "seed \(seed)")
        }
        #expect(compared > PropertyRuns.count / 20)
    }
}
