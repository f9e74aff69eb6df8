import ExactJSON
import Testing

/// Proxy bids: the server bids for a user, up to a maximum that only this user sees.
struct ProxyBidTests {
    @discardableResult
    private func bid(_ fixture: RoomFixture, _ body: JSONValue, by guest: Guest) throws -> HTTPResponse {
        try fixture.call("POST", "/bids", body, by: guest)
    }

    @Test func `a maximum without an amount bids the next minimum and is shown to its bidder only`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let response = try bid(fixture, ["maximum": "300"], by: fixture.bidder)
        #expect(response.status == 201)
        #expect(response.text("bid.amount") == "100.00")
        #expect(response.text("bid.maximum") == "300.00")
        #expect(response["bid.leading"] == true)
        #expect(try fixture.room(as: fixture.bidder).text("me.maximum") == "300.00")
        for guest in [fixture.host, fixture.owner, fixture.rival, fixture.viewer, fixture.stranger] {
            #expect(try !fixture.room(as: guest).bodyText.contains("300.00"))
            #expect(try !fixture.call("GET", "/bids", by: guest).bodyText.contains("300.00"))
            #expect(try !fixture.call("GET", "/events", by: guest).bodyText.contains("300.00"))
        }
        #expect(try fixture.call("GET", "/bids", by: fixture.bidder).text("bids.0.maximum") == "300.00")
        #expect(try fixture.call("GET", "/bids").list("bids").count == 1)
    }

    @Test func `a bid below another bidder's maximum is accepted, outbid at once, and the response says so`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try bid(fixture, ["amount": "100", "maximum": "300"], by: fixture.bidder)
        let beaten = try bid(fixture, ["amount": "110", "maximum": "200"], by: fixture.rival)
        #expect(beaten.status == 201)
        #expect(beaten["bid.leading"] == false)
        #expect(beaten.text("bid.amount") == "200.00", "logged at its maximum")
        #expect(beaten.text("bid.bidder.id") == fixture.rival.id)
        #expect(beaten.text("room.currentPrice") == "210.00")
        #expect(beaten.text("room.currentBid.bidder.id") == fixture.bidder.id)
        let bids = try fixture.call("GET", "/bids").list("bids")
        #expect(bids.map { $0.at("automatic") } == [true, false, false])
        #expect(try fixture.room(as: fixture.rival).isNull("me.maximum"))
    }

    @Test func `raising the own maximum changes neither price nor deadline`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try bid(fixture, ["amount": "100"], by: fixture.bidder)
        let before = try fixture.room(as: fixture.bidder)
        fixture.server.clock.advance(seconds: 5)
        let raised = try bid(fixture, ["maximum": "500"], by: fixture.bidder)
        #expect(raised.status == 201)
        #expect(raised.text("bid.id") == before.text("currentBid.id"), "the leading bid")
        #expect(raised.text("bid.maximum") == "500.00")
        let after = try fixture.room(as: fixture.bidder)
        #expect(after["currentPrice"] == before["currentPrice"])
        #expect(after["endsAt"] == before["endsAt"])
        #expect(after.text("me.maximum") == "500.00")
        let last = try #require(try fixture.events().last)
        #expect(last.text("type") == "bid.maximumRaised")
        #expect(!last.written.contains("500"))
    }

    @Test func `a raised maximum that reaches the reserve price is answered with the bid at that price`() throws {
        let fixture = try RoomFixture()
        let item: JSONValue = [
            "name": "Teapot", "rules": ["startingPrice": "100", "increment": ["fixed": "10"], "reservePrice": "300"],
        ]
        try fixture.upload(item)
        for _ in 0..<2 { try fixture.start() }
        let first = try bid(fixture, ["amount": "100", "maximum": "200"], by: fixture.bidder)
        let raised = try bid(fixture, ["maximum": "400"], by: fixture.bidder)
        #expect(raised.status == 201)
        #expect(raised.text("bid.amount") == "300.00" && raised.text("bid.maximum") == "400.00")
        #expect(raised["bid.automatic"] == true && raised["bid.leading"] == true)
        #expect(raised.text("bid.id") != first.text("bid.id"))
        #expect(raised.text("room.currentPrice") == "300.00" && raised["room.reserveMet"] == true)
        let room = try fixture.room(as: fixture.bidder)
        let placed = try #require(try fixture.events().last { $0.text("type") == "bid.placed" })
        #expect(raised.text("bid.id") == room.text("currentBid.id") && raised.int("bid.seq") == placed.int("seq"))
    }

    @Test func `a maximum below the amount, or neither of the two, is malformed`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bodies: [(JSONValue, String)] = [
            (["amount": "200", "maximum": "199.99"], "maximum"), ([:], "amount"), (["round": 1], "amount"),
            (["maximum": "1e3"], "maximum"), (["maximum": nil], "amount"), (["amount": nil], "amount"),
        ]
        for (body, field) in bodies {
            let response = try bid(fixture, body, by: fixture.bidder)
            #expect(response.status == 400, "\(body)")
            #expect(response.text("field") == field, "\(body)")
            #expect(response["receivedAt"] != nil)
        }
    }

    @Test func `a dry run with a maximum gets the decision of the bid`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let low = try fixture.call("GET", "/permissions?action=placeBid&maximum=50", by: fixture.bidder)
        #expect(low.text("denial.rule") == "bid.below_minimum")
        try bid(fixture, ["amount": "100"], by: fixture.bidder)
        let raise = try fixture.call("GET", "/permissions?action=placeBid&maximum=500", by: fixture.bidder)
        #expect(raise["allowed"] == true)
        let plain = try fixture.call("GET", "/permissions?action=placeBid&amount=500", by: fixture.bidder)
        #expect(plain.text("denial.rule") == "bid.already_leading")
    }

    @Test func `a bid at the buy-now price closes the round in its own response`() throws {
        let fixture = try RoomFixture()
        try fixture.upload(["name": "Cup", "rules": ["startingPrice": "100", "buyNowPrice": "250"]])
        try fixture.start()
        try fixture.start()
        let response = try bid(fixture, ["amount": "400"], by: fixture.bidder)
        #expect(response.status == 201)
        #expect(response.text("bid.amount") == "250.00")
        #expect(response.text("room.state") == "closed")
        #expect(response.isNull("receipt.endsAt"))
        #expect(try fixture.call("GET", "/results").text("results.0.price") == "250.00")
        let closed = try #require(try fixture.events().last { $0.text("type") == "state.changed" })
        #expect(closed.text("data.cause") == "bid")
        #expect(closed.text("data.by.id") == fixture.bidder.id)
    }
}
