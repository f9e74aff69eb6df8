import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Route, token, hidden room, body, rate, idempotency, permission: the first that fails answers.
struct OrderOfChecksTests {
    private let garbled = Guest(id: "user_", nickname: "", token: "garbled")

    @Test func `a path that is not there answers 404 before anybody asks for a token`() throws {
        let house = try House()
        for path in ["/v1/nothing", "/v1", "/v1/rooms/", "/v1//rooms", "/V1/rooms", "/v1/rooms/x/y/z", "/v1/rooms/%zz"] {
            let answer = try house.call("POST", path, raw: "not json", by: garbled)
            #expect(answer.status == 404, "\(path)")
            #expect(answer.code == "route.not_found", "\(path)")
        }
    }

    @Test func `a method that the path does not have answers 405 with Allow before anything else`() throws {
        let house = try House()
        let expected = [
            ("/v1/rooms", "POST, GET, HEAD"), ("/v1/guests", "POST"), ("/v1/rooms/room_x/members/me", "DELETE"),
            ("/v1/rooms/room_x/members/user_x", "PATCH, DELETE"), ("/v1/rooms/room_x", "GET, HEAD, DELETE"),
            ("/healthz", "GET, HEAD"),
        ]
        for (path, allow) in expected {
            let answer = try house.call("PUT", path, raw: "not json", by: garbled)
            #expect(answer.status == 405, "\(path)")
            #expect(answer.code == "request.method_not_allowed")
            let methods = try #require(answer.header("Allow")).split(separator: ", ").sorted()
            #expect(methods == allow.split(separator: ", ").sorted(), "\(path)")
        }
    }

    @Test func `a token comes before the room, the room before the body`() throws {
        let scene = try Scene(visibility: "private")
        let absent = "/v1/rooms/room_00000000000000000000000000/bids"
        #expect(try scene.house.call("POST", absent, raw: "not json").code == "token.missing")
        #expect(try scene.house.call("POST", absent, raw: "not json", by: garbled).code == "token.invalid")
        #expect(try scene.house.call("POST", absent, raw: "not json", by: scene.bidder).code == "room.not_found")
        #expect(
            try scene.house.call("POST", scene.path + "/bids", raw: "not json", by: scene.stranger).code == "room.not_found")
        #expect(
            try scene.house.call("POST", scene.path + "/bids", raw: "not json", by: scene.bidder).code == "request.malformed")
    }

    @Test func `a body comes before the rate, the rate before the key, the key before the permission`() throws {
        let scene = try Scene(try House { $0.limits.bidsPerSecond = 2 })
        try scene.openBidding()
        let key = [(name: "Idempotency-Key", value: "k")]
        func bid(_ body: JSONValue, _ headers: [(name: String, value: String)] = []) throws -> String? {
            try scene.call("POST", "/bids", body, by: scene.bidder, headers).code
        }
        for _ in 0..<5 { #expect(try bid(["amount": "x"]) == "money.malformed", "a malformed bid uses nothing up") }
        #expect(try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key).status == 201)
        #expect(try bid(["amount": "1"], key) == "idempotency.key_reused", "not bid.already_leading")
        #expect(try bid(["amount": "1"], key) == "bid.rate")
        #expect(try bid(["amount": "x"]) == "money.malformed")
        scene.house.clock.advance(seconds: 1)
        #expect(try bid(["amount": "1"]) == "bid.already_leading")
    }

    @Test func `a new guest's rate comes before the body, since there is no user yet to limit`() throws {
        let house = try House { $0.limits.guestsPerMinute = 2 }
        #expect(try house.call("POST", "/v1/guests", [:]).status == 400)
        #expect(try house.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
        #expect(try house.call("POST", "/v1/guests", ["nickname": "a"]).status == 429)
        #expect(try house.call("POST", "/v1/guests", [:]).status == 429)
    }
}
