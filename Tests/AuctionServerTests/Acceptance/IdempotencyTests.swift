import AuctionServer
import AuctionService
import EventLog
import ExactJSON
import Testing

struct IdempotencyTests {
    private func key(_ value: String) -> [(name: String, value: String)] { [("Idempotency-Key", value)] }

    private func expectReplay(
        _ repeated: HTTPAnswer, of first: HTTPAnswer, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(first.header("Idempotency-Replayed") == nil, sourceLocation: location)
        #expect(repeated.header("Idempotency-Replayed") == "true", sourceLocation: location)
        #expect(repeated.status == first.status, sourceLocation: location)
        #expect(repeated.bodyText == first.bodyText, sourceLocation: location)
        #expect(repeated.header("Location") == first.header("Location"), sourceLocation: location)
    }

    @Test func `a repeat gets the first answer byte for byte, and nothing happens twice`() throws {
        let scene = try Scene()
        let calls: [(String, JSONValue?, Guest)] = [
            ("/members", ["role": "bidder"], scene.stranger), ("/items", Scene.teapot, scene.owner),
            ("/auction/start", nil, scene.host), ("/auction/start", ["expectedState": "listing"], scene.host),
            ("/bids", ["amount": "100"], scene.bidder), ("/auction/end", nil, scene.host),
        ]
        for (index, (tail, body, guest)) in calls.enumerated() {
            let first = try scene.call("POST", tail, body, by: guest, key("key-\(index)"))
            #expect(first.status < 300, "\(tail)")
            let seq = try scene.seq()
            scene.house.clock.advance(seconds: 0.5)
            expectReplay(try scene.call("POST", tail, body, by: guest, key("key-\(index)")), of: first)
            #expect(try scene.seq() == seq, "\(tail)")
        }
    }

    @Test func `changes and removals are repeated like everything else`() throws {
        let scene = try Scene()
        let message = try #require(try scene.call("POST", "/messages", ["text": "Hello"], by: scene.bidder).text("id"))
        try scene.upload()
        let item = try #require(try scene.call("GET").text("item.id"))
        let calls: [(method: String, tail: String, body: JSONValue?, guest: Guest)] = [
            ("PATCH", "/members/\(scene.bidder.id)", ["muted": true], scene.host),
            ("PATCH", "/items/\(item)", ["rules": ["biddingSeconds": 60]], scene.owner),
            ("PATCH", "/permission-rules/bid.host", ["enabled": false], scene.host),
            ("DELETE", "/messages/\(message)", nil, scene.host),
            ("DELETE", "/members/\(scene.rival.id)", nil, scene.host),
            ("DELETE", "/members/me", nil, scene.bidder),
        ]
        for (index, call) in calls.enumerated() {
            let first = try scene.call(call.method, call.tail, call.body, by: call.guest, key("key-\(index)"))
            #expect(first.status < 300, "\(call.method) \(call.tail)")
            let seq = try scene.seq()
            expectReplay(try scene.call(call.method, call.tail, call.body, by: call.guest, key("key-\(index)")), of: first)
            #expect(try scene.seq() == seq, "\(call.method) \(call.tail)")
        }
    }

