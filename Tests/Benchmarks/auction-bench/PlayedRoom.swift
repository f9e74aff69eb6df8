internal import ArgumentParser
internal import AuctionDomain

/// A room whose first round is open for bids, played by the domain alone: without service, log and network.
struct PlayedRoom {
    private(set) var room: Room
    /// Events since they were last taken.
    private var events: [Event]
    private let manager: RoomManager
    private let bidders: [Person]
    private let instant: Timestamp
    private var serial: UInt64 = 0

    /// - Parameters:
    ///   - members: Users in the room, host and auctioneer included; at least four.
    ///   - bidding: How long its countdown is after each bid.
    ///   - instant: When all of it happens.
    init(id: RoomID, name: String, members: Int, bidding: Seconds = Seconds(86400), at instant: Timestamp) throws {
        self.instant = instant
        manager = try Self.manager.get()
        let people = (0..<max(4, members)).map { Person(id: UserID(bits: UInt128($0 + 1)), nickname: "Person \($0)") }
        let opened = RoomOpened(name: name, host: people[0], currency: .cny, visibility: .public, inviteCode: "code")
        let opening = Event(seq: 1, at: instant, round: 1, body: .roomOpened(opened))
        guard let room = Room(id: id, opening: opening) else { throw ExitCode.failure }
        self.room = room
        events = [opening]
        bidders = Array(people[2...])
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)), listing: Seconds(0),
            bidding: bidding)
        try perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: people[1])
        try perform(.changeMember(people[1].id, MemberChanges(role: .auctioneer)), by: people[0])
        for bidder in bidders { try perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: bidder) }
        let item = UploadItem(name: "Lot", description: "", media: [], rules: rules)
        try perform(.uploadItem(item), by: people[1])
        try perform(.auction(.start, AuctionTransition()), by: people[0])
    }

    // The same rules for all rooms.
    private static let manager = Result { RoomManager(rulebook: try .product()) }

    /// Places the lowest possible bid, by another bidder than the leading one.
    mutating func bid() throws { try perform(.placeBid(PlaceBid(amount: nextAmount)), by: nextBidder) }

    /// Ends the round.
    mutating func end() throws { try perform(.auction(.end, AuctionTransition()), by: room.host) }

    /// Decides such a bid without placing it.
    /// - Parameter variant: Makes the identifiers differ.
    func decideBid(_ variant: Int) throws -> RoomManager.Decision {
        var context = context(serial &+ UInt64(variant))
        return try manager.decide(.placeBid(PlaceBid(amount: nextAmount)), by: nextBidder, in: &context)
    }

    /// Removes and returns the events so far.
    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    private mutating func perform(_ command: Command, by person: Person) throws {
        serial += 1
        let decision = try decide(command, by: person)
        events += room.record(decision.events, at: instant)
    }

    // A function of its own, so that the context's copy of the room is gone before the room changes.
    private func decide(_ command: Command, by person: Person) throws -> RoomManager.Decision {
        var context = context(serial)
        return try manager.decide(command, by: person, in: &context)
    }

    private func context(_ seed: UInt64) -> DecisionContext {
        let identity = UInt64(truncatingIfNeeded: room.id.bits) &* 0x9E37_79B9_7F4A_7C15
        return DecisionContext(
            room: room, rulebook: manager.rulebook, instant: instant,
            identifiers: IdentifierSource(instant: instant, seed: identity &+ seed))
    }

    private var nextAmount: Money { Money(minorUnits: (room.currentPrice?.minorUnits ?? 0) + 100) }
    private var nextBidder: Person { bidders[room.bids.count % bidders.count] }
}
