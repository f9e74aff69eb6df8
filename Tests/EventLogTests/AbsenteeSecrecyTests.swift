import AuctionDomain
import AuctionTestKit
import Permissions
import TestSupport
import Testing

@testable import EventLog

/// Attack on absentee bids before their lots open: the host, the owner of the lots and an accomplice among the bidders do whatever they
/// can, in rooms that differ only in what two bidders have left. All that the three can see must be equal.
struct AbsenteeSecrecyTests {
    /// What two bidders leave on the first two lots: nil takes a bid back.
    private struct Secret {
        let isFirst: Bool
        let maximum: Int64?
        let lot: Int
    }

    private struct World {
        var scenario: Scenario
        let lots: [LotID]
        var transcript: [String] = []

        init(_ format: AuctionFormatName) throws {
            scenario = try Scenario.withMembers()
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
            var (rules, lots) = (scenario.rules(), [LotID]())
            rules.format = format
            for name in ["A", "B", "C"] {
                let item = UploadItem(name: name, description: "", media: [], rules: rules)
                try scenario.perform(.queueLot(QueueLot(item: item, reference: name)), by: scenario.auctioneer)
                if case .lotQueued(let id)? = scenario.lastOutcome { lots.append(id) }
            }
            self.lots = lots
        }

        mutating func leave(_ secret: Secret) throws {
            let person = secret.isFirst ? scenario.bidder : scenario.rival
            let lot = lots[secret.lot]
            let command = secret.maximum.map { AbsenteeCommand.place(lot, maximum: Money(minorUnits: $0)) } ?? .withdraw(lot)
            let before = scenario.history.count
            try scenario.perform(.absentee(command), by: person)
            note(scenario.history[before...])
        }

        mutating func perform(_ command: Command, by person: Person) {
            let before = scenario.history.count
            do throws(Refusal) { try scenario.perform(command, by: person) } catch {
                transcript.append("\(error.code) \(error.required ?? "") \(error.actual ?? "") \(error.text.english)")
            }
            note(scenario.history[before...])
        }

        /// All that the three can see: the public bytes of events, what they may do, and what the room counts.
        private mutating func note(_ events: ArraySlice<Event>) {
            for event in events {
                // The identifiers are random, and equal as far as the same commands were sent.
                let stored = EventCodec.encode(event, currency: .cny, after: .zero)
                transcript.append(String(decoding: stored.publicBytes, as: UTF8.self))
            }
            let room = scenario.room
            for person in [scenario.host, scenario.auctioneer, scenario.stranger] {
                let allowed = scenario.rulebook.allowedActions(of: person.id, in: room, at: scenario.instant)
                transcript.append(allowed.inOrder.map(\.rawValue).joined(separator: " "))
                transcript.append(
                    lots.map { "\(room.absenteeStanding(of: person.id, on: $0).map { "\($0)" } ?? "-")" }.joined())
            }
            transcript.append("\(room.storage.bytes) \(lots.map { room.absenteeCount(on: $0) }) \(room.members.count)")
            transcript.append("\(room.hostGoneSince?.milliseconds ?? 0) \(room.host.nickname)")
            transcript.append(room.members.sorted.map { "\($0.person.nickname) \($0.role)" }.joined(separator: ", "))
        }
    }

