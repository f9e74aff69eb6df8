import AuctionTestKit
import Testing

@testable import AuctionDomain

/// Random rounds that absentee bids open, in which the host bans bidders and takes their absentee bids back, compared with a naive auction.
struct AbsenteeRetractionPropertyTests {
    private struct Round {
        var scenario: Scenario
        var oracle: EnglishOracle
        var generator: SeededGenerator
        let people = (0..<5).map { Person(id: UserID(bits: UInt128($0 + 100)), nickname: "P\($0)") }
        let seed: UInt64

        /// Opens a lot with some absentee bids.
        init(seed: UInt64) throws {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
            scenario = try Scenario.withMembers()
            var rules = EnglishPropertyTests.rules(&generator)
            rules.listing = Seconds(0)
            oracle = EnglishPropertyTests.oracle(rules)
            let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
            try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
            for person in people { try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person) }
            let (start, spread) = (Int(rules.startingPrice.minorUnits), generator.pick([20, 200, 900]))
            for who in people.indices where rules.buyNowPrice != rules.startingPrice && !generator.once(in: 4) {
                let maximum = generator.amount(start...start + spread)
                try scenario.leave(maximum, on: "A1", by: people[who])
                oracle.leave(who, upTo: maximum)
            }
            try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
            oracle.keep(scenario.room.bids.all.compactMap { number(of: $0.bidder) })
        }

        func number(of person: Person) -> Int? { people.firstIndex { $0.id == person.id } }
        var runs: Bool { scenario.room.state == .auctioning }

        /// A bidder bids, perhaps too little.
        mutating func bid() throws {
            let who = generator.roll(0...people.count - 1)
            let amount = max(1, oracle.minimum + generator.amount(-5...60))
            let maximum = generator.once(in: 2) ? amount + generator.amount(0...200) : nil
            let bid = PlaceBid(amount: Money(minorUnits: amount), maximum: maximum.map { Money(minorUnits: $0) })
            var code: String?
            do throws(Refusal) { try scenario.perform(.placeBid(bid), by: people[who]) } catch { code = error.code }
            let expected = oracle.bid(who, amount, maximum)
            #expect(expected == (code.map { .refused($0) } ?? .accepted), "seed \(seed)")
        }

        /// The host bans a bidder whose absentee bid was shown, and takes that back.
        mutating func retractAbsentee() throws -> Bool {
            let left = scenario.room.bids.all.filter { $0.origin == .absentee }
            guard !left.isEmpty else { return false }
            let bid = generator.pick(left)
            let who = try #require(number(of: bid.bidder))
            try scenario.perform(.changeMember(bid.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
            if oracle.standing?.leader == who { oracle.void() }
            compare("after the ban")
            try scenario.perform(.retractBid(bid.id, reason: "A shill."), by: scenario.host)
            oracle.retractLeft(by: who)
            try scenario.perform(.changeMember(bid.bidder.id, MemberChanges(isBanned: false)), by: scenario.host)
            return true
        }

        mutating func retractLatest() throws {
            guard scenario.room.bids.latestExplicit != nil else { return }
            try scenario.retractLatest()
            oracle.retract()
        }

        func compare(_ step: String) {
            let (room, now) = (scenario.room, oracle.sold ?? oracle.standing)
            #expect(room.currentPrice?.minorUnits == now?.price, "seed \(seed): price \(step)")
            #expect(room.currentBid.flatMap { number(of: $0.bidder) } == now?.leader, "seed \(seed): leader \(step)")
            let most = oracle.entries.filter { $0.who == now?.leader }.map { oracle.held($0.maximum) }.max()
            let maximum = room.leaderMaximum.map { oracle.held($0.minorUnits) }
            #expect(maximum == most || oracle.sold != nil, "seed \(seed): the leader's maximum \(step)")
        }
    }

    @Test func `price, leader and maximum agree with a naive auction, whichever absentee bids are taken back`() throws {
        var retracted = 0
        for seed in 1...PropertyRuns.count {
            var round = try Round(seed: seed)
            round.compare("at the opening")
            for step in 0..<8 where round.runs {
                switch round.generator.roll(1...5) {
                case 1...2: try round.bid()
                case 3: try round.retractLatest()
                default: if try round.retractAbsentee() { retracted += 1 }
                }
                round.compare("after step \(step)")
            }
            #expect(try round.scenario.replayed() == round.scenario.room, "seed \(seed)")
        }
        #expect(retracted > Int(PropertyRuns.count))
    }
}
