import AuctionDomain
import AuctionTestKit
import Testing

struct SealedPropertyTests {
    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `winner and price agree with a naive auction`(_ format: AuctionFormatName) throws {
        for seed in 1...PropertyRuns.count / 2 {
            var play = try RandomAuction(seed: seed) { generator in
                let start = generator.amount(1...20)
                return AuctionRules(
                    startingPrice: Money(minorUnits: start), increment: .fixed(Money(minorUnits: 1)),
                    reservePrice: generator.once(in: 2) ? Money(minorUnits: start + generator.amount(0...20)) : nil,
                    bidding: Seconds(100), format: format, tie: generator.once(in: 2) ? .draw : .earliest)
            }
            let rules = try #require(play.scene.room.rules)
            var oracle = SealedOracle(
                start: rules.startingPrice.minorUnits, reserve: rules.reservePrice?.minorUnits,
                isVickrey: format == .vickrey)
            for _ in 0..<12 where !play.isOver { step(&play, &oracle) }
            finish(&play, oracle)
            try play.expectSound()
        }
    }

    private func step(_ play: inout RandomAuction, _ oracle: inout SealedOracle) {
        let wasOpen = play.scene.room.state == .auctioning
        switch play.generator.roll(1...10) {
        case 1...7:
            let (who, amount) = (play.generator.roll(0...3), play.generator.amount(1...45))
            let refusal = play.bid(who, amount)
            guard wasOpen else { break }
            #expect(refusal == (oracle.bid(who, amount) ? nil : "bid.below_minimum"), "seed \(play.seed)")
        case 8: if play.retract() == nil { oracle.entries.removeLast() }
        default: play.disturb()
        }
        guard !play.isOver else { return }
        #expect(play.scene.room.currentBid == nil, "seed \(play.seed): a sealed bid shows")
        #expect(play.scene.room.currentPrice == nil, "seed \(play.seed): a sealed price shows")
    }

    private func finish(_ play: inout RandomAuction, _ oracle: SealedOracle) {
        _ = play.perform(.resume(AuctionTransition()), by: play.scene.host)
        _ = play.scene.wait(milliseconds: 1_000_000)
        guard play.scene.room.state == .closed else { return }
        let seed = play.scene.room.drawSeed?.bits
        let expected = oracle.result(draw: seed.map { seed in { Int(seed % UInt128($0)) } })
        switch play.scene.room.results.last?.outcome {
        case .sold(let winner, let price):
            #expect(expected.winner.map { play.people[$0] } == winner, "seed \(play.seed): winner")
            #expect(expected.price == price.minorUnits, "seed \(play.seed): price")
        case .passed(let reason):
            #expect(expected.winner == nil, "seed \(play.seed): it should be sold")
            #expect(reason == (oracle.entries.isEmpty ? .noBids : .reserveNotMet), "seed \(play.seed): why it passed")
        case nil: Issue.record("seed \(play.seed): a closed round has a result")
        }
    }
}
