import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

struct IdempotencyTests {
    private func key(_ value: String) -> [(name: String, value: String)] { [("Idempotency-Key", value)] }

    private func expectReplay(
        _ repeated: HTTPResponse, of first: HTTPResponse, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(first.header("Idempotency-Replayed") == nil, sourceLocation: location)
        #expect(repeated.header("Idempotency-Replayed") == "true", sourceLocation: location)
        #expect(repeated.status == first.status, sourceLocation: location)
        #expect(repeated.bodyText == first.bodyText, sourceLocation: location)
        #expect(repeated.header("Location") == first.header("Location"), sourceLocation: location)
    }

    @Test func `a retry with the same key gets the first response byte for byte and changes nothing`() throws {
        let fixture = try RoomFixture()
        let calls: [(String, JSONValue?, Guest)] = [
            ("/members", ["role": "bidder"], fixture.stranger), ("/items", RoomFixture.teapot, fixture.owner),
            ("/auction/start", nil, fixture.host), ("/auction/start", ["expectedState": "listing"], fixture.host),
            ("/bids", ["amount": "100"], fixture.bidder), ("/auction/end", nil, fixture.host),
        ]
        for (index, (tail, body, guest)) in calls.enumerated() {
            let first = try fixture.call("POST", tail, body, by: guest, key("key-\(index)"))
            #expect(first.status < 300, "\(tail)")
            let seq = try fixture.seq()
            fixture.server.clock.advance(seconds: 0.5)
            expectReplay(try fixture.call("POST", tail, body, by: guest, key("key-\(index)")), of: first)
            #expect(try fixture.seq() == seq, "\(tail)")
        }
    }

    @Test func `PATCH and DELETE requests are replayed too`() throws {
        let fixture = try RoomFixture()
        let message = try #require(try fixture.call("POST", "/messages", ["text": "Hello"], by: fixture.bidder).text("id"))
        try fixture.upload()
        let item = try #require(try fixture.call("GET").text("item.id"))
        let calls: [(method: String, tail: String, body: JSONValue?, guest: Guest)] = [
            ("PATCH", "/members/\(fixture.bidder.id)", ["muted": true], fixture.host),
            ("PATCH", "/items/\(item)", ["rules": ["biddingSeconds": 60]], fixture.owner),
            ("PATCH", "/permission-rules/bid.host", ["enabled": false], fixture.host),
            ("DELETE", "/messages/\(message)", nil, fixture.host),
            ("DELETE", "/members/\(fixture.rival.id)", nil, fixture.host),
            ("DELETE", "/members/me", nil, fixture.bidder),
        ]
        for (index, call) in calls.enumerated() {
            let first = try fixture.call(call.method, call.tail, call.body, by: call.guest, key("key-\(index)"))
            #expect(first.status < 300, "\(call.method) \(call.tail)")
            let seq = try fixture.seq()
            expectReplay(try fixture.call(call.method, call.tail, call.body, by: call.guest, key("key-\(index)")), of: first)
            #expect(try fixture.seq() == seq, "\(call.method) \(call.tail)")
        }
    }

