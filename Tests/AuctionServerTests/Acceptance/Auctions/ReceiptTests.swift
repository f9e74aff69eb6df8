import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Receipts: every response to a bid, accepted or refused, has the time of receipt and the room's seq and deadline.
struct ReceiptTests {
    private func expectReceipt(
        _ response: HTTPResponse, _ status: Int, _ code: String, seq: JSONValue, endsAt: JSONValue, in fixture: RoomFixture,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == status, sourceLocation: location)
        #expect(response.code == code, sourceLocation: location)
        #expect(response.text("receivedAt") == fixture.server.clock.text, sourceLocation: location)
        #expect(response.text("serverTime") == fixture.server.clock.text, sourceLocation: location)
        #expect(response["seq"] == seq, sourceLocation: location)
        #expect(response["endsAt"] == endsAt, sourceLocation: location)
    }

    @Test func `an accepted bid has a receipt that agrees with the room`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try fixture.bid("100.00", by: fixture.bidder)
        #expect(bid.status == 201)
        #expect(bid["receipt.receivedAt"] == bid["receipt.serverTime"])
        #expect(bid["receipt.seq"] == bid["room.seq"])
        #expect(bid["receipt.seq"] == bid["bid.seq"])
        #expect(bid["receipt.endsAt"] == bid["room.endsAt"])
        #expect(bid.text("room.currentPrice") == "100.00")
        #expect(bid["room.currentBid.id"] == bid["bid.id"])
        #expect(bid["bid.bidder"] == fixture.bidder.person)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "bid.placed")
        #expect(event.at("seq") == bid["receipt.seq"])
        #expect(event.at("data.bidId") == bid["bid.id"])
        #expect(event.at("data.endsAt") == bid["receipt.endsAt"])
        #expect(event.at("data.nextMinimum") == bid["room.nextMinimum"])
    }

    @Test func `a bid refused before the permission check has a receipt too`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.bidsPerSecond = 2 })
        try fixture.openBidding()
        let room = try fixture.room()
        let (seq, endsAt) = (try #require(room["seq"]), try #require(room["endsAt"]))
        expectReceipt(
            try fixture.bid("1e3", by: fixture.bidder), 400, "money.malformed", seq: seq, endsAt: endsAt, in: fixture)
        expectReceipt(
            try fixture.call("POST", "/bids", ["amount": "100", "extra": 1], by: fixture.bidder), 400, "request.unknown_field",
            seq: seq, endsAt: endsAt, in: fixture)
        expectReceipt(
            try fixture.server.call(
                "POST", fixture.path + "/bids", raw: "amount", by: fixture.bidder, [("Content-Type", "text/plain")]),
            415, "request.unsupported_media_type", seq: seq, endsAt: endsAt, in: fixture)
        for _ in 0..<2 { try fixture.bid("1", by: fixture.rival) }
        expectReceipt(try fixture.bid("100", by: fixture.rival), 429, "bid.rate", seq: seq, endsAt: endsAt, in: fixture)
    }

    @Test func `the host's orders at a sale, and answers to offers, have a receipt`() throws {
        let fixture = try RoomFixture()
        func expectReceipt(
            _ response: HTTPResponse, in fixture: RoomFixture, at location: SourceLocation = #_sourceLocation
        ) throws {
            #expect((200...201).contains(response.status), sourceLocation: location)
            #expect(response.text("receipt.receivedAt") == fixture.server.clock.text, sourceLocation: location)
            let room = try fixture.room()
            #expect(response["receipt.seq"] == room["seq"], sourceLocation: location)
            #expect(response["receipt.endsAt"] == room["endsAt"], sourceLocation: location)
        }
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.rival)
        try fixture.bid("110", by: fixture.bidder)
        try expectReceipt(fixture.call("PATCH", "/auction", ["nextMinimum": "130"], by: fixture.host), in: fixture)
        try expectReceipt(fixture.call("POST", "/auction/warn", ["level": 1], by: fixture.host), in: fixture)
        try expectReceipt(fixture.call("POST", "/auction/extend", ["seconds": 5], by: fixture.host), in: fixture)
        let refused = try fixture.call("PATCH", "/auction", ["nextMinimum": "90"], by: fixture.host)
        let seq = try fixture.room()["seq"]
        #expect(refused.code == "ask.below_price" && refused["seq"] == seq)
        #expect(refused.text("receivedAt") == fixture.server.clock.text)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        for answer in ["decline", "accept"] {
            let sold = try RoomFixture(fixture.server)
            _ = try sold.sellLot()
            let voided = try sold.call("POST", "/results/1/void", ["reason": "Not paid.", "offerTo": "next"], by: sold.host)
            try expectReceipt(voided, in: sold)
            let id = try #require(voided.text("offer.id"))
            try expectReceipt(sold.call("POST", "/offers/\(id)/\(answer)", by: sold.rival), in: sold)
        }
        let passed = try RoomFixture(fixture.server)
        let lot = try passed.passLot()
        let again = try passed.call("POST", "/lots/\(lot)/reoffer", by: passed.owner)
        let seqAfterwards = try passed.room()["seq"]
        #expect(again.status == 201 && again["receipt.seq"] == seqAfterwards)
    }

    @Test func `the receipt omits the room's state for callers who may not see the room`() throws {
        let fixture = try RoomFixture(visibility: "private")
        try fixture.openBidding()
        expectReceipt(
            try fixture.call("POST", "/bids", ["amount": "100"]), 401, "token.missing", seq: nil, endsAt: nil, in: fixture)
        expectReceipt(
            try fixture.bid("100", by: fixture.stranger), 404, "room.not_found", seq: nil, endsAt: nil, in: fixture)
    }

    @Test func `a reused key is refused with a receipt`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let key = [(name: "Idempotency-Key", value: "b1")]
        try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key)
        let reused = try fixture.call("POST", "/bids", ["amount": "120"], by: fixture.bidder, key)
        #expect(reused.status == 422)
        #expect(reused.code == "idempotency.key_reused")
        #expect(reused.text("receivedAt") == fixture.server.clock.text)
    }
}
