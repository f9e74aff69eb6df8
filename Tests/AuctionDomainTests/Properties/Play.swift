import AuctionDomain
import AuctionTestKit
import Testing

/// A random auction, driven by commands through the public entry point of the product.
struct RandomAuction {
    var scene: Scenario
    var generator: SeededGenerator
    let seed: UInt64
    let people: [Person]
    /// Events of the last step; empty if it was refused.
    private(set) var events: [EventBody] = []

    /// A room with members, built once because building a rulebook is expensive.
    private static let lobby: Scenario? = {
        guard var scene = try? Scenario.withMembers() else { return nil }
        for person in [person(7), person(8)] {
            _ = try? scene.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        return scene
    }()

    private static func person(_ number: UInt128) -> Person { Person(id: UserID(bits: number), nickname: "Bidder \(number)") }

    init(seed: UInt64, _ rules: (inout SeededGenerator) -> AuctionRules) throws {
        var generator = SeededGenerator(seed: seed)
        var scene = try #require(Self.lobby)
        try scene.perform(.uploadItem(Scenario.item(rules(&generator))), by: scene.auctioneer)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        try scene.perform(.startAuction(AuctionTransition()), by: scene.host)
        people = [scene.bidder, scene.rival, Self.person(7), Self.person(8)]
        (self.scene, self.generator, self.seed) = (scene, generator, seed)
    }

    var isOver: Bool { scene.room.state == .closed || scene.room.state == .preparing }

    var leader: Int? { scene.room.currentBid.flatMap { bid in people.firstIndex { $0.id == bid.bidder.id } } }

    /// Performs a command.
    /// - Returns: the code of the refusal; nil if the command was accepted.
    mutating func perform(_ command: Command, by person: Person) -> String? {
        do throws(Refusal) {
            events = try scene.perform(command, by: person)
            if case .placeBid = command { expectSoundOutcome() }
            return nil
        } catch {
            events = []
            return error.code
        }
    }

    mutating func bid(_ who: Int, _ amount: Int64?, _ maximum: Int64? = nil) -> String? {
        let bid = PlaceBid(
            amount: amount.map { Money(minorUnits: $0) }, maximum: maximum.map { Money(minorUnits: $0) })
        return perform(.placeBid(bid), by: people[who])
    }

    mutating func retract() -> String? {
        guard let latest = scene.room.bids.latestExplicit else { return "none" }
        return perform(.retractBid(latest.id, reason: "A slip."), by: scene.host)
    }

    /// A random step other than a bid: time passing, a pause, a resume, an outage, an end or a cancellation.
    mutating func disturb() {
        events = []
        switch generator.roll(1...8) {
        case 1...4: events = scene.wait(milliseconds: Int64(generator.roll(0...6000)))
        case 5: _ = perform(.pause(AuctionTransition()), by: scene.host)
        case 6: _ = perform(.resume(AuctionTransition()), by: scene.host)
        case 7:
            scene.skip(milliseconds: Int64(generator.roll(0...30000)))
            events = scene.serviceReturns()
        default:
            if generator.once(in: 4) {
                _ = perform(
                    generator.once(in: 2) ? .endAuction(AuctionTransition()) : .cancel(AuctionTransition(reason: "Rain.")),
                    by: scene.host)
            }
        }
    }

    /// Invariant of every format: the outcome of a bid has the bid and the next minimum that the room has.
    private func expectSoundOutcome() {
        guard case .bidPlaced(let bid, let nextMinimum)? = scene.lastOutcome else {
            Issue.record("seed \(seed): a bid without its outcome")
            return
        }
        #expect(scene.room.bids.all.last { $0.id == bid.id } == bid, "seed \(seed): the room has another bid")
        #expect(nextMinimum == scene.rulebook.nextMinimum(in: scene.room, for: bid.bidder.id), "seed \(seed): next minimum")
    }

    /// Invariant of every format: replaying the events gives the same room.
    func expectSound() throws {
        let replayed = try scene.replayed()
        #expect(replayed == scene.room, "seed \(seed): the events make another room")
    }
}

/// Number of random auctions per property; the environment variable `AUCTION_PROPERTY_RUNS` overrides it.
enum PropertyRuns {
    static let count: UInt64 = ProcessEnvironment.number("AUCTION_PROPERTY_RUNS") ?? 1500
}
