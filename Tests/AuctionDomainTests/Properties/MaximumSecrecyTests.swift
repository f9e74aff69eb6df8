import AuctionDomain
import AuctionTestKit
import Testing

/// Attack on a secret maximum: the host and two accomplices bid, retract and read the public log. A maximum may be in force above
/// the price only while that log does not distinguish it from a larger one, so revealed maxima cannot be exploited.
struct MaximumSecrecyTests {
    /// A move of one of the attackers.
    private enum Move: CaseIterable {
        case least, more, far, farther, proxy, retraction
        case othersLeast, othersFar, othersProxy
    }

    /// An auction whose bidder has one maximum, with the log that an observer can read.
    private struct World {
        var scenario: Scenario
        let maximum: Int64
        var log: [String] = []
        /// Price at which the bidder led when their maximum was last voided; nil if it was not.
        var voidedAt: Int64?

        init(maximum: Int64, reserve: Int64? = nil) throws {
            scenario = try .auctioning(FormatFixture.rules(start: 1, step: 1, reserve: reserve))
            self.maximum = maximum
            note(try scenario.bid(1, upTo: maximum, by: scenario.bidder))
        }

        mutating func play(_ move: Move) {
            let minimum = scenario.rulebook.nextMinimum(in: scenario.room)?.minorUnits ?? 1
            switch move {
            case .least: bid(minimum, by: scenario.rival)
            case .more: bid(minimum + 1, by: scenario.rival)
            case .far: bid(minimum + 3, by: scenario.rival)
            case .farther: bid(minimum + 6, by: scenario.rival)
            case .proxy: bid(minimum, upTo: minimum + 9, by: scenario.rival)
            case .othersLeast: bid(minimum, by: other)
            case .othersFar: bid(minimum + 2, by: other)
            case .othersProxy: bid(minimum, upTo: minimum + 5, by: other)
            case .retraction: retract()
            }
        }

        private var other: Person { scenario.stranger }

        private mutating func bid(_ amount: Int64, upTo maximum: Int64? = nil, by person: Person) {
            let top = maximum.map { Money(minorUnits: $0) }
            perform(.placeBid(PlaceBid(amount: Money(minorUnits: amount), maximum: top)), by: person)
        }

        private mutating func retract() {
            // The bidder's own bid is not retracted: without it there is no maximum to learn.
            guard let latest = scenario.room.bids.latestExplicit, latest.bidder.id != scenario.bidder.id else { return }
            perform(.retractBid(latest.id, reason: "Slip."), by: scenario.host)
        }

        private mutating func perform(_ command: Command, by person: Person) {
            do throws(Refusal) { note(try scenario.perform(command, by: person)) } catch { log.append(error.code) }
        }

        /// Appends the public content of the events to the log.
        private mutating func note(_ events: [EventBody]) {
            for event in events {
                switch event {
                case .bidPlaced(let bid):
                    log.append("\(bid.bidder.nickname) \(bid.amount.minorUnits) \(bid.leading) \(bid.reserveMet ?? false)")
                case .bidRetracted(let gone):
                    log.append("back \(gone.removed.count) \(gone.price?.minorUnits ?? 0) \(gone.leader?.nickname ?? "")")
                case .maximumVoided(let voided):
                    log.append("void \(voided.bidder.nickname)")
                    if voided.bidder.id == scenario.bidder.id { voidedAt = scenario.room.currentPrice?.minorUnits }
                default: break
                }
            }
        }

        var isLedByBidder: Bool { scenario.room.currentBid?.bidder.id == scenario.bidder.id }
        var price: Int64 { scenario.room.currentPrice?.minorUnits ?? 0 }
        /// The part of the maximum above the price that is still in force, in minor units.
        var headroom: Int64 { isLedByBidder ? (scenario.room.leaderMaximum?.minorUnits ?? 0) - price : 0 }
    }

    /// Checks auctions in which the same moves were made.
    /// - Parameter worlds: by increasing maximum.
    private func check(_ worlds: [World], _ moves: [Move]) {
        for (index, world) in worlds.enumerated() {
            if world.isLedByBidder {
                #expect(world.price <= world.maximum, "\(moves): pays more than the maximum \(world.maximum)")
                if let most = world.voidedAt {
                    #expect(world.price <= most, "\(moves): the voided maximum \(world.maximum) was used again")
                }
            }
            guard world.headroom > 0 else { continue }
            for larger in worlds[(index + 1)...] {
                #expect(world.log == larger.log, "\(moves): the log tells the maximum \(world.maximum) from \(larger.maximum)")
            }
        }
    }

    private func worlds(_ maxima: [Int64], reserve: Int64? = nil) throws -> [World] {
        try maxima.map { maximum in
            var world = try World(maximum: maximum, reserve: reserve)
            try world.scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: world.scenario.stranger)
            return world
        }
    }

    private func explore(_ worlds: [World], _ moves: [Move], depth: Int) {
        guard depth > 0 else { return }
        for move in Move.allCases {
            var next = worlds
            for index in next.indices { next[index].play(move) }
            // A move that is refused in every auction is not explored further.
            guard next.contains(where: { $0.log.last.map { !$0.contains(".") } ?? false }) else { continue }
            check(next, moves + [move])
            explore(next, moves + [move], depth: depth - 1)
        }
    }

    @Test func `no short attack distinguishes a maximum in force from a larger one`() throws {
        explore(try worlds([2, 3, 5, 30]), [], depth: 3)
    }

    @Test func `no long attack distinguishes a maximum in force from a larger one`() throws {
        for seed in 1...PropertyRuns.count / 10 {
            var generator = SeededGenerator(seed: seed)
            let reserve = generator.once(in: 3) ? generator.amount(1...2) : nil
            var worlds = try worlds([2, 4, 6, 9, 14, 60], reserve: reserve)
            var moves: [Move] = []
            for _ in 0..<12 {
                let move = generator.once(in: 3) ? Move.retraction : generator.pick(Move.allCases)
                moves.append(move)
                for index in worlds.indices { worlds[index].play(move) }
                check(worlds, moves)
            }
            for world in worlds { #expect(try world.scenario.replayed() == world.scenario.room) }
        }
    }
}
