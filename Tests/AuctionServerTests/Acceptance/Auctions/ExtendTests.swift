import ExactJSON
import Testing

/// The host gives a running round more time.
struct ExtendTests {
    @Test func `the host adds seconds, everyone sees the new deadline, and a repeat with the key adds none`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        for _ in 0..<2 {
            let extended = try fixture.call(
                "POST", "/auction/extend", ["seconds": 30, "expectedState": "auctioning", "expectedRound": 1], by: fixture.host,
                [("Idempotency-Key", "more")])
            #expect(extended.status == 200)
            #expect(extended.int("remainingMs") == 45000)
        }
        #expect(try fixture.room(as: fixture.viewer).int("remainingMs") == 45000)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "countdown.moved")
        #expect(event.text("data.cause") == "host")
        #expect(event.int("data.extendedBySeconds") == 30)
        fixture.server.clock.advance(seconds: 44)
        #expect(try fixture.bid("110", by: fixture.rival).status == 201)
    }

    @Test func `too much time is refused with what is left, and nothing moves`() throws {
        let fixture = try RoomFixture()
        try fixture.upload(["name": "Vase", "rules": ["startingPrice": "1", "maxDurationSeconds": 20, "listingSeconds": 0]])
        try fixture.start()
        let seq = try fixture.seq()
        let refused = try fixture.call("POST", "/auction/extend", ["seconds": 6], by: fixture.host)
        #expect(refused.status == 409)
        #expect(refused.code == "extend.too_long")
        #expect([refused.text("required"), refused.text("actual")] == ["5", "6"])
        for seconds in [0, -1, 3601] as [JSONValue] + ["1"] {
            let malformed = try fixture.call("POST", "/auction/extend", ["seconds": seconds], by: fixture.host)
            #expect(malformed.status == 400 && malformed.text("field") == "seconds")
        }
        #expect(try fixture.seq() == seq)
    }
}
