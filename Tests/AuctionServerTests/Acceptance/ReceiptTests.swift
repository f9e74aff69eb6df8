import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Every answer to a bid, accepted or refused, says when it came and where the room stood.
struct ReceiptTests {
    private func expectReceipt(
        _ answer: HTTPAnswer, _ status: Int, _ code: String, seq: JSONValue, endsAt: JSONValue, in scene: Scene,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, sourceLocation: location)
        #expect(answer.code == code, sourceLocation: location)
        #expect(answer.text("receivedAt") == scene.house.clock.text, sourceLocation: location)
        #expect(answer.text("serverTime") == scene.house.clock.text, sourceLocation: location)
        #expect(answer["seq"] == seq, sourceLocation: location)
        #expect(answer["endsAt"] == endsAt, sourceLocation: location)
    }

    @Test func `an accepted bid has a receipt that agrees with the room`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bid = try scene.bid("100.00", by: scene.bidder)
        #expect(bid.status == 201)
        #expect(bid["receipt.receivedAt"] == bid["receipt.serverTime"])
        #expect(bid["receipt.seq"] == bid["room.seq"])
        #expect(bid["receipt.seq"] == bid["bid.seq"])
        #expect(bid["receipt.endsAt"] == bid["room.endsAt"])
        #expect(bid.text("room.currentPrice") == "100.00")
        #expect(bid["room.currentBid.id"] == bid["bid.id"])
        #expect(bid["bid.bidder"] == scene.bidder.person)
        let event = try #require(try scene.events().last)
        #expect(event.text("type") == "bid.placed")
        #expect(event.at("seq") == bid["receipt.seq"])
        #expect(event.at("data.bidId") == bid["bid.id"])
        #expect(event.at("data.endsAt") == bid["receipt.endsAt"])
        #expect(event.at("data.nextMinimum") == bid["room.nextMinimum"])
    }

    @Test func `a bid that the permission centre never sees has one too`() throws {
        let scene = try Scene(try House { $0.limits.bidsPerSecond = 2 })
        try scene.openBidding()
        let room = try scene.room()
        let (seq, endsAt) = (try #require(room["seq"]), try #require(room["endsAt"]))
        expectReceipt(
            try scene.bid("1e3", by: scene.bidder), 400, "money.malformed", seq: seq, endsAt: endsAt, in: scene)
        expectReceipt(
            try scene.call("POST", "/bids", ["amount": "100", "extra": 1], by: scene.bidder), 400, "request.unknown_field",
            seq: seq, endsAt: endsAt, in: scene)
        expectReceipt(
            try scene.house.call(
                "POST", scene.path + "/bids", raw: "amount", by: scene.bidder, [("Content-Type", "text/plain")]),
            415, "request.unsupported_media_type", seq: seq, endsAt: endsAt, in: scene)
        for _ in 0..<2 { try scene.bid("1", by: scene.rival) }
        expectReceipt(try scene.bid("100", by: scene.rival), 429, "bid.rate", seq: seq, endsAt: endsAt, in: scene)
    }

    @Test func `where the caller may know nothing of the room the receipt says nothing of it`() throws {
        let scene = try Scene(visibility: "private")
        try scene.openBidding()
        expectReceipt(
            try scene.call("POST", "/bids", ["amount": "100"]), 401, "token.missing", seq: nil, endsAt: nil, in: scene)
        expectReceipt(
            try scene.bid("100", by: scene.stranger), 404, "room.not_found", seq: nil, endsAt: nil, in: scene)
    }

    @Test func `a reused key is refused with a receipt`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let key = [(name: "Idempotency-Key", value: "b1")]
        try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key)
        let reused = try scene.call("POST", "/bids", ["amount": "120"], by: scene.bidder, key)
        #expect(reused.status == 422)
        #expect(reused.code == "idempotency.key_reused")
        #expect(reused.text("receivedAt") == scene.house.clock.text)
    }
}
