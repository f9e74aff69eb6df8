import AuctionDomain
import AuctionTestKit
import TestSupport
import Testing

/// A random auction, driven by commands through the public entry point of the product.
struct RandomAuction {
    var scenario: Scenario
    var generator: SeededGenerator
    let seed: UInt64
    let people: [Person]
    /// Events of the last step; empty if it was refused.
    private(set) var events: [EventBody] = []

    /// A room with members, built once because building a rulebook is expensive.
    private static let lobby: Scenario? = {
        guard var scenario = try? Scenario.withMembers() else { return nil }
        for person in [person(7), person(8)] {
            _ = try? scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        return scenario
    }()

    private static func person(_ number: UInt128) -> Person { Person(id: UserID(bits: number), nickname: "Bidder \(number)") }

    init(seed: UInt64, _ rules: (inout SeededGenerator) -> AuctionRules) throws {
        var generator = SeededGenerator(seed: seed)
        var scenario = try #require(Self.lobby)
        try scenario.perform(.uploadItem(Scenario.item(rules(&generator))), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        people = [scenario.bidder, scenario.rival, Self.person(7), Self.person(8)]
        (self.scenario, self.generator, self.seed) = (scenario, generator, seed)
    }

    var isOver: Bool { scenario.room.state == .closed || scenario.room.state == .preparing }

    var leader: Int? { scenario.room.currentBid.flatMap { bid in people.firstIndex { $0.id == bid.bidder.id } } }

    /// Performs a command.
    /// - Returns: the code of the refusal; nil if the command was accepted.
    mutating func perform(_ command: Command, by person: Person) -> String? {
        do throws(Refusal) {
            events = try scenario.perform(command, by: person)
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
        guard let latest = scenario.room.bids.latestExplicit else { return "none" }
        return perform(.retractBid(latest.id, reason: "A slip."), by: scenario.host)
    }

    /// Bans the bidder of one of the explicit bids.
    /// - Returns: the bid's number from 0, and its id; nil if there is none.
    mutating func ban() -> (number: Int, bid: BidID)? {
        let explicit = scenario.room.bids.all.filter { !$0.automatic }
        guard !explicit.isEmpty else { return nil }
        let number = generator.roll(0...explicit.count - 1)
        _ = perform(.changeMember(explicit[number].bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        return (number, explicit[number].id)
    }

    /// Lifts the ban of all bidders.
    mutating func liftBans() {
        for person in people { _ = perform(.changeMember(person.id, MemberChanges(isBanned: false)), by: scenario.host) }
    }

    /// A random step other than a bid: time passing, a pause, a resume, an outage, an end or a cancellation.
    mutating func disturb() {
        events = []
        switch generator.roll(1...8) {
        case 1...4: events = scenario.wait(milliseconds: Int64(generator.roll(0...6000)))
        case 5: _ = perform(.pause(AuctionTransition()), by: scenario.host)
        case 6: _ = perform(.resume(AuctionTransition()), by: scenario.host)
        case 7:
            scenario.skip(milliseconds: Int64(generator.roll(0...30000)))
            events = scenario.serviceReturns()
        default:
            if generator.once(in: 4) {
                _ = perform(
                    generator.once(in: 2) ? .endAuction(AuctionTransition()) : .cancel(AuctionTransition(reason: "Rain.")),
                    by: scenario.host)
            }
        }
    }

    /// Invariant of every format: the outcome of a bid has the bid and the next minimum that the room has.
    private func expectSoundOutcome() {
        guard case .bidPlaced(let bid, let nextMinimum)? = scenario.lastOutcome else {
            Issue.record("seed \(seed): a bid without its outcome")
            return
        }
        #expect(scenario.room.bids.all.last { $0.id == bid.id } == bid, "seed \(seed): the room has another bid")
        #expect(
            nextMinimum == scenario.rulebook.nextMinimum(in: scenario.room, for: bid.bidder.id), "seed \(seed): next minimum")
    }

    /// Invariant of every format: replaying the events gives the same room.
    func expectSound() throws {
        let replayed = try scenario.replayed()
        #expect(replayed == scenario.room, "seed \(seed): the events make another room")
    }
}

/// Number of random auctions per property.
enum PropertyRuns {
    static let count = max(20, RandomRuns.count(of: 1500))
}
