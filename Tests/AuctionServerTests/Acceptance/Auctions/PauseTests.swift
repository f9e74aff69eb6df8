import ExactJSON
import Testing

/// The host pauses, resumes or cancels a round.
struct PauseTests {
    @Test func `a paused round resumes with its remaining time`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        fixture.server.clock.advance(seconds: 5)
        let paused = try fixture.call("POST", "/auction/pause", ["reason": "a break"], by: fixture.host)
        #expect(paused.status == 200)
        #expect(paused.text("state") == "paused")
        #expect(paused.isNull("endsAt"))
        #expect(paused.int("remainingMs") == 10000)
        #expect(paused.text("currentPrice") == "100.00")
        let refused = try fixture.bid("110", by: fixture.rival)
        #expect(refused.code == "bid.not_auctioning")
        #expect(refused.text("permission.actual") == "paused")
        fixture.server.clock.advance(seconds: 3600)
        #expect(try fixture.state() == "paused", "no deadline expires while paused")
        let later = try fixture.room()
        #expect(later.isNull("endsAt") && later.isNull("nextDropAt") && later.int("remainingMs") == 10000)
        let resumed = try fixture.call("POST", "/auction/resume", ["expectedState": "paused"], by: fixture.host)
        #expect(resumed.text("state") == "auctioning")
        #expect(resumed.int("remainingMs") == 10000)
        #expect(try fixture.bid("110", by: fixture.rival).status == 201)
        let changes = try fixture.events().filter { $0.text("type") == "state.changed" }.suffix(2)
        #expect(changes.map { $0.text("data.cause") } == ["pause", "resume"])
        #expect(changes.first?.text("data.reason") == "a break")
    }

    @Test func `a resumed round has at least five seconds left`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        fixture.server.clock.advance(seconds: 14)
        try fixture.call("POST", "/auction/pause", by: fixture.host)
        #expect(try fixture.call("POST", "/auction/resume", by: fixture.host).int("remainingMs") == 5000)
    }

    @Test func `only the host pauses, resumes and cancels, each only in its states`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        for (step, rule) in [("pause", "pause.not_running"), ("resume", "resume.not_paused"), ("cancel", "cancel.not_running")]
        {
            let response = try fixture.call("POST", "/auction/\(step)", ["reason": "because"], by: fixture.host)
            #expect(response.status == 409)
            #expect(response.code == rule)
        }
        try fixture.start()
        for (step, rule) in [("pause", "pause.not_host"), ("cancel", "cancel.not_host")] {
            let response = try fixture.call("POST", "/auction/\(step)", ["reason": "because"], by: fixture.owner)
            #expect(response.status == 403)
            #expect(response.code == rule)
        }
        try fixture.call("POST", "/auction/pause", by: fixture.host)
        #expect(try fixture.call("POST", "/auction/resume", by: fixture.owner).code == "resume.not_host")
        #expect(try fixture.call("POST", "/auction/resume", by: fixture.host).text("state") == "listing")
    }

    @Test func `a round without bids is cancelled with a reason and keeps its item`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bodies: [JSONValue] = [[:], ["reason": ""], ["reason": " \n "], ["reason": nil]]
        for body in bodies {
            let response = try fixture.call("POST", "/auction/cancel", body, by: fixture.host)
            #expect(response.status == 400)
            #expect(response.text("field") == "reason")
        }
        let cancelled = try fixture.call("POST", "/auction/cancel", ["reason": "the wrong pot"], by: fixture.host)
        #expect(cancelled.status == 200)
        #expect(cancelled.text("state") == "preparing")
        #expect(cancelled.int("round") == 1)
        #expect(cancelled.text("item.name") == "Teapot")
        #expect(try fixture.call("GET", "/results").list("results").isEmpty)
        try fixture.start()
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        let refused = try fixture.call("POST", "/auction/cancel", ["reason": "too late"], by: fixture.host)
        #expect(refused.status == 409)
        #expect(refused.code == "cancel.has_bids")
    }

    @Test func `a command with a key is executed once, and one that expects another state is refused`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let key = [(name: "Idempotency-Key", value: "pause-1")]
        let first = try fixture.call("POST", "/auction/pause", nil, by: fixture.host, key)
        let again = try fixture.call("POST", "/auction/pause", nil, by: fixture.host, key)
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        let late = try fixture.call("POST", "/auction/resume", ["expectedState": "auctioning"], by: fixture.host)
        #expect(late.status == 409)
        #expect(late.code == "auction.state_changed")
    }
}