    private func move(_ generator: inout SeededGenerator, _ world: World) -> (Command, Person) {
        let scenario = world.scenario
        let (lot, host, owner) = (generator.pick(world.lots), scenario.host, scenario.auctioneer)
        let target = generator.pick([scenario.bidder, scenario.rival, scenario.stranger]).id
        let amount = Money(minorUnits: generator.amount(5000...40_000))
        switch generator.roll(1...13) {
        case 1: return (.changeMember(target, MemberChanges(creditLimit: .some(amount))), host)
        case 2: return (.changeMember(target, MemberChanges(isBanned: generator.once(in: 2))), host)
        case 3: return (.changeMember(target, MemberChanges(role: generator.pick([.viewer, .bidder]))), host)
        case 4: return (.kick(target), host)
        case 5: return (.withdrawLot(lot, reason: nil), generator.pick([host, owner]))
        case 6...7:
            var changes = LotChanges()
            changes.rules = RulesPatch()
            if generator.once(in: 2) {
                changes.rules?.startingPrice = amount
            } else {
                changes.rules?.buyNowPrice = .some(amount)
            }
            return (.changeLot(lot, changes), owner)
        case 8:
            var changes = LotChanges()
            changes.target = generator.once(in: 2) ? .end : .before(generator.pick(world.lots))
            return (.changeLot(lot, changes), host)
        case 9: return (.absentee(.withdraw(lot)), generator.pick([host, owner, scenario.stranger]))
        case 10...11: return (.absentee(.place(lot, maximum: amount)), generator.pick([host, owner, scenario.stranger]))
        case 12: return (.sendMessage("Who has left a bid?"), host)
        default:
            return (.configureRule(ConfigureRule(rule: "bid.viewer", isEnabled: generator.once(in: 2), priority: nil)), host)
        }
    }

    /// Two histories of the same shape: each step leaves, changes or takes back one bid on the same lot.
    private func secrets(_ generator: inout SeededGenerator) -> [[Secret]] {
        func maximum() -> Int64 { generator.amount(10_000...90_000) }
        let lot = generator.roll(0...1)
        let first = generator.once(in: 2)
        return generator.pick([
            // Who, and how high.
            [[.init(isFirst: true, maximum: maximum(), lot: lot)], [.init(isFirst: false, maximum: maximum(), lot: lot)]],
            [[.init(isFirst: first, maximum: maximum(), lot: lot)], [.init(isFirst: first, maximum: maximum(), lot: lot)]],
            // In which order, and whose is changed.
            [
                [(first, 1), (!first, 2), (first, 3)].map { .init(isFirst: $0.0, maximum: maximum() + $0.1, lot: lot) },
                [(!first, 1), (first, 2), (first, 3)].map { .init(isFirst: $0.0, maximum: maximum() + $0.1, lot: lot) },
            ],
            // Whose is taken back and left again.
            [true, false].map { isFirst in
                [
                    .init(isFirst: true, maximum: maximum(), lot: lot), .init(isFirst: false, maximum: maximum(), lot: lot),
                    .init(isFirst: isFirst, maximum: nil, lot: lot), .init(isFirst: isFirst, maximum: maximum(), lot: lot),
                ]
            },
        ])
    }

    @Test func `before a lot opens, nothing that others see depends on whose bids were left on it, or how high`() throws {
        for seed in 1...max(20, RandomRuns.count(of: 200)) as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let format = generator.pick([AuctionFormatName.english, .vickrey])
            var worlds = try [World(format), World(format)]
            let secrets = secrets(&generator)
            for step in secrets[0].indices {
                for index in worlds.indices { try worlds[index].leave(secrets[index][step]) }
            }
            for _ in 0..<12 {
                let (command, person) = move(&generator, worlds[0])
                for index in worlds.indices { worlds[index].perform(command, by: person) }
                try #require(worlds[0].transcript == worlds[1].transcript, "seed \(seed): after \(command)")
            }
        }
    }

    @Test func `the public part of an absentee bid has neither a person nor an amount nor an identifier`() throws {
        var world = try World(.english)
        for maximum in [12_345, 54_321, nil] as [Int64?] {
            try world.leave(Secret(isFirst: true, maximum: maximum, lot: 0))
            let event = try #require(world.scenario.history.last)
            let stored = EventCodec.encode(event, currency: .cny, after: .zero)
            let text = String(decoding: stored.publicBytes, as: UTF8.self)
            #expect(text.hasSuffix(#""data":{"lotId":"\#(world.lots[0])","absenteeBids":\#(maximum == nil ? 0 : 1)}}"#))
            #expect(stored.privateBytes.map { String(decoding: $0, as: UTF8.self).contains("Xu") } == true)
        }
    }
}
