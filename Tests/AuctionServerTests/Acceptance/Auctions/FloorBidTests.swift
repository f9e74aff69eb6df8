import ExactJSON
import Testing

/// Bids from the hall and by telephone. The room's owner of the item is an auctioneer.
struct FloorBidTests {
    /// A running round in a room whose host takes floor bids.
    private func open() throws -> RoomFixture {
        let fixture = try RoomFixture()
        let path = "/permission-rules/bid.floor_off"
        #expect(try fixture.call("PATCH", path, ["enabled": false], by: fixture.host).status == 200)
        try fixture.openBidding()
        return fixture
    }

    private func end(_ fixture: RoomFixture) throws {
        #expect(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
    }

    @discardableResult
    private func floor(
        _ amount: String, _ paddle: String? = nil, by guest: Guest, in fixture: RoomFixture
    ) throws -> HTTPResponse {
        let floor = JSONValue.object(paddle.map { [JSONMember(name: "paddle", value: .string($0))] } ?? [])
        return try fixture.call("POST", "/bids", ["amount": .string(amount), "floor": floor], by: guest)
    }

    @Test func `everybody sees that a bid is the floor's, and only the host whose`() throws {
        let fixture = try open()
        let placed = try floor("100", "QZ-217", by: fixture.host, in: fixture)
        #expect(placed.status == 201)
        #expect(placed.text("bid.bidder.id") == "user_floor" && placed.text("bid.bidder.nickname") == "Floor")
        #expect(placed["bid.floor"] == true && placed["bid.automatic"] == false && placed.text("bid.paddle") == "QZ-217")
        #expect(placed.text("receipt.receivedAt") != nil && placed.text("room.currentBid.bidder.id") == "user_floor")
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "bid.placed" && event.text("data.bidder.id") == "user_floor")
        #expect(event.at("data.floor") == true && event.text("data.by.id") == fixture.host.id)
        #expect(try fixture.call("GET", "/bids", by: fixture.host).list("bids").first?.text("paddle") == "QZ-217")
        for guest in [fixture.bidder, fixture.owner, nil] {
            for path in ["", "/bids", "/events?after=0"] {
                let seen = try fixture.call("GET", path, by: guest)
                #expect(!seen.bodyText.contains("QZ-217"), "\(path)")
            }
            #expect(try fixture.call("GET", "/bids", by: guest).list("bids").first?.at("floor") == true)
        }
    }

    @Test func `an auctioneer enters a bid, and does not see paddles`() throws {
        let fixture = try open()
        try fixture.call(
            "PATCH", "/members/\(fixture.viewer.id)", ["role": "auctioneer"], by: fixture.host)
        let placed = try floor("100", "QZ-217", by: fixture.viewer, in: fixture)
        #expect(placed.status == 201 && !placed.bodyText.contains("QZ-217"))
        #expect(try fixture.call("GET", "/bids", by: fixture.host).list("bids").first?.text("paddle") == "QZ-217")
        #expect(try floor("110", by: fixture.owner, in: fixture).code == "floor.own_item")
    }

    @Test func `a paddle has 16 characters at most, and is not told of what another has bought since`() throws {
        let fixture = try open()
        try fixture.bid("100", by: fixture.bidder)
        let paddle = String(repeating: "竞", count: 16)
        #expect(try floor("110", paddle + "x", by: fixture.host, in: fixture).text("field") == "floor.paddle")
        #expect(try floor("110", paddle, by: fixture.host, in: fixture).text("bid.paddle") == paddle)
        try end(fixture)
        let void: JSONValue = ["reason": "Not paid.", "offerTo": "next"]
        let voided = try fixture.call("POST", "/results/1/void", void, by: fixture.host)
        #expect(voided.text("winner.id") == "user_floor" && voided.text("paddle") == paddle)
        let offer = try #require(voided.text("offer.id"))
        #expect(try fixture.call("POST", "/offers/\(offer)/accept", by: fixture.bidder).status == 200)
        for path in ["/results", "/results.csv", "/results.ndjson", "/results.html"] {
            let seen = try fixture.call("GET", path, by: fixture.host)
            #expect(!seen.bodyText.contains(paddle) && !seen.bodyText.contains("paddle"), "\(path)")
        }
    }

    @Test func `results tell the paddle to the host alone`() throws {
        let fixture = try open()
        try floor("100", "QZ-217", by: fixture.host, in: fixture)
        try end(fixture)
        let row = try #require(try fixture.call("GET", "/results", by: fixture.host).list("results").first)
        #expect(row.text("winner.id") == "user_floor" && row.text("paddle") == "QZ-217")
        #expect(try fixture.call("GET", "/results.csv", by: fixture.host).bodyText.contains(",paddle\r\n"))
        #expect(try fixture.call("GET", "/results.csv", by: fixture.host).bodyText.hasSuffix(",QZ-217\r\n"))
        #expect(try fixture.call("GET", "/results.ndjson", by: fixture.host).bodyText.contains(#""paddle":"QZ-217""#))
        for path in ["/results", "/results.csv", "/results.ndjson", "/results.html", "/lots", ""] {
            let seen = try fixture.call("GET", path, by: fixture.bidder)
            #expect(seen.status == 200 && !seen.bodyText.contains("QZ-217") && !seen.bodyText.contains("paddle"), "\(path)")
        }
        let bids = try fixture.call("GET", "/bids?round=1", by: fixture.host).list("bids")
        #expect(bids.first?.at("floor") == true)
    }

    @Test func `a paddle need not be noted, and none makes no column`() throws {
        let fixture = try open()
        let placed = try floor("100", by: fixture.host, in: fixture)
        #expect(placed.status == 201 && placed["bid.paddle"] == nil)
        try end(fixture)
        #expect(!(try fixture.call("GET", "/results.csv", by: fixture.host).bodyText.contains("paddle")))
    }

    @Test func `every refusal of a floor bid has its code`() throws {
        let fixture = try open()
        #expect(try floor("99", by: fixture.host, in: fixture).code == "floor.below_minimum")
        #expect(try floor("100", by: fixture.bidder, in: fixture).code == "floor.not_auctioneer")
        let named: [(JSONValue, String)] = [
            (["amount": "100", "floor": [:], "round": 2], "floor.wrong_round"),
            (["amount": "100", "floor": [:], "item": "item_01m7yn51psh16pxpxz9yp3xz7p"], "floor.wrong_item"),
        ]
        for (body, code) in named {
            let refused = try fixture.call("POST", "/bids", body, by: fixture.host)
            #expect(refused.status == 409 && refused.code == code && refused.text("receivedAt") != nil)
        }
        try end(fixture)
        #expect(try floor("100", by: fixture.host, in: fixture).code == "floor.not_auctioning")
        let other = try RoomFixture()
        try other.openBidding()
        let off = try floor("100", by: other.host, in: other)
        #expect(off.status == 403 && off.code == "bid.floor_off" && off.text("permission.action") == "placeFloorBid")
    }

    @Test func `a body of a floor bid is well formed`() throws {
        let fixture = try open()
        let bodies: [(JSONValue, String)] = [
            (["amount": "100", "maximum": "200", "floor": [:]], "maximum"), (["maximum": "200", "floor": [:]], "maximum"),
            (["floor": [:]], "amount"), (["amount": "100", "floor": true], "floor"),
            (["amount": "100", "floor": .null], "floor"),
            (["amount": "100", "floor": ["paddle": ""]], "floor.paddle"),
            (["amount": "100", "floor": ["paddle": "12345678901234567"]], "floor.paddle"),
            (["amount": "100", "floor": ["paddle": "1\u{7}2"]], "floor.paddle"),
            (["amount": "100", "floor": ["paddle": 217]], "floor.paddle"),
            (["amount": "100", "floor": ["number": "QZ-217"]], "floor.number"),
            (["amount": "100", "floor": [:], "paddle": "QZ-217"], "paddle"),
        ]
        for (body, field) in bodies {
            let response = try fixture.call("POST", "/bids", body, by: fixture.host)
            #expect(response.status == 400 && response.text("field") == field, "\(body) \(response.bodyText)")
        }
        #expect(try fixture.room()["currentBid"] == .null)
    }

    @Test func `the floor is no user of the room`() throws {
        let fixture = try open()
        try floor("100", by: fixture.host, in: fixture)
        for (method, path, body) in [
            ("PATCH", "/members/user_floor", ["banned": true] as JSONValue?),
            ("PATCH", "/members/user_floor", ["role": "bidder"]),
            ("DELETE", "/members/user_floor", nil),
        ] {
            #expect(try fixture.call(method, path, body, by: fixture.host).status == 404, "\(method)")
        }
        #expect(!(try fixture.call("GET", "/members", by: fixture.host).bodyText.contains("user_floor")))
    }

    @Test func `a repeat with the same key enters the bid once`() throws {
        let fixture = try open()
        let body: JSONValue = ["amount": "100", "floor": ["paddle": "5"]]
        let answers = try (0..<2).map { _ in
            try fixture.call("POST", "/bids", body, by: fixture.host, [("Idempotency-Key", "f1")])
        }
        #expect(answers[0].status == 201 && answers[0].bodyText == answers[1].bodyText)
        #expect(try fixture.call("GET", "/bids").list("bids").count == 1)
    }
}
