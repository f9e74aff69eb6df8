internal import ArgumentParser
internal import AuctionDomain
internal import AuctionTestKit

/// A listed lot on which ten thousand bidders have left a bid.
struct CrowdedLot {
    private static let bids = 10_000
    private static let longest = Duration.milliseconds(50)
    private let scenario: Scenario

    init() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: nil)), by: scenario.auctioneer)
        guard case .lotQueued(let lot)? = scenario.lastOutcome else { throw ScenarioError() }
        for number in 1...Self.bids {
            // Neither ids nor amounts are in an order that would help.
            let mixed = number * 7919 % Self.bids
            let bidder = Person(id: UserID(bits: UInt128(1000 + mixed)), nickname: "Bidder \(mixed)")
            scenario.given(.memberJoined(bidder, role: .bidder))
            scenario.given(
                .lotBidsChanged(
                    LotBidsChanged(
                        lot: lot, absenteeBids: number, bidder: bidder, bid: BidID(bits: UInt128(number)),
                        maximum: Money(minorUnits: 10_000 + Int64(mixed * 3)))))
        }
        try scenario.perform(.auction(.start, AuctionTransition()), by: scenario.host)
        self.scenario = scenario
    }

    /// Opens the bidding a number of times, each time in the same room: decides, and folds the events.
    func open(_ count: Int) throws {
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<count {
            var room = scenario.room
            var context = DecisionContext(
                room: room, rulebook: scenario.rulebook, instant: scenario.instant,
                identifiers: IdentifierSource(instant: scenario.instant, seed: UInt64(number)))
            let start = Command.auction(.start, AuctionTransition())
            let decision = try scenario.manager.decide(start, by: scenario.host, in: &context)
            _ = room.record(decision.events, at: scenario.instant)
            guard room.bids.count == 2 else { throw ValidationError("the opening has \(room.bids.count) bids, not two") }
        }
        let each = start.duration(to: clock.now) / max(1, count)
        print("\(Self.bids) bids that were left on a lot: its opening takes \(each)")
        guard each <= Self.longest else { throw ValidationError("more than \(Self.longest)") }
    }
}
