import AuctionTestKit
import ExactJSON
import Testing

/// A client whose WebSocket has closed repeats a command by HTTP, or the other way round.
struct SocketRetryTests {
    @Test func `a retry with the same key is replayed, also over the other transport`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let frame = #"{"id":"c1","type":"placeBid","amount":"120","key":"k1"}"#
        let first = try socket.ack(frame)
        #expect(try socket.ack(frame).text("bid.id") == first.text("bid.id"))
        for body in [#"{"amount":"120"}"#, "{ \"amount\" : \"120\" }\n"] {
            let again = try fixture.server.call(
                "POST", fixture.path + "/bids", raw: body, by: fixture.bidder, [("Idempotency-Key", "k1")])
            #expect(again.text("bid.id") == first.text("bid.id"))
        }
        let other = try fixture.call("POST", "/bids", ["amount": "121"], by: fixture.bidder, [("Idempotency-Key", "k1")])
        #expect(other.code == "idempotency.key_reused")
    }

    @Test func `a command without members is replayed over the other transport, with an empty object or without a body`() throws
    {
        let fixture = try RoomFixture()
        try fixture.upload()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        #expect(try socket.ack(#"{"id":"1","type":"startAuction","key":"k1"}"#).text("state") == "listing")
        for body in ["", "{}", "{ }"] {
            let again = try fixture.server.call(
                "POST", fixture.path + "/auction/start", raw: body, by: fixture.host, [("Idempotency-Key", "k1")])
            #expect(again.header("Idempotency-Replayed") == "true" && again.text("state") == "listing")
        }
    }

    @Test func `a retry with other escapes is replayed over the other transport, whichever was first`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let frame = { (key: String) in #"{"id":"c1","type":"sendMessage","text":"\u4f60/","key":"\#(key)"}"# }
        let bodies = [#"{"text":"你/"}"#, #"{ "text": "\u4F60\/" }"#]
        let send = { (body: String, key: String) in
            try fixture.server.call(
                "POST", fixture.path + "/messages", raw: body, by: fixture.bidder, [("Idempotency-Key", key)])
        }
        #expect(try socket.ack(frame("k0")).int("status") == 201)
        for body in bodies { #expect(try send(body, "k0").header("Idempotency-Replayed") == "true", "\(body)") }
        for (number, body) in bodies.enumerated() {
            fixture.server.clock.advance(milliseconds: 2000)
            let first = try send(body, "k\(number + 1)")
            #expect(first.status == 201)
            #expect(try socket.ack(frame("k\(number + 1)")).text("message.id") == first.text("message.id"))
        }
        #expect(try send(#"{"text":"您/"}"#, "k0").code == "idempotency.key_reused")
    }

    @Test func `a retraction is replayed over the other transport, however its reason is escaped`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try #require(try fixture.bid("120", by: fixture.bidder).text("bid.id"))
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let frame = #"{"id":"1","type":"retractBid","bidId":"\#(bid)","reason":"wrong-lot a","key":"k1"}"#
        #expect(try socket.ack(frame).int("status") == 200)
        let seq = try fixture.seq()
        let retract = { (query: String) in
            try fixture.server.call(
                "DELETE", fixture.path + "/bids/\(bid)?\(query)", by: fixture.host, [("Idempotency-Key", "k1")])
        }
        for query in ["reason=wrong-lot%20a", "reason=wrong-lot+a", "reason=wrong%2Dlot%20%61"] {
            #expect(try retract(query).header("Idempotency-Replayed") == "true", "\(query)")
        }
        #expect(try retract("reason=wrong-lot+b").code == "idempotency.key_reused")
        #expect(try fixture.seq() == seq)
    }
}