    @Test func `a command is replayed in an archived room, be it the one that archived it`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("bid"))
        #expect(bid.status == 201)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let archived = try fixture.call("DELETE", by: fixture.host, key("archive"))
        #expect(archived.status == 204)
        expectReplay(try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("bid")), of: bid)
        expectReplay(try fixture.call("DELETE", by: fixture.host, key("archive")), of: archived)
        let fresh = try fixture.call("POST", "/bids", ["amount": "200"], by: fixture.bidder, key("new"))
        #expect(fresh.status == 404)
        #expect(fresh.code == "room.not_found")
        #expect(try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder).status == 404)
        #expect(try fixture.call("POST", "/tickets", by: fixture.bidder, key("bid")).status == 404)
        #expect(try fixture.call("GET", by: fixture.bidder).status == 404)
    }

    @Test func `a bid under a key that another bid has used gets the position of the room`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("k"))
        let reused = try fixture.call("POST", "/bids", ["amount": "120"], by: fixture.bidder, key("k"))
        #expect(reused.code == "idempotency.key_reused")
        #expect(reused.int("seq") == (try fixture.seq()))
        #expect(reused.text("endsAt") == (try fixture.room().text("endsAt")))
    }

    @Test func `a retraction is replayed only for the same reason`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try #require(try fixture.bid("100", by: fixture.bidder).text("bid.id"))
        let first = try fixture.call("DELETE", "/bids/\(bid)?reason=slip", by: fixture.host, key("k"))
        #expect(first.status == 200)
        expectReplay(try fixture.call("DELETE", "/bids/\(bid)?reason=slip", by: fixture.host, key("k")), of: first)
        let other = try fixture.call("DELETE", "/bids/\(bid)?reason=other", by: fixture.host, key("k"))
        #expect(other.code == "idempotency.key_reused")
    }

    @Test func `opening a room again with the same key returns the same room`() throws {
        let server = try TestServer()
        let host = try server.guest("Hana")
        let first = try server.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r"))
        expectReplay(try server.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r")), of: first)
        let other = try server.call("POST", "/v1/rooms", ["name": "One"], by: host, key("r2"))
        #expect(other.text("id") != first.text("id"))
        let reused = try server.call("POST", "/v1/rooms", ["name": "Two"], by: host, key("r"))
        #expect(reused.status == 422)
        #expect(reused.code == "idempotency.key_reused")
        #expect(try server.call("GET", "/v1/rooms").list("rooms").count == 2)
    }

    @Test func `a key is scoped to its caller and path`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("k"))
        let rival = try fixture.call("POST", "/bids", ["amount": "110"], by: fixture.rival, key("k"))
        #expect(bid.status == 201)
        #expect(rival.status == 201)
        #expect(rival.header("Idempotency-Replayed") == nil)
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder, key("k")).status == 200)
    }

    @Test func `another body with the same key is refused and changes nothing`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("k"))
        let seq = try fixture.seq()
        let response = try fixture.call("POST", "/bids", ["amount": "101"], by: fixture.bidder, key("k"))
        #expect(response.status == 422)
        #expect(response.text("type") == "/problems/idempotency-key-reused")
        #expect(try fixture.seq() == seq)
    }

    @Test func `a retry of a refused command is decided again`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        try fixture.start()
        let body: JSONValue = ["amount": "100"]
        #expect(try fixture.call("POST", "/bids", body, by: fixture.bidder, key("k")).code == "bid.not_auctioning")
        try fixture.start()
        let taken = try fixture.call("POST", "/bids", body, by: fixture.bidder, key("k"))
        #expect(taken.status == 201)
        #expect(taken.header("Idempotency-Replayed") == nil)
        expectReplay(try fixture.call("POST", "/bids", body, by: fixture.bidder, key("k")), of: taken)
    }

    @Test func `a command without effect is decided again, and its key may be reused with another body`() throws {
        let fixture = try RoomFixture()
        for role in ["bidder", "bidder", "viewer"] {
            let response = try fixture.call("POST", "/members", ["role": .string(role)], by: fixture.bidder, key("k"))
            #expect(response.status == 200)
            #expect(response.header("Idempotency-Replayed") == nil)
        }
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder, key("k")).status == 422)
    }

    @Test func `beyond the limit per user, that user's oldest key is evicted and other users' keys are kept`() throws {
        let fixture = try RoomFixture(try TestServer { $0.service.keysPerUser = 2 })
        try fixture.openBidding()
        let first = try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("k"))
        for text in ["one", "two", "three"] {
            let sent = try fixture.call("POST", "/messages", ["text": .string(text)], by: fixture.rival, key(text))
            #expect(sent.status == 201)
            fixture.server.clock.advance(seconds: 1)
        }
        expectReplay(try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key("k")), of: first)
        let old = try fixture.call("POST", "/messages", ["text": "three"], by: fixture.rival, key("three"))
        #expect(old.header("Idempotency-Replayed") == "true")
        let forgotten = try fixture.call("POST", "/messages", ["text": "one"], by: fixture.rival, key("one"))
        #expect(forgotten.status == 201)
        #expect(forgotten.header("Idempotency-Replayed") == nil)
    }

    @Test func `a retry while the first request is in flight waits for its outcome`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let (server, first, second) = (fixture.server, try fixture.server.connect(), try fixture.server.connect())
        let request = server.request(
            "POST", fixture.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: fixture.bidder, key("k"))
        log.commits.shut()
        defer { log.commits.open() }
        try first.send(request)
        eventually("the first is in flight") { log.commits.blockedCalls > 0 }
        try second.send(request)
        log.commits.open()
        let responses = [try server.receive(on: first, to: request), try server.receive(on: second, to: request)]
        #expect(responses.map(\.status) == [201, 201])
        #expect(responses[0].bodyText == responses[1].bodyText)
        #expect(responses.count { $0.header("Idempotency-Replayed") == "true" } == 1)
        #expect(try fixture.call("GET", "/bids").list("bids").count == 1)
    }

    @Test func `a key expires after 24 hours`() throws {
        let server = try TestServer()
        let host = try server.guest("Hana")
        let room = try #require(try server.call("POST", "/v1/rooms", ["name": "x"], by: host).header("Location"))
        let join: JSONValue = ["role": "viewer"]
        let guest = try server.guest("Vera")
        try server.call("POST", room + "/members", join, by: guest, key("k"))
        server.clock.advance(seconds: 24 * 3600)
        #expect(try server.call("POST", room + "/members", join, by: guest, key("k")).header("Idempotency-Replayed") == "true")
        server.clock.advance(seconds: 1)
        let fresh = try server.call("POST", room + "/members", join, by: guest, key("k"))
        #expect(fresh.status == 200)
        #expect(fresh.header("Idempotency-Replayed") == nil)
    }

    @Test func `a nickname and a picture have no event, so a repeat with the key is carried out again`() throws {
        let fixture = try RoomFixture()
        for name in ["Bea", "Bea", "Beatrice"] {
            let changed = try fixture.server.call("PATCH", "/v1/me", ["nickname": .string(name)], by: fixture.bidder, key("k"))
            #expect(changed.status == 200 && changed.text("user.nickname") == name)
            #expect(changed.header("Idempotency-Replayed") == nil)
        }
        func upload(_ sample: String) throws -> HTTPResponse {
            let headers = key("k") + [(name: "Content-Type", value: "image/png")]
            let request = fixture.server.request(
                "POST", fixture.path + "/media", try RoomFixture.sample(sample), by: fixture.owner, headers)
            return try fixture.server.send(request)
        }
        let seq = try fixture.seq()
        let (first, second, other) = (try upload("photo.png"), try upload("photo.png"), try upload("photo.jpg"))
        #expect([first, second, other].map(\.status) == [201, 201, 201])
        #expect([first, second, other].allSatisfy { $0.header("Idempotency-Replayed") == nil })
        #expect(second.bodyText == first.bodyText && other.text("url") != first.text("url"))
        #expect(try fixture.seq() == seq)
    }

    @Test func `a key must have 1 to 255 visible ASCII characters`() throws {
        let server = try TestServer()
        let host = try server.guest("Hana")
        for value in ["", String(repeating: "k", count: 256), "two words", "ключ"] {
            let response = try server.call("POST", "/v1/rooms", ["name": "x"], by: host, key(value))
            #expect(response.status == 400, "\(value)")
            #expect(response.text("field") == "Idempotency-Key")
        }
        #expect(
            try server.call("POST", "/v1/rooms", ["name": "x"], by: host, key(String(repeating: "k", count: 255))).status == 201
        )
    }
}
