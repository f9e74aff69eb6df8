import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

struct FormatEventTests {
    private func rules(_ format: AuctionFormatName, _ change: (inout AuctionRules) -> Void = { _ in }) -> AuctionRules {
        var rules = AuctionRules(
            startingPrice: Money(minorUnits: 10000), increment: .fixed(Money(minorUnits: 1000)), format: format)
        change(&rules)
        return rules
    }

    /// Reads what was written, and folds it to the room that it was written of.
    @discardableResult
    private func expectReplayed(_ scene: Scenario) throws -> [StoredEvent] {
        let stored = EventCodec.encode(scene.history, currency: .cny, after: .zero)
        var room: Room?
        for (event, bytes) in zip(scene.history, stored) {
            let decoded = try EventCodec.decode(bytes, after: room)
            #expect(decoded == event)
            if room == nil { room = Room(id: scene.room.id, opening: decoded) } else { try room?.apply(decoded) }
        }
        #expect(room == scene.room)
        let last = try #require(stored.last)
        let history = LoadedHistory(
            head: RoomHead(seq: last.seq, tip: last.hash.tip), snapshot: try RoomReplay.snapshot(of: scene.room), events: [],
            hashAtSnapshot: last.hash, answers: [])
        #expect(try RoomReplay.room(scene.room.id, from: history).room == scene.room)
        return stored
    }

    private func text(_ stored: [StoredEvent]) -> String {
        stored.map { String(decoding: $0.publicBytes, as: UTF8.self) }.joined(separator: "\n")
    }

    @Test func `proxy bids, raised maxima and retractions read back, and maxima stay private`() throws {
        var scene = try Scenario.auctioning(rules(.english) { $0.reservePrice = Money(minorUnits: 40000) })
        try scene.bid(10000, upTo: 33333, by: scene.bidder)
        try scene.bid(20000, by: scene.rival)
        try scene.bid(upTo: 77777, by: scene.bidder)
        try scene.bid(50000, by: scene.rival)
        scene.wait(milliseconds: 3000)
        try scene.retractLatest()
        let shown = text(try expectReplayed(scene))
        #expect(!shown.contains("333.33"))
        #expect(!shown.contains("777.77"))
    }

    @Test func `a Dutch auction reads back at every step`() throws {
        var scene = try Scenario.auctioning(
            rules(.dutch) { ($0.floorPrice, $0.dutchTick) = (Money(minorUnits: 8500), Seconds(5)) })
        try expectReplayed(scene)
        scene.wait(milliseconds: 5000)
        try expectReplayed(scene)
        scene.wait(milliseconds: 5000)
        try scene.bid(8500, by: scene.bidder)
        try expectReplayed(scene)
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `sealed amounts and the seed stay private while the auction runs`(_ format: AuctionFormatName) throws {
        var scene = try Scenario.auctioning(rules(format) { $0.tie = .draw })
        try scene.bid(77777, by: scene.bidder)
        try scene.bid(77777, by: scene.rival)
        let seed = String(try #require(scene.room.drawSeed), radix: 16)
        let running = text(try expectReplayed(scene))
        #expect(!running.contains("777.77"))
        #expect(!running.contains(seed))
        scene.wait(milliseconds: 15000)
        #expect(text(try expectReplayed(scene)).contains(seed))
    }
}
