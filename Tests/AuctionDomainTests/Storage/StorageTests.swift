import AuctionDomain
import AuctionTestKit
import Testing

/// Bounds on the bytes that a room and each of its users may store in the log.
struct StorageTests {
    private func rulebook(room: Int = 0, user: Int = 0) throws -> RoomRulebook {
        try .product(limits: RoomLimits(messagesPerSecond: 0, roomBytes: room, userRoomBytes: user))
    }

    private func fill(_ scenario: inout Scenario, by person: Person) throws -> String? {
        for _ in 0..<1000 {
            if let refusal = scenario.refusal(of: .sendMessage("again and again"), by: person) { return refusal.code }
            try scenario.perform(.sendMessage("again and again"), by: person)
        }
        return nil
    }

    @Test func `every event is charged to its user and to the room, and a replay gives the same totals`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.bid(20000, by: scenario.rival)
        let storage = scenario.room.storage
        #expect(storage.bytes == scenario.history.reduce(0) { $0 + $1.body.storedBytes })
        #expect(storage.bytes(of: scenario.bidder.id) > 0)
        #expect(storage.bytes(of: scenario.stranger.id) == 0)
        var replayed = try #require(Room(id: scenario.room.id, opening: scenario.history[0]))
        for event in scenario.history.dropFirst() { try replayed.apply(event) }
        #expect(replayed.storage == storage)
    }

    @Test func `an automatic bid is not charged to its bidder`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(
            .placeBid(PlaceBid(amount: Money(minorUnits: 10000), maximum: Money(minorUnits: 90000))), by: scenario.bidder)
        let before = scenario.room.storage.bytes(of: scenario.bidder.id)
        try scenario.bid(20000, by: scenario.rival)
        #expect(scenario.room.currentBid?.bidder == scenario.bidder)
        #expect(scenario.room.storage.bytes(of: scenario.bidder.id) == before)
    }

    @Test func `messages are refused at the room's bound, bids at twice the bound, ending the round never`() throws {
        var scenario = try Scenario.auctioning(rulebook: try rulebook(room: 40_000))
        #expect(try fill(&scenario, by: scenario.viewer) == "room.storage_full")
        #expect(scenario.room.storage.bytes <= 40_000)
        var price: Int64 = 10000
        var refused: String?
        while refused == nil, price < 1_000_000 {
            let bidder = price % 2000 == 0 ? scenario.bidder : scenario.rival
            let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: price)))
            refused = scenario.refusal(of: bid, by: bidder)?.code
            if refused == nil { try scenario.perform(bid, by: bidder) }
            price += 1000
        }
        #expect(refused == "room.storage_full")
        #expect(scenario.room.storage.bytes > 75_000 && scenario.room.storage.bytes <= 80_000)
        for _ in 0..<3 {
            try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
            try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        }
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(isMuted: true)), by: scenario.host)
        let last = try #require(scenario.room.bids.latestExplicit)
        try scenario.perform(.retractBid(last.id, reason: "a mistake"), by: scenario.host)
        try scenario.perform(.kick(scenario.viewer.id), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.results.count == 1)
        #expect(scenario.refusal(of: .startAuction(AuctionTransition()), by: scenario.host)?.code == "room.storage_full")
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.perform(.archiveRoom, by: scenario.host)
    }

    @Test func `the deadline of a running round closes it in a full room`() throws {
        var scenario = try Scenario.auctioning(rulebook: try rulebook(room: 20_000))
        #expect(try fill(&scenario, by: scenario.viewer) == "room.storage_full")
        scenario.wait(milliseconds: 15000)
        #expect(scenario.room.results.count == 1)
    }

    @Test func `the bound of one user does not affect other users`() throws {
        var scenario = try Scenario.auctioning(rulebook: try rulebook(user: 20_000))
        #expect(try fill(&scenario, by: scenario.bidder) == "member.storage_full")
        let refusal = try #require(scenario.refusal(of: .sendMessage("again and again"), by: scenario.bidder))
        #expect(refusal.kind == .storageFull())
        #expect(refusal.required == "20000")
        try scenario.perform(.sendMessage("hello"), by: scenario.viewer)
        try scenario.bid(10000, by: scenario.bidder)
    }

    @Test func `absentee bids are refused at the bound of their user, and are taken back beyond it`() throws {
        var scenario = try Scenario.withLots(1, rulebook: try rulebook(user: 20_000))
        var (maximum, refused): (Int64, String?) = (10_000, nil)
        while refused == nil, maximum < 10_100 {
            let left = Command.absentee(.place(try scenario.lot("A1").id, maximum: Money(minorUnits: maximum)))
            refused = scenario.refusal(of: left, by: scenario.bidder)?.code
            if refused == nil { try scenario.perform(left, by: scenario.bidder) }
            maximum += 1
        }
        #expect(refused == "member.storage_full")
        #expect((18_000...20_000).contains(scenario.room.storage.bytes(of: scenario.bidder.id)))
        try scenario.leave(10_000, on: "A1", by: scenario.rival)
        try scenario.takeBack(from: "A1", by: scenario.bidder)
        #expect(try scenario.count(on: "A1") == 1)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `the bound of the host limits pauses, and a paused round can always be resumed`() throws {
        var scenario = try Scenario.auctioning(rulebook: try rulebook(user: 20_000))
        var refused: String?
        for _ in 0..<200 where refused == nil {
            refused = scenario.refusal(of: .pause(AuctionTransition()), by: scenario.host)?.code
            guard refused == nil else { continue }
            try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
            #expect(scenario.room.storage.bytes(of: scenario.host.id) <= 80_000)
            try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        }
        #expect(refused == "member.storage_full")
    }

    @Test func `a round of a hundred thousand bids fits by default`() {
        let person = Person(id: UserID(bits: 1), nickname: String(repeating: "竞", count: 32))
        let bid = EventBody.bidPlaced(
            BidPlaced(
                bid: BidID(bits: 1), amount: Money(minorUnits: 1), bidder: person, leading: true, nextMinimum: nil, endsAt: nil)
        )
        #expect(100_000 * bid.storedBytes < RoomLimits().roomBytes / 2)
    }
}
