import ExactJSON
import Testing

/// "Going once", "going twice".
struct WarningTests {
    @Test func `the room shows a warning until the next bid, and the countdown goes on`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        fixture.server.clock.advance(seconds: 5)
        let before = try fixture.room()
        #expect(before.int("warning") == 0)
        for level in 1...2 {
            let warned = try fixture.call(
                "POST", "/auction/warn", ["level": .number(String(level)), "expectedRound": 1], by: fixture.host)
            #expect(warned.status == 200)
            #expect(warned.int("warning") == level)
            #expect(warned.text("endsAt") == before.text("endsAt"))
            #expect(try fixture.room().int("warning") == level)
        }
        let given = try fixture.events().filter { $0.text("type") == "warning.given" }
        #expect(given.map { $0.int("data.level") } == [1, 2])
        try fixture.bid("110", by: fixture.rival)
        #expect(try fixture.room().int("warning") == 0)
    }

    @Test func `a repeated level changes nothing`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let first = try fixture.call("POST", "/auction/warn", ["level": 1], by: fixture.host)
        let again = try fixture.call("POST", "/auction/warn", ["level": 1], by: fixture.host)
        #expect(again.status == 200)
        #expect(again.int("seq") == first.int("seq"))
    }

    @Test func `every refusal of a warning has its code`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let early = try fixture.call("POST", "/auction/warn", ["level": 1], by: fixture.host)
        #expect(early.status == 409)
        #expect(early.code == "warn.not_auctioning")
        try fixture.start()
        try fixture.start()
        for user in [fixture.owner, fixture.bidder] {
            let response = try fixture.call("POST", "/auction/warn", ["level": 1], by: user)
            #expect(response.status == 403)
            #expect(response.code == "warn.not_host")
        }
        let bodies: [JSONValue] = [[:], ["level": 0], ["level": 3], ["level": "1"], ["level": .number("1.5")]]
        for body in bodies {
            let response = try fixture.call("POST", "/auction/warn", body, by: fixture.host)
            #expect(response.status == 400)
            #expect(response.text("field") == "level")
        }
        #expect(
            try fixture.call("POST", "/auction/warn", ["level": 1, "reason": "x"], by: fixture.host).code
                == "request.unknown_field")
        let late = try fixture.call("POST", "/auction/warn", ["level": 1, "expectedRound": 2], by: fixture.host)
        #expect(late.status == 409)
        #expect(late.code == "auction.state_changed")
    }
}