    @Test func `a retraction is repeated with the same reason only`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bid = try #require(try scene.bid("100", by: scene.bidder).text("bid.id"))
        let first = try scene.call("DELETE", "/bids/\(bid)?reason=slip", by: scene.host, key("k"))
        #expect(first.status == 200)
        expectReplay(try scene.call("DELETE", "/bids/\(bid)?reason=slip", by: scene.host, key("k")), of: first)
        let other = try scene.call("DELETE", "/bids/\(bid)?reason=other", by: scene.host, key("k"))
        #expect(other.code == "idempotency.key_reused")
    }

    @Test func `opening a room again with its key gives the same room`() throws {
        let house = try House()
        let host = try house.guest("Hana")
        let first = try house.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r"))
        expectReplay(try house.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r")), of: first)
        let other = try house.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r2"))
        #expect(other.text("id") != first.text("id"))
        let reused = try house.call("POST", "/v1/rooms", ["name": "Two"], by: host, key("r"))
        #expect(reused.status == 422)
        #expect(reused.code == "idempotency.key_reused")
        #expect(try house.call("GET", "/v1/rooms").list("rooms").count == 2)
    }

    @Test func `a key belongs to its caller and its path`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bid = try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key("k"))
        let rival = try scene.call("POST", "/bids", ["amount": "110"], by: scene.rival, key("k"))
        #expect(bid.status == 201)
        #expect(rival.status == 201)
        #expect(rival.header("Idempotency-Replayed") == nil)
        #expect(try scene.call("POST", "/members", ["role": "bidder"], by: scene.bidder, key("k")).status == 200)
    }

    @Test func `another body under the same key is refused and changes nothing`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key("k"))
        let seq = try scene.seq()
        let answer = try scene.call("POST", "/bids", ["amount": "101"], by: scene.bidder, key("k"))
        #expect(answer.status == 422)
        #expect(answer.text("type") == "/problems/idempotency-key-reused")
        #expect(try scene.seq() == seq)
    }

    @Test func `a refused command is decided anew`() throws {
        let scene = try Scene()
        try scene.upload()
        try scene.start()
        let body: JSONValue = ["amount": "100"]
        #expect(try scene.call("POST", "/bids", body, by: scene.bidder, key("k")).code == "bid.not_auctioning")
        try scene.start()
        let taken = try scene.call("POST", "/bids", body, by: scene.bidder, key("k"))
        #expect(taken.status == 201)
        #expect(taken.header("Idempotency-Replayed") == nil)
        expectReplay(try scene.call("POST", "/bids", body, by: scene.bidder, key("k")), of: taken)
    }

    @Test func `what changed nothing is decided anew, and its key takes another body`() throws {
        let scene = try Scene()
        for role in ["bidder", "bidder", "viewer"] {
            let answer = try scene.call("POST", "/members", ["role": .string(role)], by: scene.bidder, key("k"))
            #expect(answer.status == 200)
            #expect(answer.header("Idempotency-Replayed") == nil)
        }
        #expect(try scene.call("POST", "/members", ["role": "bidder"], by: scene.bidder, key("k")).status == 422)
    }

    @Test func `beyond a user's share the user's own oldest key is fresh again, and those of others stand`() throws {
        let scene = try Scene(try House { $0.service.keysPerUser = 2 })
        try scene.openBidding()
        let first = try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key("k"))
        for text in ["one", "two", "three"] {
            let sent = try scene.call("POST", "/messages", ["text": .string(text)], by: scene.rival, key(text))
            #expect(sent.status == 201)
            scene.house.clock.advance(seconds: 1)
        }
        expectReplay(try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key("k")), of: first)
        let old = try scene.call("POST", "/messages", ["text": "three"], by: scene.rival, key("three"))
        #expect(old.header("Idempotency-Replayed") == "true")
        let forgotten = try scene.call("POST", "/messages", ["text": "one"], by: scene.rival, key("one"))
        #expect(forgotten.status == 201)
        #expect(forgotten.header("Idempotency-Replayed") == nil)
    }

    @Test func `a repeat while the first is on its way waits for its outcome`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        let (house, first, second) = (scene.house, try scene.house.connect(), try scene.house.connect())
        let request = house.request(
            "POST", scene.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: scene.bidder, key("k"))
        log.shut()
        defer { log.open() }
        try first.send(request)
        eventually("the first is on its way") { log.isHolding }
        try second.send(request)
        log.open()
        let answers = [try house.receive(on: first, to: request), try house.receive(on: second, to: request)]
        #expect(answers.map(\.status) == [201, 201])
        #expect(answers[0].bodyText == answers[1].bodyText)
        #expect(answers.count { $0.header("Idempotency-Replayed") == "true" } == 1)
        #expect(try scene.call("GET", "/bids").list("bids").count == 1)
    }

    @Test func `a key lives for 24 hours`() throws {
        let house = try House()
        let host = try house.guest("Hana")
        let room = try #require(try house.call("POST", "/v1/rooms", ["name": "x"], by: host).header("Location"))
        let join: JSONValue = ["role": "viewer"]
        let guest = try house.guest("Vera")
        try house.call("POST", room + "/members", join, by: guest, key("k"))
        house.clock.advance(seconds: 24 * 3600)
        #expect(try house.call("POST", room + "/members", join, by: guest, key("k")).header("Idempotency-Replayed") == "true")
        house.clock.advance(seconds: 1)
        let fresh = try house.call("POST", room + "/members", join, by: guest, key("k"))
        #expect(fresh.status == 200)
        #expect(fresh.header("Idempotency-Replayed") == nil)
    }

    @Test func `a key has 1 to 255 visible characters`() throws {
        let house = try House()
        let host = try house.guest("Hana")
        for value in ["", String(repeating: "k", count: 256), "two words", "ключ"] {
            let answer = try house.call("POST", "/v1/rooms", ["name": "x"], by: host, key(value))
            #expect(answer.status == 400, "\(value)")
            #expect(answer.text("field") == "Idempotency-Key")
        }
        #expect(
            try house.call("POST", "/v1/rooms", ["name": "x"], by: host, key(String(repeating: "k", count: 255))).status == 201)
    }
}
