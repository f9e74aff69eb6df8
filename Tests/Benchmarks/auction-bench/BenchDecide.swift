internal import ArgumentParser
internal import AuctionDomain

/// `auction-bench decide`: measures the decision of a plain bid in rooms of several sizes, without log, network and encoding.
struct BenchDecide: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide", abstract: "Measures how long deciding and folding a plain bid takes.")

    @Option(help: "Bids in the room before; several, to see whether the cost grows.") var bids = [10, 1000, 10000]
    @Option(help: "Members of the room.") var members = 1000
    @Option(help: "Decisions to measure in each room; the best of five runs counts.") var decisions = 20000

    func run() throws {
        for count in bids {
            let room = try BenchRoom(members: members, bids: count)
            let (decide, fold) = try room.measure(decisions)
            print(
                "\(members) members, \(count) bids: decide \(decide) ns a bid, decide and fold \(fold) ns a bid")
        }
    }
}

/// A room with an auction in progress.
private struct BenchRoom {
    private let manager: RoomManager
    private var room: Room
    private let bidders: [Person]
    private var instant = Timestamp(milliseconds: 1_767_225_600_000)
    private var serial: UInt64 = 0

    init(members: Int, bids: Int) throws {
        manager = RoomManager(rulebook: try .product())
        let people = (0..<max(3, members)).map { Person(id: UserID(bits: UInt128($0 + 1)), nickname: "Person \($0)") }
        let opened = RoomOpened(
            name: "Bench", host: people[0], currency: .cny, visibility: .public, inviteCode: "code")
        guard let room = Room(id: RoomID(bits: 1), opening: Event(seq: 1, at: instant, round: 1, body: .roomOpened(opened)))
        else { throw ExitCode.failure }
        self.room = room
        bidders = Array(people[2...])
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 1), increment: .fixed(Money(minorUnits: 1)), listing: Seconds(0),
            bidding: Seconds(86400))
        try perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: people[1])
        try perform(.changeMember(people[1].id, MemberChanges(role: .auctioneer)), by: people[0])
        for bidder in bidders { try perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: bidder) }
        let item = UploadItem(name: "Lot", description: "", media: [], rules: rules)
        try perform(.uploadItem(item), by: people[1])
        try perform(.startAuction(AuctionTransition()), by: people[0])
        for _ in 0..<bids { try bid() }
    }

    /// Nanoseconds per decision, without and with applying its events to the room; the best of five runs.
    func measure(_ decisions: Int) throws -> (decide: Int, fold: Int) {
        let clock = ContinuousClock()
        var best = (decide: Duration.seconds(60), fold: Duration.seconds(60))
        for _ in 0..<5 {
            let alone = try clock.measure { for index in 0..<decisions { _ = try decide(index) } }
            var copy = self
            let folding = try clock.measure { for _ in 0..<decisions { try copy.bid() } }
            best = (min(best.decide, alone), min(best.fold, folding))
        }
        return (Self.nanoseconds(best.decide, decisions), Self.nanoseconds(best.fold, decisions))
    }

    private func decide(_ index: Int) throws -> RoomManager.Decision {
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: instant,
            identifiers: IdentifierSource(instant: instant, seed: serial &+ UInt64(index)))
        let amount = Money(minorUnits: (room.currentPrice?.minorUnits ?? 0) + 1)
        return try manager.decide(.placeBid(PlaceBid(amount: amount)), by: nextBidder, in: &context)
    }

    private mutating func bid() throws {
        let amount = Money(minorUnits: (room.currentPrice?.minorUnits ?? 0) + 1)
        try perform(.placeBid(PlaceBid(amount: amount)), by: nextBidder)
    }

    private mutating func perform(_ command: Command, by person: Person) throws {
        serial += 1
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: instant,
            identifiers: IdentifierSource(instant: instant, seed: serial))
        let decision = try manager.decide(command, by: person, in: &context)
        _ = room.record(decision.events, at: instant)
    }

    /// The next bidder in turn, who is never the leading one.
    private var nextBidder: Person { bidders[room.bids.count % bidders.count] }

    private static func nanoseconds(_ duration: Duration, _ count: Int) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
    }
}
