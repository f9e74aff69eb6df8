import AuctionTestKit
import EventLog
import ExactJSON
import Testing

struct WholeAuctionTests {
    @Test func `the reason of each of the host's commands is in the event`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        for (number, verb) in ["start", "start", "pause", "resume", "end", "start"].enumerated() {
            let body: JSONValue = ["reason": .string("reason \(number)")]
            #expect(try fixture.call("POST", "/auction/\(verb)", body, by: fixture.host).status == 200)
        }
        let reasons = try fixture.events().filter { $0.text("type") == "state.changed" }.map { $0.text("data.reason") }
        #expect(reasons == (0..<6).map { "reason \($0)" })
    }

    @Test func `an auction runs by its deadlines from the start to the sale`() throws {
        let fixture = try RoomFixture()
        let clock = fixture.server.clock
        try fixture.upload()
        let listed = try fixture.start()
        #expect(listed.text("state") == "listing")
        #expect(listed.text("endsAt") == clock.text(in: 3))
        #expect(listed.int("remainingMs") == 3000)

        try fixture.letClockRun(seconds: 3)
        let opened = try fixture.room()
        #expect(opened.text("state") == "auctioning")
        #expect(opened.text("endsAt") == clock.text(in: 15))
        #expect(opened.text("nextMinimum") == "100.00")
        #expect(opened.isNull("currentPrice"))

        clock.advance(seconds: 10)
        #expect(try fixture.bid("100", by: fixture.bidder).text("receipt.endsAt") == clock.text(in: 15))
        clock.advance(seconds: 14.999)
        let last = try fixture.bid("125.50", by: fixture.rival)
        #expect(last.status == 201)
        #expect(last.text("room.nextMinimum") == "135.50")
        #expect(last.text("receipt.endsAt") == clock.text(in: 15))

        try fixture.letClockRun(seconds: 15)
        let closed = try fixture.room()
        #expect(closed.text("state") == "closed")
        #expect(closed.text("currentPrice") == "125.50")
        #expect(closed.isNull("endsAt"))
        let types = try fixture.events(after: try #require(last.int("receipt.seq"))).compactMap { $0.text("type") }
        #expect(types == ["state.changed", "message.system", "item.sold", "message.system"])
        let result = try fixture.call("GET", "/results")
        #expect(result["results.0.winner"] == fixture.rival.person)
        #expect(result.text("results.0.price") == "125.50")
        #expect(result.int("results.0.bids") == 2)
    }

    @Test func `the host opens bidding early, ends the round and starts the next one`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: fixture.bidder).status == 201)
        let ended = try fixture.call("POST", "/auction/end", ["reason": "all bids are in"], by: fixture.host)
        #expect(ended.status == 200)
        #expect(ended.text("state") == "closed")
        let causes = try fixture.events().filter { $0.text("type") == "state.changed" }.compactMap { $0.text("data.cause") }
        #expect(causes == ["start", "start", "end"])

        let next = try fixture.start()
        #expect(next.text("state") == "preparing")
        #expect(next.int("round") == 2)
        for cleared in ["item", "rules", "currentPrice", "currentBid", "nextMinimum", "endsAt"] {
            #expect(next.isNull(cleared), "\(cleared)")
        }
        #expect(try fixture.events().last?.int("round") == 2)
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.bidder).int("room.round") == 2)
    }

    @Test func `an item without a bid is passed`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.letClockRun(seconds: 15)
        let events = try fixture.events().suffix(2)
        #expect(events.first?.text("type") == "item.passed")
        #expect(events.first?.text("data.reason") == "no_bids")
        let result = try fixture.call("GET", "/results")
        #expect(result.text("results.0.result") == "passed")
        #expect(result.isNull("results.0.winner"))
    }

    @Test func `without a listing time bids are accepted at once`() throws {
        let fixture = try RoomFixture()
        try fixture.upload(["name": "Cup", "rules": ["startingPrice": 5, "listingSeconds": 0, "biddingSeconds": 1]])
        let started = try fixture.start()
        #expect(started.text("state") == "auctioning")
        #expect(started.text("rules.increment.fixed") == "1.00")
        #expect(try fixture.bid("5", by: fixture.bidder).status == 201)
    }

    @Test func `a round past its deadline is shown as closing until the close is committed`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let before = try fixture.seq()
        log.commits.shut()
        defer { log.commits.open() }
        fixture.server.clock.advance(seconds: 15)
        let room = try fixture.room(as: fixture.viewer)
        #expect(room.text("state") == "closing")
        #expect(room.int("remainingMs") == 0)
        #expect(room.seq == before)
        #expect(try fixture.call("GET", "/results").list("results").isEmpty)
        #expect(try fixture.server.call("GET", "/v1/rooms").text("rooms.0.state") == "closing")
        #expect(try fixture.events(after: before).isEmpty)
        log.commits.open()
        try eventually("the close is committed") { try fixture.state() == "closed" }
    }

    @Test func `seq has no gaps and times never decrease`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        fixture.server.clock.advance(seconds: -30)
        try fixture.bid("110", by: fixture.rival)
        let events = try fixture.events()
        #expect(events.compactMap { $0.int("seq") } == Array(1...events.count))
        let times = events.compactMap { $0.text("at") }
        #expect(times == times.sorted())
    }
}
