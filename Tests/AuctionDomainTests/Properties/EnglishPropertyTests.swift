import AuctionDomain
import AuctionTestKit
import Testing

struct EnglishPropertyTests {
    static func rules(_ generator: inout SeededGenerator) -> AuctionRules {
        let start = generator.amount(1...300)
        let reserve = generator.once(in: 2) ? start + generator.amount(0...400) : nil
        let buyNow = generator.once(in: 2) ? (reserve ?? start) + (generator.once(in: 6) ? 0 : generator.amount(0...500)) : nil
        return AuctionRules(
            startingPrice: Money(minorUnits: start),
            increment: increment(&generator),
            reservePrice: reserve.map { Money(minorUnits: $0) }, buyNowPrice: buyNow.map { Money(minorUnits: $0) },
            countdown: generator.pick(Countdown.allCases),
            maxDuration: generator.once(in: 2) ? Seconds(generator.roll(5...60)) : nil)
    }

    private static func increment(_ generator: inout SeededGenerator) -> Increment {
        switch generator.roll(1...3) {
        case 1: return .percent(basisPoints: generator.roll(1...20) * 100)
        case 2:
            var (from, step): (Int64, Int64) = (0, 0)
            return .tiers(
                (0..<3).map { _ in
                    defer { from += generator.amount(1...300) }
                    step += generator.amount(1...25)
                    return Increment.Tier(from: Money(minorUnits: from), step: Money(minorUnits: step))
                })
        default: return .fixed(Money(minorUnits: generator.amount(1...40)))
        }
    }

    private static func rule(_ increment: Increment) -> (steps: [(from: Int64, step: Int64)], percent: Int64?) {
        switch increment.base {
        case .fixed(let money): ([(0, money.minorUnits)], nil)
        case .percent(let basisPoints): ([], Int64(basisPoints / 100))
        case .tiers(let tiers): (tiers.map { ($0.from.minorUnits, $0.step.minorUnits) }, nil)
        case .asked: ([], nil)
        }
    }

    static func oracle(_ rules: AuctionRules) -> EnglishOracle {
        let (steps, percent) = rule(rules.increment)
        return EnglishOracle(
            start: rules.startingPrice.minorUnits, steps: steps, percent: percent,
            reserve: rules.reservePrice?.minorUnits, buyNow: rules.buyNowPrice?.minorUnits)
    }

