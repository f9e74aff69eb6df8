import AuctionDomain
import AuctionTestKit
import Testing

/// The host and two accomplices bid and take back as they please, and read the public log. A bidder's maximum is in force
/// above the price only as long as that log tells it from no larger one; so nothing that was shown can be used against them.
struct MaximumSecrecyTests {
    /// What one of the attackers does.
    private enum Move: CaseIterable {
        case least, more, far, farther, proxy, retraction
        case othersLeast, othersFar, othersProxy
    }

    /// One auction whose bidder has one maximum, and what an onlooker has read of it.
    private struct World {
        var scene: Scenario
        let maximum: Int64
        var log: [String] = []
        /// At what price the bidder led when their maximum was voided, the lowest so far.
        var voidedAt: Int64?

        init(maximum: Int64, reserve: Int64? = nil) throws {
            scene = try .auctioning(FormatScene.rules(start: 1, step: 1, reserve: reserve))
            self.maximum = maximum
            note(try scene.bid(1, upTo: maximum, by: scene.bidder))
        }

        mutating func play(_ move: Move) {
            let minimum = scene.rulebook.nextMinimum(in: scene.room)?.minorUnits ?? 1
            switch move {
            case .least: bid(minimum, by: scene.rival)
            case .more: bid(minimum + 1, by: scene.rival)
            case .far: bid(minimum + 3, by: scene.rival)
            case .farther: bid(minimum + 6, by: scene.rival)
            case .proxy: bid(minimum, upTo: minimum + 9, by: scene.rival)
            case .othersLeast: bid(minimum, by: other)
            case .othersFar: bid(minimum + 2, by: other)
            case .othersProxy: bid(minimum, upTo: minimum + 5, by: other)
            case .retraction: retract()
            }
        }

        private var other: Person { scene.stranger }

        private mutating func bid(_ amount: Int64, upTo maximum: Int64? = nil, by person: Person) {
            let top = maximum.map { Money(minorUnits: $0) }
            perform(.placeBid(PlaceBid(amount: Money(minorUnits: amount), maximum: top)), by: person)
        }

        private mutating func retract() {
            // The bidder's own bid stays: without it there is nothing to learn.
            guard let latest = scene.room.bids.latestExplicit, latest.bidder.id != scene.bidder.id else { return }
            perform(.retractBid(latest.id, reason: "Slip."), by: scene.host)
        }

        private mutating func perform(_ command: Command, by person: Person) {
            do throws(Refusal) { note(try scene.perform(command, by: person)) } catch { log.append(error.code) }
        }

        /// What the public bytes of the events say.
        private mutating func note(_ events: [EventBody]) {
            for event in events {
                switch event {
                case .bidPlaced(let bid):
                    log.append("\(bid.bidder.nickname) \(bid.amount.minorUnits) \(bid.leading) \(bid.reserveMet ?? false)")
                case .bidRetracted(let gone):
                    log.append("back \(gone.removed.count) \(gone.price?.minorUnits ?? 0) \(gone.leader?.nickname ?? "")")
                case .maximumVoided(let voided):
                    log.append("void \(voided.bidder.nickname)")
                    if voided.bidder.id == scene.bidder.id { voidedAt = scene.room.currentPrice?.minorUnits }
                default: break
                }
            }
        }

        var isLedByBidder: Bool { scene.room.currentBid?.bidder.id == scene.bidder.id }
        var price: Int64 { scene.room.currentPrice?.minorUnits ?? 0 }
        /// What of the maximum is still in force above the price.
        var headroom: Int64 { isLedByBidder ? (scene.room.leaderMaximum?.minorUnits ?? 0) - price : 0 }
    }

    /// - Parameter worlds: the same moves against growing maxima.
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
            try world.scene.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: world.scene.stranger)
            return world
        }
    }

    private func explore(_ worlds: [World], _ moves: [Move], depth: Int) {
        guard depth > 0 else { return }
        for move in Move.allCases {
            var next = worlds
            for index in next.indices { next[index].play(move) }
            // What changes nothing anywhere leads to nothing new.
            guard next.contains(where: { $0.log.last.map { !$0.contains(".") } ?? false }) else { continue }
            check(next, moves + [move])
            explore(next, moves + [move], depth: depth - 1)
        }
    }

    @Test func `no short attack tells a maximum in force from a larger one`() throws {
        explore(try worlds([2, 3, 5, 30]), [], depth: 3)
    }

    @Test func `no long attack tells a maximum in force from a larger one`() throws {
        for seed in 1...PropertyRuns.count / 10 {
            var dice = Dice(seed: seed)
            let reserve = dice.once(in: 3) ? dice.amount(1...2) : nil
            var worlds = try worlds([2, 4, 6, 9, 14, 60], reserve: reserve)
            var moves: [Move] = []
            for _ in 0..<12 {
                let move = dice.once(in: 3) ? Move.retraction : dice.pick(Move.allCases)
                moves.append(move)
                for index in worlds.indices { worlds[index].play(move) }
                check(worlds, moves)
            }
            for world in worlds { #expect(try world.scene.replayed() == world.scene.room) }
        }
    }
}
