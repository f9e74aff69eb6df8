import EventLog
import ExactJSON
import Testing

struct WholeAuctionTests {
    @Test func `an auction goes by the clock from the start to the sale`() throws {
        let scene = try Scene()
        let clock = scene.house.clock
        try scene.upload()
        let listed = try scene.start()
        #expect(listed.text("state") == "listing")
        #expect(listed.text("endsAt") == clock.text(in: 3))
        #expect(listed.int("remainingMs") == 3000)

        try scene.letClockRun(seconds: 3)
        let opened = try scene.room()
        #expect(opened.text("state") == "auctioning")
        #expect(opened.text("endsAt") == clock.text(in: 15))
        #expect(opened.text("nextMinimum") == "100.00")
        #expect(opened.isNull("currentPrice"))

        clock.advance(seconds: 10)
        #expect(try scene.bid("100", by: scene.bidder).text("receipt.endsAt") == clock.text(in: 15))
        clock.advance(seconds: 14.999)
        let last = try scene.bid("125.50", by: scene.rival)
        #expect(last.status == 201)
        #expect(last.text("room.nextMinimum") == "135.50")
        #expect(last.text("receipt.endsAt") == clock.text(in: 15))

        try scene.letClockRun(seconds: 15)
        let closed = try scene.room()
        #expect(closed.text("state") == "closed")
        #expect(closed.text("currentPrice") == "125.50")
        #expect(closed.isNull("endsAt"))
        let types = try scene.events(after: try #require(last.int("receipt.seq"))).compactMap { $0.text("type") }
        #expect(types == ["state.changed", "message.system", "item.sold", "message.system"])
        let result = try scene.call("GET", "/results")
        #expect(result["results.0.winner"] == scene.rival.person)
        #expect(result.text("results.0.price") == "125.50")
        #expect(result.int("results.0.bids") == 2)
    }

    @Test func `the host opens early, brings the hammer down, and begins the next round`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try #require(try scene.bid("100", by: scene.bidder).status == 201)
        let ended = try scene.call("POST", "/auction/end", ["reason": "all bids are in"], by: scene.host)
        #expect(ended.status == 200)
        #expect(ended.text("state") == "closed")
        let causes = try scene.events().filter { $0.text("type") == "state.changed" }.compactMap { $0.text("data.cause") }
        #expect(causes == ["start", "start", "end"])

        let next = try scene.start()
        #expect(next.text("state") == "preparing")
        #expect(next.int("round") == 2)
        for cleared in ["item", "rules", "currentPrice", "currentBid", "nextMinimum", "endsAt"] {
            #expect(next.isNull(cleared), "\(cleared)")
        }
        #expect(try scene.events().last?.int("round") == 2)
        try scene.openBidding()
        #expect(try scene.bid("100", by: scene.bidder).int("room.round") == 2)
    }

    @Test func `a round without a bid passes`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.letClockRun(seconds: 15)
        let events = try scene.events().suffix(2)
        #expect(events.first?.text("type") == "item.passed")
        #expect(events.first?.text("data.reason") == "no_bids")
        let result = try scene.call("GET", "/results")
        #expect(result.text("results.0.result") == "passed")
        #expect(result.isNull("results.0.winner"))
    }

    @Test func `with no listing time bids are taken at once`() throws {
        let scene = try Scene()
        try scene.upload(["name": "Cup", "rules": ["startingPrice": 5, "listingSeconds": 0, "biddingSeconds": 1]])
        let started = try scene.start()
        #expect(started.text("state") == "auctioning")
        #expect(started.text("rules.increment.fixed") == "1.00")
        #expect(try scene.bid("5", by: scene.bidder).status == 201)
    }

    @Test func `a round past its end reads closing until the end is in the log, and is never sold before`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        let before = try scene.seq()
        log.shut()
        defer { log.open() }
        scene.house.clock.advance(seconds: 15)
        let room = try scene.room(as: scene.viewer)
        #expect(room.text("state") == "closing")
        #expect(room.int("remainingMs") == 0)
        #expect(room.seq == before)
        #expect(try scene.call("GET", "/results").list("results").isEmpty)
        #expect(try scene.house.call("GET", "/v1/rooms").text("rooms.0.state") == "closing")
        #expect(try scene.events(after: before).isEmpty)
        log.open()
        try eventually("the close is in the log") { try scene.state() == "closed" }
    }

    @Test func `seq has no gaps and times never go back`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        scene.house.clock.advance(seconds: -30)
        try scene.bid("110", by: scene.rival)
        let events = try scene.events()
        #expect(events.compactMap { $0.int("seq") } == Array(1...events.count))
        let times = events.compactMap { $0.text("at") }
        #expect(times == times.sorted())
    }
}
