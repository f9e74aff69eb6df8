import ExactJSON
import Testing

/// The server bids on somebody's behalf, up to a maximum that nobody else sees.
struct ProxyBidTests {
    @discardableResult
    private func bid(_ scene: Scene, _ body: JSONValue, by guest: Guest) throws -> HTTPAnswer {
        try scene.call("POST", "/bids", body, by: guest)
    }

    @Test func `a maximum alone opens at the next minimum and shows only to its bidder`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let answer = try bid(scene, ["maximum": "300"], by: scene.bidder)
        #expect(answer.status == 201)
        #expect(answer.text("bid.amount") == "100.00")
        #expect(answer.text("bid.maximum") == "300.00")
        #expect(answer["bid.leading"] == true)
        #expect(try scene.room(as: scene.bidder).text("me.maximum") == "300.00")
        for guest in [scene.host, scene.owner, scene.rival, scene.viewer, scene.stranger] {
            #expect(try !scene.room(as: guest).bodyText.contains("300.00"))
            #expect(try !scene.call("GET", "/bids", by: guest).bodyText.contains("300.00"))
            #expect(try !scene.call("GET", "/events", by: guest).bodyText.contains("300.00"))
        }
        #expect(try scene.call("GET", "/bids", by: scene.bidder).text("bids.0.maximum") == "300.00")
        #expect(try scene.call("GET", "/bids").list("bids").count == 1)
    }

    @Test func `a challenger below the maximum is accepted, beaten at once, and told so`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try bid(scene, ["amount": "100", "maximum": "300"], by: scene.bidder)
        let beaten = try bid(scene, ["amount": "110", "maximum": "200"], by: scene.rival)
        #expect(beaten.status == 201)
        #expect(beaten["bid.leading"] == false)
        #expect(beaten.text("bid.amount") == "200.00", "logged at its maximum")
        #expect(beaten.text("bid.bidder.id") == scene.rival.id)
        #expect(beaten.text("room.currentPrice") == "210.00")
        #expect(beaten.text("room.currentBid.bidder.id") == scene.bidder.id)
        let bids = try scene.call("GET", "/bids").list("bids")
        #expect(bids.map { $0.at("automatic") } == [true, false, false])
        #expect(try scene.room(as: scene.rival).isNull("me.maximum"))
    }

    @Test func `raising one's own maximum moves neither price nor countdown`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try bid(scene, ["amount": "100"], by: scene.bidder)
        let before = try scene.room(as: scene.bidder)
        scene.house.clock.advance(seconds: 5)
        let raised = try bid(scene, ["maximum": "500"], by: scene.bidder)
        #expect(raised.status == 201)
        #expect(raised.text("bid.id") == before.text("currentBid.id"), "the leading bid")
        #expect(raised.text("bid.maximum") == "500.00")
        let after = try scene.room(as: scene.bidder)
        #expect(after["currentPrice"] == before["currentPrice"])
        #expect(after["endsAt"] == before["endsAt"])
        #expect(after.text("me.maximum") == "500.00")
        let last = try #require(try scene.events().last)
        #expect(last.text("type") == "bid.maximumRaised")
        #expect(!last.written.contains("500"))
    }

    @Test func `a maximum below the amount, or none of the two, is malformed`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bodies: [(JSONValue, String)] = [
            (["amount": "200", "maximum": "199.99"], "maximum"), ([:], "amount"), (["round": 1], "amount"),
            (["maximum": "1e3"], "maximum"), (["maximum": nil], "amount"), (["amount": nil], "amount"),
        ]
        for (body, field) in bodies {
            let answer = try bid(scene, body, by: scene.bidder)
            #expect(answer.status == 400, "\(body)")
            #expect(answer.text("field") == field, "\(body)")
            #expect(answer["receivedAt"] != nil)
        }
    }

    @Test func `asking with a maximum decides as bidding does`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let low = try scene.call("GET", "/permissions?action=placeBid&maximum=50", by: scene.bidder)
        #expect(low.text("denial.rule") == "bid.below_minimum")
        try bid(scene, ["amount": "100"], by: scene.bidder)
        let raise = try scene.call("GET", "/permissions?action=placeBid&maximum=500", by: scene.bidder)
        #expect(raise["allowed"] == true)
        let plain = try scene.call("GET", "/permissions?action=placeBid&amount=500", by: scene.bidder)
        #expect(plain.text("denial.rule") == "bid.already_leading")
    }

    @Test func `the buy-now price ends the round in the answer to the bid`() throws {
        let scene = try Scene()
        try scene.upload(["name": "Cup", "rules": ["startingPrice": "100", "buyNowPrice": "250"]])
        try scene.start()
        try scene.start()
        let answer = try bid(scene, ["amount": "400"], by: scene.bidder)
        #expect(answer.status == 201)
        #expect(answer.text("bid.amount") == "250.00")
        #expect(answer.text("room.state") == "closed")
        #expect(answer.isNull("receipt.endsAt"))
        #expect(try scene.call("GET", "/results").text("results.0.price") == "250.00")
        let closed = try #require(try scene.events().last { $0.text("type") == "state.changed" })
        #expect(closed.text("data.cause") == "bid")
        #expect(closed.text("data.by.id") == scene.bidder.id)
    }
}
