import AuctionDomain
import AuctionTestKit
import EventLog
import TestSupport
import Testing

/// The audit has no false positives: it finds nothing in histories produced by real commands, in any format.
struct RandomAuctionTests {
    private static func rules(_ format: String, _ generator: inout LinearCongruentialGenerator) -> AuctionRules {
        func money(_ units: Int64) -> Money { Money(minorUnits: units) }
        switch format {
        case "dutch":
            return AuctionRules(
                startingPrice: money(10000), increment: .fixed(money(1000)), floorPrice: money(6000), dutchTick: Seconds(5),
                format: AuctionFormatName(rawValue: format))
        case "english":
            return AuctionRules(
                startingPrice: money(10000), increment: .percent(basisPoints: 500),
                reservePrice: generator.next(2) == 0 ? money(15000) : nil,
                buyNowPrice: generator.next(2) == 0 ? money(40000) : nil,
                countdown: generator.next(2) == 0 ? .reset : .extend)
        default:
            return AuctionRules(
                startingPrice: money(10000), increment: .fixed(money(1)), reservePrice: money(12000), countdown: .fixed,
                format: AuctionFormatName(rawValue: format), tie: generator.next(2) == 0 ? .draw : .earliest)
        }
    }

    /// Performs one random command, unless the room refuses it, and lets some time pass.
    private func step(_ scenario: inout Scenario, _ generator: inout LinearCongruentialGenerator) {
        let bidder = generator.next(2) == 0 ? scenario.bidder : scenario.rival
        let amount = Money(minorUnits: 9000 + Int64(generator.next(40)) * 1000)
        let maximum = Money(minorUnits: amount.minorUnits + Int64(generator.next(20)) * 1000)
        let (host, room) = (scenario.host, scenario.room)
        let command: (Command, Person)? =
            switch generator.next(12) {
            case 0...3: (.placeBid(PlaceBid(amount: amount)), bidder)
            case 4: (.placeBid(PlaceBid(amount: amount, maximum: maximum)), bidder)
            case 5, 6: (.placeBid(PlaceBid(amount: nil, maximum: maximum)), bidder)
            case 7, 8: room.bids.latestExplicit.map { (.retractBid($0.id, reason: "slip"), host) }
            case 9: (.pause(AuctionTransition()), host)
            case 10: (.resume(AuctionTransition()), host)
            default: nil
            }
        if let (command, person) = command { perform(command, by: person, in: &scenario) }
        scenario.wait(milliseconds: Int64(generator.next(4)) * 1000)
    }

    /// Performs one random bid near the price, unless the room refuses it: often it outbids the other bidder or raises a maximum.
    private func bid(_ scenario: inout Scenario, _ generator: inout LinearCongruentialGenerator) {
        let bidder = generator.next(2) == 0 ? scenario.bidder : scenario.rival
        let price = scenario.room.currentPrice?.minorUnits ?? 10000
        let amount = Money(minorUnits: price + Int64(generator.next(10)) * 1000)
        let maximum = Money(minorUnits: amount.minorUnits + Int64(generator.next(10)) * 1000)
        let placed =
            switch generator.next(4) {
            case 0, 1: PlaceBid(amount: amount)
            case 2: PlaceBid(amount: amount, maximum: maximum)
            default: PlaceBid(amount: nil, maximum: maximum)
            }
        perform(.placeBid(placed), by: bidder, in: &scenario)
    }

    /// Performs a command, unless the room refuses it.
    private func perform(_ command: Command, by person: Person, in scenario: inout Scenario) {
        guard scenario.refusal(of: command, by: person) == nil else { return }
        do { try scenario.perform(command, by: person) } catch { Issue.record("\(command): \(error)") }
    }

    @Test(arguments: ["english", "dutch", "sealedFirstPrice", "vickrey"])
    func `randomly played rounds have no findings`(format: String) throws {
        var sold = 0
        let seeds = RandomRuns.count(of: 60)
        for seed in 1...seeds {
            var generator = LinearCongruentialGenerator(state: seed)
            var scenario = try Scenario.withMembers()
            for _ in 1...3 {
                try scenario.perform(.uploadItem(Scenario.item(Self.rules(format, &generator))), by: scenario.auctioneer)
                try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
                try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
                for _ in 1...25 { step(&scenario, &generator) }
                if scenario.room.state == .paused { try scenario.perform(.resume(AuctionTransition()), by: scenario.host) }
                scenario.wait(milliseconds: 3_600_000)
                try #require(scenario.room.state == .closed)
                try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
            }
            for case .sold in scenario.room.results.map(\.outcome) { sold += 1 }
            let findings = try ArchiveStub(scenario, snapshotAt: scenario.history.count / 2).findings()
            #expect(findings == [], "\(format), seed \(seed)")
        }
        #expect(sold > seeds / 2, "the random rounds must include sales")
    }

    @Test func `rounds that end after any number of retractions have no findings`() throws {
        var sold = 0
        let seeds = RandomRuns.count(of: 20)
        for seed in 1...seeds {
            var generator = LinearCongruentialGenerator(state: seed)
            var scenario = try Scenario.auctioning(
                AuctionRules(
                    startingPrice: Money(minorUnits: 10000), increment: .percent(basisPoints: 500),
                    reservePrice: generator.next(2) == 0 ? Money(minorUnits: 15000) : nil))
            for _ in 1...20 { bid(&scenario, &generator) }
            while scenario.room.bids.latestExplicit != nil {
                try scenario.retractLatest()
                var ended = scenario
                try ended.perform(.endAuction(AuctionTransition()), by: ended.host)
                for case .sold in ended.room.results.map(\.outcome) { sold += 1 }
                let findings = try ArchiveStub(ended).findings()
                #expect(findings == [], "seed \(seed), \(ended.room.bids.count) bids left")
            }
        }
        #expect(sold > seeds, "some of the bids that are left must be sales")
    }
}

/// A linear congruential generator: the same numbers for the same seed.
private struct LinearCongruentialGenerator {
    var state: UInt64

    mutating func next(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}
