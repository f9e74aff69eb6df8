import AuctionDomain
import AuctionTestKit
import Testing

struct ChaosPropertyTests {
    private static let formats: [AuctionFormatName] = [
        .english, .english, .dutch, .sealedFirstPrice, .vickrey, AuctionFormatName(rawValue: "candle"),
    ]

    /// Random rules of any format, often inconsistent.
    private static func rules(_ generator: inout SeededGenerator) -> AuctionRules {
        let start = generator.once(in: 10) ? Money.maximum.minorUnits : generator.amount(1...500)
        func maybe(_ range: ClosedRange<Int>) -> Money? {
            generator.once(in: 3) ? Money(minorUnits: generator.amount(range)) : nil
        }
        let increment: Increment =
            switch generator.roll(1...4) {
            case 1: .percent(basisPoints: generator.pick([1, 500, 100_000]))
            case 2:
                .tiers([
                    .init(from: Money(minorUnits: 0), step: Money(minorUnits: generator.amount(1...90))),
                    .init(
                        from: Money(minorUnits: generator.amount(1...400)), step: Money(minorUnits: generator.amount(1...90))),
                ])
            case 3: .fixed(.maximum)
            default: .fixed(Money(minorUnits: generator.amount(1...90)))
            }
        return AuctionRules(
            startingPrice: Money(minorUnits: start), increment: increment, reservePrice: maybe(1...900),
            buyNowPrice: maybe(1...1500), floorPrice: maybe(1...400), listing: Seconds(generator.roll(0...3)),
            bidding: Seconds(generator.roll(1...90)), countdown: generator.pick(Countdown.allCases),
            maxDuration: generator.once(in: 3) ? Seconds(generator.roll(1...60)) : nil,
            dutchTick: generator.once(in: 2) ? Seconds(generator.roll(1...20)) : nil, format: generator.pick(formats),
            tie: generator.once(in: 3) ? .draw : .earliest)
    }

    @Test func `no sequence of commands traps, and the price falls only on a retraction, a drop or a cancelled round`() throws {
        for seed in 1...PropertyRuns.count / 4 {
            var play = try RandomAuction(seed: seed) { generator in
                generator.once(in: 2)
                    ? FormatFixture.dutch(tick: generator.roll(1...9)) : FormatFixture.sealed(.vickrey, tie: .draw)
            }
            for _ in 0..<40 { step(&play) }
            try play.expectSound()
            try expectPricesToRise(play)
        }
    }

    private func step(_ play: inout RandomAuction) {
        let scene = play.scene
        let candidates = [scene.host, scene.auctioneer, scene.viewer, scene.stranger] + play.people
        let person = play.generator.pick(candidates)
        switch play.generator.roll(1...14) {
        case 1...4: _ = play.perform(.placeBid(bid(&play)), by: play.generator.pick(play.people))
        case 5: _ = play.perform(.placeBid(bid(&play)), by: person)
        case 6: _ = play.retract()
        case 7: _ = play.perform(.retractBid(BidID(bits: 1), reason: ""), by: scene.host)
        case 8: _ = play.perform(.uploadItem(Scenario.item(Self.rules(&play.generator))), by: scene.auctioneer)
        case 9, 10: _ = play.perform(.startAuction(AuctionTransition()), by: scene.host)
        case 11:
            let roles: [Role?] = [.bidder, .viewer, nil]
            _ = play.perform(.join(JoinRoom(role: play.generator.pick(roles), inviteCode: nil)), by: person)
        case 12: if play.generator.once(in: 4) { _ = play.perform(.leave, by: play.generator.pick(play.people)) }
        default: play.disturb()
        }
    }

    private func bid(_ play: inout RandomAuction) -> PlaceBid {
        let near = play.scene.room.nextMinimum(play.scene) ?? 100
        func said() -> Money? {
            switch play.generator.roll(1...8) {
            case 1: nil
            case 2: play.generator.pick([Money(minorUnits: 0), Money(minorUnits: 1), .maximum])
            default: Money(minorUnits: near) + Money(minorUnits: play.generator.amount(0...120))
            }
        }
        return PlaceBid(amount: said(), maximum: play.generator.once(in: 2) ? said() : nil)
    }

    /// Replays the history and checks the price after every event.
    private func expectPricesToRise(_ play: RandomAuction) throws {
        var room = try #require(Room(id: play.scene.room.id, opening: play.scene.history[0]))
        for event in play.scene.history.dropFirst() {
            let old = room.currentPrice
            try room.apply(event)
            guard let old, room.currentPrice.map({ $0 < old }) ?? true else { continue }
            switch event.body {
            case .bidRetracted, .priceDropped: break
            case .stateChanged(let change): #expect(change.to == .preparing, "seed \(play.seed): seq \(event.seq)")
            default: Issue.record("seed \(play.seed): the price fell with seq \(event.seq)")
            }
        }
    }
}
