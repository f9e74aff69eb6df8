import EventLogSQLite
import ExactJSON
import Testing

/// A server stops, and another starts on the same log file.
struct RestartTests {
    private func restarted(_ fixture: RoomFixture, _ folder: TemporaryFolder, afterSeconds seconds: Double) throws
        -> RoomFixture
    {
        fixture.server.stop()
        fixture.server.clock.advance(seconds: seconds)
        return RoomFixture(fixture, in: try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock))
    }

    @Test func `a running auction is restored unchanged, and its deadline is extended only after a long outage`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        try fixture.upload(["name": "Vase", "rules": ["startingPrice": "100", "listingSeconds": 0, "biddingSeconds": 90]])
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        let before = try fixture.room()
        let events = try fixture.events()

        // No outage: min(90 s, 60 s) from now is before the current deadline, so it is not extended.
        let back = try restarted(fixture, folder, afterSeconds: 0)
        #expect(try back.room().json == before.json)
        #expect(try back.events() == events)

        // An outage of 80 of the 90 seconds: the deadline is extended to one minute after the server is ready.
        let later = try restarted(back, folder, afterSeconds: 80)
        let moved = try later.room()
        #expect(moved.text("state") == "auctioning")
        #expect(moved.text("endsAt") == later.server.clock.text(in: 60.25))
        #expect(moved["currentBid"] == before["currentBid"])
        let last = try #require(try later.events().last)
        #expect(last.text("type") == "countdown.moved")
        #expect(last.text("data.cause") == "outage")
        #expect(last.int("data.extendedBySeconds") == 51)
        #expect(try later.bid("110", by: later.rival).status == 201)
    }

    @Test func `the first request for a room after a restart may be a command`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        // The room has no running countdown, so it is not loaded at the start; the command has to load it.
        let back = try restarted(fixture, folder, afterSeconds: 1)
        try back.upload(["name": "Vase", "rules": ["startingPrice": "100"]])
    }

    @Test func `a deadline that expired during the outage is extended instead of closing the round`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        let slow: JSONValue = ["name": "Vase", "rules": ["startingPrice": "100", "listingSeconds": 0, "biddingSeconds": 300]]
        try fixture.upload(slow)
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        let back = try restarted(fixture, folder, afterSeconds: 86400)
        #expect(try back.room().text("state") == "auctioning")
        #expect(try back.room().text("endsAt") == back.server.clock.text(in: 60.25), "60 s, though the countdown is longer")
        #expect(try back.bid("101", by: back.rival).text("receipt.endsAt") == back.server.clock.text(in: 300))
        try back.letClockRun(seconds: 300)
        #expect(try back.call("GET", "/results").text("results.0.winner.id") == back.rival.id)
    }

    @Test func `idempotency keys survive a restart, refusals are not stored`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        try fixture.openBidding()
        let key = [(name: "Idempotency-Key", value: "k")]
        let bid = try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key)
        let room = try fixture.server.call("POST", "/v1/rooms", ["name": "x"], by: fixture.host, key)
        #expect(try fixture.call("POST", "/bids", ["amount": "1"], by: fixture.rival, key).status == 422)

        let back = try restarted(fixture, folder, afterSeconds: 1)
        let again = try back.call("POST", "/bids", ["amount": "100"], by: back.bidder, key)
        #expect(again.bodyText == bid.bodyText)
        #expect(again.header("Idempotency-Replayed") == "true")
        let sameRoom = try back.server.call("POST", "/v1/rooms", ["name": "x"], by: back.host, key)
        #expect(sameRoom.bodyText == room.bodyText)
        #expect(sameRoom.header("Location") == room.header("Location"))
        #expect(try back.call("POST", "/bids", ["amount": "101"], by: back.bidder, key).code == "idempotency.key_reused")
        #expect(try back.call("POST", "/bids", ["amount": "110"], by: back.rival, key).status == 201)
    }

    @Test func `closed rounds and archived rooms stay so after a restart`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let gone = try RoomFixture(fixture.server)
        try gone.call("DELETE", by: gone.host)
        let (results, bids) = (try fixture.call("GET", "/results"), try fixture.call("GET", "/bids"))

        let back = try restarted(fixture, folder, afterSeconds: 3600)
        #expect(try back.state() == "closed")
        #expect(try back.call("GET", "/results").bodyText == results.bodyText)
        #expect(try back.call("GET", "/bids").bodyText == bids.bodyText)
        #expect(try back.server.call("GET", gone.path).status == 404)
        #expect(try back.server.call("GET", "/v1/rooms").list("rooms").count == 1)
        try back.start()
        try back.openBidding()
        #expect(try back.call("GET", "/bids?round=1").bodyText == bids.bodyText)
    }
}
