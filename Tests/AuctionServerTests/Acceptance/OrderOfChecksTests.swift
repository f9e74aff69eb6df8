import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Checks run in the order route, token, hidden room, body, rate, idempotency, permission; the first failure is reported.
struct OrderOfChecksTests {
    private let garbled = Guest(id: "user_", nickname: "", token: "garbled")

    @Test func `an unknown path gets 404 before the token is checked`() throws {
        let server = try TestServer()
        for path in [
            "/v1/nothing", "/v1/me/nothing", "/v1/rooms/", "/v1//rooms", "/V1/rooms", "/v1/rooms/x/y/z", "/v1/rooms/%zz",
        ] {
            let response = try server.call("POST", path, raw: "not json", by: garbled)
            #expect(response.status == 404, "\(path)")
            #expect(response.code == "route.not_found", "\(path)")
        }
    }

    @Test func `a method that the path does not support gets 405 with Allow before any other check`() throws {
        let server = try TestServer()
        let expected = [
            ("/v1/rooms", "POST, GET, HEAD"), ("/v1/guests", "POST"), ("/v1/rooms/room_x/members/me", "DELETE"),
            ("/v1/rooms/room_x/members/user_x", "PATCH, DELETE"), ("/v1/rooms/room_x", "GET, HEAD, DELETE"),
            ("/healthz", "GET, HEAD"),
        ]
        for (path, allow) in expected {
            let response = try server.call("PUT", path, raw: "not json", by: garbled)
            #expect(response.status == 405, "\(path)")
            #expect(response.code == "request.method_not_allowed")
            let methods = try #require(response.header("Allow")).split(separator: ", ").sorted()
            #expect(methods == allow.split(separator: ", ").sorted(), "\(path)")
        }
    }

    @Test func `the token is checked before the room, the room before the body`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let absent = "/v1/rooms/room_00000000000000000000000000/bids"
        #expect(try fixture.server.call("POST", absent, raw: "not json").code == "token.missing")
        #expect(try fixture.server.call("POST", absent, raw: "not json", by: garbled).code == "token.invalid")
        #expect(try fixture.server.call("POST", absent, raw: "not json", by: fixture.bidder).code == "room.not_found")
        #expect(
            try fixture.server.call("POST", fixture.path + "/bids", raw: "not json", by: fixture.stranger).code
                == "room.not_found")
        #expect(
            try fixture.server.call("POST", fixture.path + "/bids", raw: "not json", by: fixture.bidder).code
                == "request.malformed")
    }

    @Test func `what the path names is checked after the room and before body and query`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let expected = [
            ("PATCH", "/members/garbled", "member.not_found"), ("PATCH", "/items/garbled", "item.not_found"),
            ("POST", "/stage/garbled/accept", "stage.not_found"), ("POST", "/stage/seats/99/mute", "stage.seat_unknown"),
            ("DELETE", "/bids/garbled?unknown=1", "bid.not_found"), ("DELETE", "/messages/garbled", "message.not_found"),
        ]
        for (method, path, code) in expected {
            #expect(
                try fixture.server.call(method, fixture.path + path, raw: "not json", by: fixture.bidder).code == code,
                "\(path)")
            #expect(
                try fixture.server.call(method, fixture.path + path, raw: "not json", by: fixture.stranger).code
                    == "room.not_found",
                "\(path)")
        }
    }

    @Test func `the body is checked before the rate, the rate before the key, the key before the permission`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.bidsPerSecond = 2 })
        try fixture.openBidding()
        let key = [(name: "Idempotency-Key", value: "k")]
        func bid(_ body: JSONValue, _ headers: [(name: String, value: String)] = []) throws -> String? {
            try fixture.call("POST", "/bids", body, by: fixture.bidder, headers).code
        }
        for _ in 0..<5 {
            #expect(try bid(["amount": "x"]) == "money.malformed", "a malformed bid does not count against the rate")
        }
        #expect(try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, key).status == 201)
        #expect(try bid(["amount": "1"], key) == "idempotency.key_reused", "not bid.already_leading")
        #expect(try bid(["amount": "1"], key) == "bid.rate")
        #expect(try bid(["amount": "x"]) == "money.malformed")
        fixture.server.clock.advance(seconds: 1)
        #expect(try bid(["amount": "1"]) == "bid.already_leading")
    }

    @Test func `a new guest's body is checked before the rate, and counts only if a guest is created`() throws {
        let server = try TestServer { $0.limits.guestsPerMinute = 2 }
        #expect(try server.call("POST", "/v1/guests", [:]).status == 400, "creates no guest and counts as none")
        #expect(try server.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
        #expect(try server.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
        #expect(try server.call("POST", "/v1/guests", ["nickname": "a"]).status == 429)
        #expect(try server.call("POST", "/v1/guests", [:]).status == 400)
        #expect(try server.call("POST", "/v1/guests", ["nickname": 5]).text("field") == "nickname")
        server.clock.advance(seconds: 30)
        #expect(try server.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
    }
}
