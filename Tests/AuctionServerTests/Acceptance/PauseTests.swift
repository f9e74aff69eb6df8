import ExactJSON
import Testing

/// The host holds a round, lets it run on, or calls it off.
struct PauseTests {
    @Test func `a paused round stands still and runs on with the time it had left`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        scene.house.clock.advance(seconds: 5)
        let paused = try scene.call("POST", "/auction/pause", ["reason": "a break"], by: scene.host)
        #expect(paused.status == 200)
        #expect(paused.text("state") == "paused")
        #expect(paused.isNull("endsAt"))
        #expect(paused.isNull("remainingMs"))
        #expect(paused.text("currentPrice") == "100.00")
        let refused = try scene.bid("110", by: scene.rival)
        #expect(refused.code == "bid.not_auctioning")
        #expect(refused.text("permission.actual") == "paused")
        scene.house.clock.advance(seconds: 3600)
        #expect(try scene.state() == "paused", "no countdown ends while none runs")
        let resumed = try scene.call("POST", "/auction/resume", ["expectedState": "paused"], by: scene.host)
        #expect(resumed.text("state") == "auctioning")
        #expect(resumed.int("remainingMs") == 10000)
        #expect(try scene.bid("110", by: scene.rival).status == 201)
        let changes = try scene.events().filter { $0.text("type") == "state.changed" }.suffix(2)
        #expect(changes.map { $0.text("data.cause") } == ["pause", "resume"])
        #expect(changes.first?.text("data.reason") == "a break")
    }

    @Test func `who comes back from a pause has five seconds at least`() throws {
        let scene = try Scene()
        try scene.openBidding()
        scene.house.clock.advance(seconds: 14)
        try scene.call("POST", "/auction/pause", by: scene.host)
        #expect(try scene.call("POST", "/auction/resume", by: scene.host).int("remainingMs") == 5000)
    }

    @Test func `only the host pauses, resumes and cancels, and only in their states`() throws {
        let scene = try Scene()
        try scene.upload()
        for (step, rule) in [("pause", "pause.not_running"), ("resume", "resume.not_paused"), ("cancel", "cancel.not_running")]
        {
            let answer = try scene.call("POST", "/auction/\(step)", ["reason": "because"], by: scene.host)
            #expect(answer.status == 409)
            #expect(answer.code == rule)
        }
        try scene.start()
        for (step, rule) in [("pause", "pause.not_host"), ("cancel", "cancel.not_host")] {
            let answer = try scene.call("POST", "/auction/\(step)", ["reason": "because"], by: scene.owner)
            #expect(answer.status == 403)
            #expect(answer.code == rule)
        }
        try scene.call("POST", "/auction/pause", by: scene.host)
        #expect(try scene.call("POST", "/auction/resume", by: scene.owner).code == "resume.not_host")
        #expect(try scene.call("POST", "/auction/resume", by: scene.host).text("state") == "listing")
    }

    @Test func `a round is cancelled with a reason, while there is no bid, and keeps its item`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bodies: [JSONValue] = [[:], ["reason": ""], ["reason": " \n "], ["reason": nil]]
        for body in bodies {
            let answer = try scene.call("POST", "/auction/cancel", body, by: scene.host)
            #expect(answer.status == 400)
            #expect(answer.text("field") == "reason")
        }
        let cancelled = try scene.call("POST", "/auction/cancel", ["reason": "the wrong pot"], by: scene.host)
        #expect(cancelled.status == 200)
        #expect(cancelled.text("state") == "preparing")
        #expect(cancelled.int("round") == 1)
        #expect(cancelled.text("item.name") == "Teapot")
        #expect(try scene.call("GET", "/results").list("results").isEmpty)
        try scene.start()
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        let refused = try scene.call("POST", "/auction/cancel", ["reason": "too late"], by: scene.host)
        #expect(refused.status == 409)
        #expect(refused.code == "cancel.has_bids")
    }

    @Test func `a step with a key is taken once, and one that expects another state not at all`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let key = [(name: "Idempotency-Key", value: "pause-1")]
        let first = try scene.call("POST", "/auction/pause", nil, by: scene.host, key)
        let again = try scene.call("POST", "/auction/pause", nil, by: scene.host, key)
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        let late = try scene.call("POST", "/auction/resume", ["expectedState": "auctioning"], by: scene.host)
        #expect(late.status == 409)
        #expect(late.code == "auction.state_changed")
    }
}
