import AuctionDomain
import AuctionTestKit
import Testing

/// A random auction, command by command, through the same door as the product's.
struct Play {
    var scene: Scenario
    var dice: Dice
    let seed: UInt64
    let people: [Person]
    /// What the last step did; empty if it was refused.
    private(set) var events: [EventBody] = []

    /// A room with members, made once: a rulebook is dear.
    private static let lobby: Scenario? = {
        guard var scene = try? Scenario.withMembers() else { return nil }
        for person in [person(7), person(8)] {
            _ = try? scene.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        return scene
    }()

    private static func person(_ number: UInt128) -> Person { Person(id: UserID(bits: number), nickname: "Bidder \(number)") }

    init(seed: UInt64, _ rules: (inout Dice) -> AuctionRules) throws {
        var dice = Dice(seed: seed)
        var scene = try #require(Self.lobby)
        try scene.perform(.uploadItem(Scenario.item(rules(&dice))), by: scene.auctioneer)
        try scene.perform(.startAuction(Advance()), by: scene.host)
        try scene.perform(.startAuction(Advance()), by: scene.host)
        people = [scene.bidder, scene.rival, Self.person(7), Self.person(8)]
        (self.scene, self.dice, self.seed) = (scene, dice, seed)
    }

    var isOver: Bool { scene.room.state == .closed || scene.room.state == .preparing }

    var leader: Int? { scene.room.currentBid.flatMap { bid in people.firstIndex { $0.id == bid.bidder.id } } }

    /// Carries a command out.
    /// - Returns: the code of its refusal; nil if it was carried out.
    mutating func perform(_ command: Command, by person: Person) -> String? {
        do throws(Refusal) {
            events = try scene.perform(command, by: person)
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

    /// Something that is no bid: time, a pause, an outage, an end, or nonsense.
    mutating func disturb() {
        events = []
        switch dice.roll(1...8) {
        case 1...4: events = scene.wait(milliseconds: Int64(dice.roll(0...6000)))
        case 5: _ = perform(.pause(Advance()), by: scene.host)
        case 6: _ = perform(.resume(Advance()), by: scene.host)
        case 7:
            scene.skip(milliseconds: Int64(dice.roll(0...30000)))
            events = scene.serviceReturns()
        default:
            if dice.once(in: 4) {
                _ = perform(dice.once(in: 2) ? .endAuction(Advance()) : .cancel(Advance(reason: "Rain.")), by: scene.host)
            }
        }
    }

    /// What holds whatever the format: the events make the room, and the end of the round is bounded as agreed.
    func expectSound() throws {
        let replayed = try scene.replayed()
        #expect(replayed == scene.room, "seed \(seed): the events make another room")
    }
}

/// So many random auctions per property; `AUCTION_PROPERTY_RUNS` asks for more.
enum PropertyRuns {
    static let count: UInt64 = ProcessEnvironment.number("AUCTION_PROPERTY_RUNS") ?? 1500
}
