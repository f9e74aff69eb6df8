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

    /// Encodes the history, and expects decoding and replay to produce the same events and the same room.
    @discardableResult
    private func expectReplayed(_ scenario: Scenario) throws -> [StoredEvent] {
        let stored = try scenario.expectDecoded()
        let last = try #require(stored.last)
        let history = LoadedHistory(
            head: RoomHead(seq: last.seq, headHash: last.hash.headHash), snapshot: try RoomReplay.snapshot(of: scenario.room),
            events: [],
            hashAtSnapshot: last.hash, responses: [])
        #expect(try RoomReplay.room(scenario.room.id, from: history).room == scenario.room)
        return stored
    }

    private func text(_ stored: [StoredEvent]) -> String {
        stored.map { String(decoding: $0.publicBytes, as: UTF8.self) }.joined(separator: "\n")
    }

    @Test func `proxy bids, raised maxima and retractions read back, and maxima stay private`() throws {
        var scenario = try Scenario.auctioning(rules(.english) { $0.reservePrice = Money(minorUnits: 40000) })
        try scenario.bid(10000, upTo: 33333, by: scenario.bidder)
        try scenario.bid(20000, by: scenario.rival)
        try scenario.bid(upTo: 77777, by: scenario.bidder)
        try scenario.bid(50000, by: scenario.rival)
        scenario.wait(milliseconds: 3000)
        try scenario.retractLatest()
        let shown = text(try expectReplayed(scenario))
        #expect(!shown.contains("333.33"))
        #expect(!shown.contains("777.77"))
    }

    @Test func `a Dutch auction reads back at every step`() throws {
        var scenario = try Scenario.auctioning(
            rules(.dutch) { ($0.floorPrice, $0.dutchTick) = (Money(minorUnits: 8500), Seconds(5)) })
        try expectReplayed(scenario)
        scenario.wait(milliseconds: 5000)
        try expectReplayed(scenario)
        scenario.wait(milliseconds: 5000)
        try scenario.bid(8500, by: scenario.bidder)
        try expectReplayed(scenario)
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `sealed amounts and the seed stay private while the auction runs`(_ format: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(rules(format) { $0.tie = .draw })
        try scenario.bid(77777, by: scenario.bidder)
        try scenario.bid(77777, by: scenario.rival)
        let seed = String(try #require(scenario.room.drawSeed).bits, radix: 16)
        let running = text(try expectReplayed(scenario))
        #expect(!running.contains("777.77"))
        #expect(!running.contains(seed))
        scenario.wait(milliseconds: 15000)
        #expect(text(try expectReplayed(scenario)).contains(seed))
    }
}
