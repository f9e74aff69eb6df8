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