    @Test func `price, leader and outcome agree with a naive auction`() throws {
        for seed in 1...PropertyRuns.count {
            var auction = try RandomAuction(seed: seed, Self.rules)
            var oracle = Self.oracle(try #require(auction.scenario.room.rules))
            for _ in 0..<14 where !auction.isOver { try step(&auction, &oracle) }
            if !auction.isOver, auction.scenario.room.state == .auctioning { finish(&auction, oracle) }
            try auction.expectSound()
        }
    }

    private func step(_ auction: inout RandomAuction, _ oracle: inout EnglishOracle) throws {
        let before = (
            price: auction.scenario.room.currentPrice, end: auction.scenario.room.endsAt, state: auction.scenario.room.state
        )
        var mayFall = false
        switch auction.generator.roll(1...13) {
        case 1...7: bid(&auction, &oracle)
        case 12...13: ask(&auction, &oracle)
        case 8:
            mayFall = true
            if auction.retract() == nil { oracle.retract() }
        case 9:
            mayFall = true
            retractOfBanned(&auction, &oracle)
        default: auction.disturb()
        }
        let room = auction.scenario.room
        guard room.state != .preparing else { return }
        if let old = before.price, !mayFall {
            #expect(room.currentPrice.map { $0 >= old } ?? false, "seed \(auction.seed): the price fell")
        }
        if before.state == .auctioning, room.state == .auctioning, let old = before.end {
            #expect(room.endsAt.map { $0 >= old } ?? false, "seed \(auction.seed): the hammer came nearer")
        }
        compare(auction, oracle)
    }

    /// The host bans a bidder, and takes one of their bids back, perhaps an earlier one.
    private func retractOfBanned(_ auction: inout RandomAuction, _ oracle: inout EnglishOracle) {
        guard ["auctioning", "paused"].contains(auction.scenario.room.state.rawValue) else { return }
        let leader = auction.leader
        guard let (number, bid) = auction.ban() else { return }
        if auction.scenario.room.bids.own(bid)?.bidder.id == leader.map({ auction.people[$0].id }) { oracle.void() }
        compare(auction, oracle)
        let refusal = auction.perform(.retractBid(bid, reason: "A shill."), by: auction.scenario.host)
        #expect(refusal == nil, "seed \(auction.seed): any bid of a banned bidder can be taken back")
        oracle.retract(number)
        auction.liftBans()
    }

    /// The host asks for an amount near the next minimum, or changes the increment.
    private func ask(_ auction: inout RandomAuction, _ oracle: inout EnglishOracle) {
        guard ["auctioning", "paused"].contains(auction.scenario.room.state.rawValue) else { return }
        func perform(_ change: AskChange) -> String? {
            auction.perform(.auction(.ask(change), AuctionTransition()), by: auction.scenario.host)
        }
        if auction.generator.once(in: 3) {
            let increment = Self.increment(&auction.generator)
            let isSame = auction.scenario.room.rules?.increment == increment
            #expect(perform(.increment(increment)) == nil, "seed \(auction.seed): another increment")
            let (steps, percent) = Self.rule(increment)
            if !isSame { oracle.change(steps: steps, percent: percent) }
        } else {
            let near = Int(oracle.minimum)
            let amount = auction.generator.amount(max(1, near - 30)...(near + 120))
            let refusal = oracle.ask(amount)
            #expect(perform(.nextMinimum(Money(minorUnits: amount))) == refusal, "seed \(auction.seed): an ask")
        }
    }

    private func bid(_ auction: inout RandomAuction, _ oracle: inout EnglishOracle) {
        let who = auction.generator.roll(0...3)
        let near = Int(oracle.minimum)
        let amount = auction.generator.once(in: 4) ? nil : auction.generator.amount(max(1, near - 8)...(near + 60))
        let top =
            amount == nil || auction.generator.once(in: 2) ? auction.generator.amount(max(1, near - 8)...(near + 250)) : nil
        let wasOpen = auction.scenario.room.state == .auctioning
        let refusal = auction.bid(who, amount, top)
        guard wasOpen else { return }
        switch oracle.bid(who, amount, top) {
        case .accepted: #expect(refusal == nil, "seed \(auction.seed): the bid should be taken")
        case .refused(let code): #expect(refusal == code, "seed \(auction.seed): the bid should be refused")
        }
    }

    private func compare(_ auction: RandomAuction, _ oracle: EnglishOracle) {
        let room = auction.scenario.room
        let standing = oracle.sold ?? oracle.standing
        #expect(room.currentPrice?.minorUnits == standing?.price, "seed \(auction.seed): price")
        #expect(auction.leader == standing?.leader, "seed \(auction.seed): leader")
        #expect(auction.scenario.rulebook.reserveMet(in: room) == oracle.reserveMet, "seed \(auction.seed): reserve")
        guard room.state == .auctioning else { return }
        let top = oracle.standing.map { now in oracle.entries.filter { $0.who == now.leader }.map(\.maximum).max() }
        #expect(room.leaderMaximum?.minorUnits == top ?? nil, "seed \(auction.seed): the leader's maximum")
        #expect(room.nextMinimum(auction.scenario) == oracle.minimum, "seed \(auction.seed): the next minimum")
    }

    private func finish(_ auction: inout RandomAuction, _ oracle: EnglishOracle) {
        _ = auction.scenario.wait(milliseconds: 100_000)
        let expected: RoundResult.Outcome =
            if let now = oracle.standing {
                oracle.reserveMet == false
                    ? .passed(.reserveNotMet) : .sold(to: auction.people[now.leader], price: Money(minorUnits: now.price))
            } else {
                .passed(.noBids)
            }
        #expect(auction.scenario.room.results.last?.outcome == expected, "seed \(auction.seed): outcome")
    }
}
