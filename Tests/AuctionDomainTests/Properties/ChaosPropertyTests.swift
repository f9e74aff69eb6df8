import AuctionDomain
import AuctionTestKit
import Testing

struct ChaosPropertyTests {
    private static let formats: [AuctionFormatName] = [
        .english, .english, .dutch, .sealedFirstPrice, .vickrey, AuctionFormatName(rawValue: "candle"),
    ]

    /// Rules of any format; as often as not they do not fit together.
    private static func rules(_ dice: inout Dice) -> AuctionRules {
        let start = dice.once(in: 10) ? Money.maximum.minorUnits : dice.amount(1...500)
        func maybe(_ range: ClosedRange<Int>) -> Money? { dice.once(in: 3) ? Money(minorUnits: dice.amount(range)) : nil }
        let increment: Increment =
            switch dice.roll(1...4) {
            case 1: .percent(basisPoints: dice.pick([1, 500, 100_000]))
            case 2:
                .tiers([
                    .init(from: Money(minorUnits: 0), step: Money(minorUnits: dice.amount(1...90))),
                    .init(from: Money(minorUnits: dice.amount(1...400)), step: Money(minorUnits: dice.amount(1...90))),
                ])
            case 3: .fixed(.maximum)
            default: .fixed(Money(minorUnits: dice.amount(1...90)))
            }
        return AuctionRules(
            startingPrice: Money(minorUnits: start), increment: increment, reservePrice: maybe(1...900),
            buyNowPrice: maybe(1...1500), floorPrice: maybe(1...400), listing: Seconds(dice.roll(0...3)),
            bidding: Seconds(dice.roll(1...90)), countdown: dice.pick(Countdown.allCases),
            maxDuration: dice.once(in: 3) ? Seconds(dice.roll(1...60)) : nil,
            dutchTick: dice.once(in: 2) ? Seconds(dice.roll(1...20)) : nil, format: dice.pick(formats),
            tie: dice.once(in: 3) ? .draw : .earliest)
    }

    @Test func `no sequence of commands traps, and a price falls only where it may`() throws {
        for seed in 1...PropertyRuns.count / 4 {
            var play = try Play(seed: seed) { dice in
                dice.once(in: 2) ? FormatScene.dutch(tick: dice.roll(1...9)) : FormatScene.sealed(.vickrey, tie: .draw)
            }
            for _ in 0..<40 { step(&play) }
            try play.expectSound()
            try expectPricesToRise(play)
        }
    }

    private func step(_ play: inout Play) {
        let scene = play.scene
        let anybody = [scene.host, scene.auctioneer, scene.viewer, scene.stranger] + play.people
        let person = play.dice.pick(anybody)
        switch play.dice.roll(1...14) {
        case 1...4: _ = play.perform(.placeBid(bid(&play)), by: play.dice.pick(play.people))
        case 5: _ = play.perform(.placeBid(bid(&play)), by: person)
        case 6: _ = play.retract()
        case 7: _ = play.perform(.retractBid(BidID(bits: 1), reason: ""), by: scene.host)
        case 8: _ = play.perform(.uploadItem(Scenario.item(Self.rules(&play.dice))), by: scene.auctioneer)
        case 9, 10: _ = play.perform(.startAuction(Advance()), by: scene.host)
        case 11:
            let roles: [Role?] = [.bidder, .viewer, nil]
            _ = play.perform(.join(JoinRoom(role: play.dice.pick(roles), inviteCode: nil)), by: person)
        case 12: if play.dice.once(in: 4) { _ = play.perform(.leave, by: play.dice.pick(play.people)) }
        default: play.disturb()
        }
    }

    private func bid(_ play: inout Play) -> PlaceBid {
        let near = play.scene.room.nextMinimum(play.scene) ?? 100
        func said() -> Money? {
            switch play.dice.roll(1...8) {
            case 1: nil
            case 2: play.dice.pick([Money(minorUnits: 0), Money(minorUnits: 1), .maximum])
            default: Money(minorUnits: near) + Money(minorUnits: play.dice.amount(0...120))
            }
        }
        return PlaceBid(amount: said(), maximum: play.dice.once(in: 2) ? said() : nil)
    }

    /// Folds the history anew and looks at every event on the way.
    private func expectPricesToRise(_ play: Play) throws {
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
