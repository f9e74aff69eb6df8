import AuctionDomain
import AuctionTestKit
import Testing

struct DutchPropertyTests {
    private static func rules(_ generator: inout SeededGenerator) -> AuctionRules {
        let floor = generator.amount(1...200)
        return AuctionRules(
            startingPrice: Money(minorUnits: floor + generator.amount(0...300)),
            increment: .fixed(Money(minorUnits: generator.amount(5...90))), floorPrice: Money(minorUnits: floor),
            dutchTick: Seconds(generator.roll(1...8)), format: .dutch)
    }

    @Test func `the price is a function of the elapsed time`() throws {
        for seed in 1...PropertyRuns.count / 4 {
            var auction = try RandomAuction(seed: seed, Self.rules)
            let rules = try #require(auction.scenario.room.rules)
            guard case .fixed(let step) = rules.increment, let floor = rules.floorPrice, let tick = rules.dutchTick else {
                continue
            }
            var passed: Int64 = 0
            while true {
                let drops = passed / (Int64(tick.count) * 1000)
                let before = rules.startingPrice.minorUnits - (drops - 1) * step.minorUnits
                // The floor price lasted a tick without a bid.
                if drops > 0, before <= floor.minorUnits {
                    #expect(auction.scenario.outcome == "no_bids", "seed \(seed)")
                    break
                }
                let price = max(floor.minorUnits, rules.startingPrice.minorUnits - drops * step.minorUnits)
                #expect(auction.scenario.room.askingPrice?.minorUnits == price, "seed \(seed): after \(passed) ms")
                if auction.generator.once(in: 12) {
                    #expect(auction.bid(0, price - 1) != nil, "seed \(seed): below the price")
                    #expect(auction.bid(0, price + auction.generator.amount(0...50)) == nil, "seed \(seed): a bid at the price")
                    #expect(auction.scenario.outcome == "Xu for \(price)", "seed \(seed)")
                    break
                }
                let wait = Int64(auction.generator.roll(0...5000))
                passed += wait
                auction.scenario.wait(milliseconds: wait)
            }
            try auction.expectSound()
        }
    }

    @Test func `the price only drops, by its steps, and the first bid wins at the asking price`() throws {
        for seed in 1...PropertyRuns.count / 2 {
            var auction = try RandomAuction(seed: seed, Self.rules)
            let rules = try #require(auction.scenario.room.rules)
            guard case .fixed(let step) = rules.increment, let floor = rules.floorPrice else { continue }
            var asking = rules.startingPrice
            for _ in 0..<16 where !auction.isOver {
                if auction.generator.once(in: 8) {
                    let isOpen = auction.scenario.room.state == .auctioning
                    let refusal = auction.bid(
                        auction.generator.roll(0...3), asking.minorUnits + auction.generator.amount(0...9))
                    #expect((refusal == nil) == isOpen, "seed \(seed): \(refusal ?? "taken")")
                    if isOpen { #expect(auction.scenario.room.currentPrice == asking, "seed \(seed)") }
                } else {
                    auction.disturb()
                }
                for case .priceDropped(let price, let next) in auction.events {
                    let expected = max(floor, Money(minorUnits: asking.minorUnits - step.minorUnits))
                    #expect(price == expected, "seed \(seed): a step")
                    #expect((next == nil) == (price == floor), "seed \(seed): the next step")
                    asking = price
                }
            }
            try auction.expectSound()
        }
    }
}
