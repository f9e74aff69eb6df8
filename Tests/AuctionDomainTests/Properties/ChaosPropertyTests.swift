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
            var auction = try RandomAuction(seed: seed) { generator in
                generator.once(in: 2)
                    ? FormatFixture.dutch(tick: generator.roll(1...9)) : FormatFixture.sealed(.vickrey, tie: .draw)
            }
            for _ in 0..<40 { step(&auction) }
            try auction.expectSound()
            try expectPricesToRise(auction)
        }
    }

    @Test func `a caller may take exactly the actions that no rule denies`() throws {
        for seed in 1...max(1, PropertyRuns.count / 20) {
            var auction = try RandomAuction(seed: seed) { _ in FormatFixture.dutch(tick: 3) }
            for _ in 0..<20 {
                step(&auction)
                let scenario = auction.scenario
                let people = [scenario.host, scenario.auctioneer, scenario.viewer, scenario.stranger] + auction.people
                for caller in people.map(\.id) + [.ofOperator(1)] { expectAllowed(caller, scenario, seed) }
            }
        }
    }

    /// The set of allowed actions is found by other steps than the denial of one action.
    private func expectAllowed(_ caller: UserID, _ scenario: Scenario, _ seed: UInt64) {
        let rulebook = scenario.rulebook
        let context = RuleContext(room: scenario.room, rulebook: rulebook, caller: caller, at: scenario.instant)
        let permitted = RoomAction.allCases.filter { rulebook.denial(of: $0, in: context) == nil }
        let allowed = rulebook.allowedActions(of: caller, in: scenario.room, at: scenario.instant)
        #expect(allowed.inOrder == permitted, "seed \(seed), \(caller), \(scenario.room.state)")
    }

    private func step(_ auction: inout RandomAuction) {
        let scenario = auction.scenario
        let candidates = [scenario.host, scenario.auctioneer, scenario.viewer, scenario.stranger] + auction.people
        let person = auction.generator.pick(candidates)
        switch auction.generator.roll(1...14) {
        case 1...4: _ = auction.perform(.placeBid(bid(&auction)), by: auction.generator.pick(auction.people))
        case 5: _ = auction.perform(.placeBid(bid(&auction)), by: person)
        case 6: _ = auction.retract()
        case 7: _ = auction.perform(.retractBid(BidID(bits: 1), reason: ""), by: scenario.host)
        case 8: _ = auction.perform(.uploadItem(Scenario.item(Self.rules(&auction.generator))), by: scenario.auctioneer)
        case 9, 10: _ = auction.perform(.startAuction(AuctionTransition()), by: scenario.host)
        case 11:
            let roles: [Role?] = [.bidder, .viewer, nil]
            _ = auction.perform(.join(JoinRoom(role: auction.generator.pick(roles), inviteCode: nil)), by: person)
        case 12: if auction.generator.once(in: 4) { _ = auction.perform(.leave, by: auction.generator.pick(auction.people)) }
        default: auction.disturb()
        }
    }

    private func bid(_ auction: inout RandomAuction) -> PlaceBid {
        let near = auction.scenario.room.nextMinimum(auction.scenario) ?? 100
        func randomAmount() -> Money? {
            switch auction.generator.roll(1...8) {
            case 1: nil
            case 2: auction.generator.pick([Money(minorUnits: 0), Money(minorUnits: 1), .maximum])
            default: Money(minorUnits: near) + Money(minorUnits: auction.generator.amount(0...120))
            }
        }
        return PlaceBid(amount: randomAmount(), maximum: auction.generator.once(in: 2) ? randomAmount() : nil)
    }

    /// Replays the history and checks the price after every event.
    private func expectPricesToRise(_ auction: RandomAuction) throws {
        var room = try #require(Room(id: auction.scenario.room.id, opening: auction.scenario.history[0]))
        for event in auction.scenario.history.dropFirst() {
            let old = room.currentPrice
            try room.apply(event)
            guard let old, room.currentPrice.map({ $0 < old }) ?? true else { continue }
            switch event.body {
            case .bidRetracted, .priceDropped: break
            case .stateChanged(let change): #expect(change.to == .preparing, "seed \(auction.seed): seq \(event.seq)")
            default: Issue.record("seed \(auction.seed): the price fell with seq \(event.seq)")
            }
        }
    }
}
