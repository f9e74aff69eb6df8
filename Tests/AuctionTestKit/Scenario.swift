package import AuctionDomain
internal import AuctionService

/// A room for given/when/then tests: given a history, when a person sends a command, then these events follow.
package struct Scenario: Sendable {
    /// The domain under test.
    package let manager: RoomManager
    /// The room after `history`.
    package private(set) var room: Room
    /// All events in order.
    package private(set) var history: [Event]
    /// Outcome of the last accepted command.
    package private(set) var lastOutcome: CommandOutcome?
    /// Current time of the scenario.
    package private(set) var instant: Timestamp
    private var seed: UInt64 = 1

    /// The host, who opened the room.
    package let host = Self.person(1, "Hana")
    /// Becomes an auctioneer in `withMembers`.
    package let auctioneer = Self.person(2, "Anna")
    /// Becomes a bidder in `withMembers`.
    package let bidder = Self.person(3, "Xu")
    /// Becomes the second bidder in `withMembers`.
    package let rival = Self.person(4, "Yves")
    /// Becomes a viewer in `withMembers`.
    package let viewer = Self.person(5, "Vera")
    /// Never joins by itself.
    package let stranger = Self.person(6, "Stan")

    /// The rulebook of `manager`.
    package var rulebook: RoomRulebook { manager.rulebook }

    /// A room that its host has just opened.
    package init(rulebook: RoomRulebook? = nil, visibility: Visibility = .public) throws {
        manager = RoomManager(rulebook: try rulebook ?? .product())
        instant = TestClock().now().wall
        let opening = Event(
            seq: 1, at: instant, round: 1,
            body: .roomOpened(
                RoomOpened(name: "Tonight", host: host, currency: .cny, visibility: visibility, inviteCode: "letmein")))
        guard let room = Room(id: RoomID(bits: 7), opening: opening) else { throw ScenarioError() }
        self.room = room
        history = [opening]
    }

    /// A room with an auctioneer, two bidders and a viewer.
    package static func withMembers(rulebook: RoomRulebook? = nil) throws -> Scenario {
        var scenario = try Scenario(rulebook: rulebook)
        try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: scenario.auctioneer)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.bidder)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.rival)
        try scenario.perform(.join(JoinRoom(role: .viewer, inviteCode: nil)), by: scenario.viewer)
        return scenario
    }

    /// The same with an item uploaded.
    package static func withItem(
        _ rules: AuctionRules? = nil, rulebook: RoomRulebook? = nil
    ) throws -> Scenario {
        var scenario = try Scenario.withMembers(rulebook: rulebook)
        try scenario.perform(.uploadItem(Self.item(rules ?? scenario.rules())), by: scenario.auctioneer)
        return scenario
    }

    /// The same with bidding open.
    package static func auctioning(
        _ rules: AuctionRules? = nil, rulebook: RoomRulebook? = nil
    ) throws -> Scenario {
        var scenario = try Scenario.withItem(rules, rulebook: rulebook)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        return scenario
    }

    /// Starting price 100.00, increment 10.00, three seconds of listing, fifteen of bidding.
    package func rules() -> AuctionRules {
        AuctionRules(startingPrice: Money(minorUnits: 10000), increment: .fixed(Money(minorUnits: 1000)))
    }

    /// An item with fixed texts and these rules.
    package static func item(_ rules: AuctionRules) -> UploadItem {
        UploadItem(name: "Phone number 13888888888", description: "", media: [], rules: rules)
    }

    /// Executes a command and records its events, or throws the refusal.
    @discardableResult
    package mutating func perform(_ command: Command, by person: Person) throws(Refusal) -> [EventBody] {
        var context = context()
        let decision = try manager.decide(command, by: person, in: &context)
        lastOutcome = decision.outcome
        return record(decision.events)
    }

    /// The refusal of a command; nil if it is accepted. Nothing is recorded.
    package func refusal(of command: Command, by person: Person) -> Refusal? {
        var scenario = self
        do throws(Refusal) {
            try scenario.perform(command, by: person)
            return nil
        } catch {
            return error
        }
    }

    /// A bid in minor units.
    @discardableResult
    package mutating func bid(_ minorUnits: Int64, by person: Person, round: Int? = nil) throws(Refusal) -> [EventBody] {
        try perform(.placeBid(PlaceBid(amount: Money(minorUnits: minorUnits), round: round)), by: person)
    }

    /// A proxy bid in minor units: the server bids up to `maximum`, opening at `minorUnits` or at the next minimum.
    @discardableResult
    package mutating func bid(
        _ minorUnits: Int64? = nil, upTo maximum: Int64, by person: Person
    ) throws(Refusal) -> [EventBody] {
        let amount = minorUnits.map { Money(minorUnits: $0) }
        return try perform(.placeBid(PlaceBid(amount: amount, maximum: Money(minorUnits: maximum))), by: person)
    }

    /// Records an event directly, without a command and its checks.
    @discardableResult
    package mutating func given(_ body: EventBody) -> [EventBody] { record([body]) }

    /// The host retracts the latest explicit bid.
    @discardableResult
    package mutating func retractLatest() throws -> [EventBody] {
        guard let latest = room.bids.latestExplicit else { throw ScenarioError() }
        return try perform(.retractBid(latest.id, reason: "A slip."), by: host)
    }

    /// The room replayed from the history.
    package func replayed() throws -> Room {
        guard var room = Room(id: room.id, opening: history[0]) else { throw ScenarioError() }
        for event in history.dropFirst() { try room.apply(event) }
        return room
    }

    /// Lets time pass, and handles every deadline that expires within it.
    @discardableResult
    package mutating func wait(milliseconds: Int64) -> [EventBody] {
        let end = Timestamp(milliseconds: instant.milliseconds + milliseconds)
        var events: [EventBody] = []
        while let due = room.dueAt, due <= end {
            instant = max(due, instant)
            var context = context()
            let ended = manager.timerFired(in: &context)
            if ended.isEmpty { break }
            events += record(ended)
        }
        instant = end
        return events
    }

    /// Lets time pass without handling deadlines, as during an outage.
    package mutating func skip(milliseconds: Int64) {
        instant = Timestamp(milliseconds: instant.milliseconds + milliseconds)
    }

    /// The service restarts now after an outage.
    @discardableResult
    package mutating func serviceReturns() -> [EventBody] {
        var context = context()
        return record(manager.serviceReturned(ready: instant, cause: .outage, in: &context))
    }

    private func context() -> DecisionContext {
        DecisionContext(
            room: room, rulebook: manager.rulebook, instant: instant,
            identifiers: IdentifierSource(instant: instant, seed: seed, drawSeed: DrawSeed(bits: SeededGenerator.wide(seed))))
    }

    private mutating func record(_ bodies: [EventBody]) -> [EventBody] {
        seed += 1
        history += room.record(bodies, at: instant)
        return bodies
    }

    static func person(_ number: UInt128, _ nickname: String) -> Person {
        Person(id: UserID(bits: number), nickname: nickname)
    }
}

/// A scenario cannot be set up: a defect of the scenario, not of the product.
package struct ScenarioError: Error {
    package init() {}
}
