import AuctionDomain
import AuctionTestKit
import Testing

struct SealedPropertyTests {
    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `winner and price agree with a naive auction`(_ format: AuctionFormatName) throws {
        for seed in 1...PropertyRuns.count / 2 {
            var auction = try RandomAuction(seed: seed) { generator in
                let start = generator.amount(1...20)
                return AuctionRules(
                    startingPrice: Money(minorUnits: start), increment: .fixed(Money(minorUnits: 1)),
                    reservePrice: generator.once(in: 2) ? Money(minorUnits: start + generator.amount(0...20)) : nil,
                    bidding: Seconds(100), format: format, tie: generator.once(in: 2) ? .draw : .earliest)
            }
            let rules = try #require(auction.scenario.room.rules)
            var oracle = SealedOracle(
                start: rules.startingPrice.minorUnits, reserve: rules.reservePrice?.minorUnits,
                isVickrey: format == .vickrey)
            for _ in 0..<12 where !auction.isOver { step(&auction, &oracle) }
            finish(&auction, oracle)
            try auction.expectSound()
        }
    }

    private func step(_ auction: inout RandomAuction, _ oracle: inout SealedOracle) {
        let wasOpen = auction.scenario.room.state == .auctioning
        switch auction.generator.roll(1...10) {
        case 1...7:
            let (who, amount) = (auction.generator.roll(0...3), auction.generator.amount(1...45))
            let refusal = auction.bid(who, amount)
            guard wasOpen else { break }
            #expect(refusal == (oracle.bid(who, amount) ? nil : "bid.below_minimum"), "seed \(auction.seed)")
        case 8: if auction.retract() == nil { oracle.entries.removeLast() }
        default: auction.disturb()
        }
        guard !auction.isOver else { return }
        #expect(auction.scenario.room.currentBid == nil, "seed \(auction.seed): a sealed bid shows")
        #expect(auction.scenario.room.currentPrice == nil, "seed \(auction.seed): a sealed price shows")
    }

    private func finish(_ auction: inout RandomAuction, _ oracle: SealedOracle) {
        _ = auction.perform(.resume(AuctionTransition()), by: auction.scenario.host)
        _ = auction.scenario.wait(milliseconds: 1_000_000)
        guard auction.scenario.room.state == .closed else { return }
        let seed = auction.scenario.room.drawSeed?.bits
        let expected = oracle.result(draw: seed.map { seed in { Int(seed % UInt128($0)) } })
        switch auction.scenario.room.results.last?.outcome {
        case .sold(let winner, let price):
            #expect(expected.winner.map { auction.people[$0] } == winner, "seed \(auction.seed): winner")
            #expect(expected.price == price.minorUnits, "seed \(auction.seed): price")
        case .passed(let reason):
            #expect(expected.winner == nil, "seed \(auction.seed): it should be sold")
            #expect(reason == (oracle.entries.isEmpty ? .noBids : .reserveNotMet), "seed \(auction.seed): why it passed")
        case nil: Issue.record("seed \(auction.seed): a closed round has a result")
        }
    }
}
