import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

struct RateTests {
    @Test func `bids are limited per user and room, and responses carry the rate limit headers`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.bidsPerSecond = 3 })
        try fixture.openBidding()
        for remaining in [2, 1, 0] {
            let response = try fixture.bid("1", by: fixture.bidder)
            #expect(response.status == 422)
            #expect(response.header("RateLimit-Policy") == #""bids";q=3;w=1"#)
            #expect(response.header("RateLimit")?.hasPrefix(#""bids";r=\#(remaining);"#) == true)
        }
        let refused = try fixture.bid("100", by: fixture.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "bid.rate")
        #expect(refused.text("type") == "/problems/too-many-requests")
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("RateLimit")?.hasPrefix(#""bids";r=0;"#) == true)
        #expect(try fixture.bid("100", by: fixture.rival).status == 201, "the limit is per user")
        fixture.server.clock.advance(seconds: 1)
        #expect(try fixture.bid("110", by: fixture.bidder).status == 201)
    }

    @Test func `each room has its own limit`() throws {
        let server = try TestServer { $0.limits.bidsPerSecond = 1 }
        let (one, two) = (try RoomFixture(server), try RoomFixture(server))
        #expect(try one.bid("1", by: one.bidder).code == "bid.not_auctioning")
        #expect(try one.bid("1", by: one.bidder).code == "bid.rate")
        #expect(try two.bid("1", by: one.bidder).code == "bid.not_auctioning")
    }

    @Test func `without a limit there are no rate limit headers`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        for _ in 0..<50 { #expect(try fixture.bid("1", by: fixture.bidder).status == 422) }
        #expect(try fixture.bid("1", by: fixture.bidder).header("RateLimit") == nil)
    }

    @Test func `other commands are limited per user over all rooms`() throws {
        let server = try TestServer { $0.limits.commandsPerSecond = 3 }
        let (host, guest) = (try server.guest("Ada"), try server.guest("Ben"))
        let rooms = try (0..<3).map { _ in try server.call("POST", "/v1/rooms", ["name": "a"], by: host) }
        #expect(rooms.map(\.status) == [201, 201, 201])
        let path = "/v1/rooms/\(rooms[0].text("id") ?? "")"
        let refused = try server.call("DELETE", path, by: host)
        #expect(refused.status == 429)
        #expect(refused.code == "command.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("RateLimit-Policy") == #""commands";q=3;w=1"#)
        #expect(refused.header("RateLimit")?.hasPrefix(#""commands";r=0;"#) == true)
        #expect(try server.call("GET", path, by: host).status == 200, "reads are not limited as commands")
        #expect(
            try server.call("POST", path + "/members", ["role": "bidder"], by: guest).status == 201, "the limit is per user")
        server.clock.advance(seconds: 1)
        #expect(try server.call("DELETE", path, by: host).status == 204)
    }

    @Test func `opening a room counts as a command before the log is read for it`() throws {
        let server = try TestServer {
            $0.limits.commandsPerSecond = 1
            $0.limits.roomsPerUser = 1
        }
        let host = try server.guest("Ada")
        #expect(try server.call("POST", "/v1/rooms", ["name": "a"], by: host).status == 201)
        #expect(try server.call("POST", "/v1/rooms", ["name": "b"], by: host).code == "command.rate")
        server.clock.advance(seconds: 1)
        #expect(try server.call("POST", "/v1/rooms", ["name": "b"], by: host).code == "room.too_many")
    }

    @Test(arguments: [("POST", "/bids"), ("PATCH", "/me"), ("PUT", "/sale")])
    func `malformed bodies are limited for every method`(method: String, tail: String) throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 })
        let path = tail == "/me" ? "/v1/me" : fixture.path + tail
        let codes = try (0..<100).map { _ in
            try fixture.server.call(method, path, raw: "{", by: fixture.bidder).code
        }
        #expect(codes.first == "request.malformed")
        #expect(codes.last == "command.rate")
    }

    @Test func `new guests are limited per address`() throws {
        let server = try TestServer { $0.limits.guestsPerMinute = 2 }
        for remaining in [1, 0] {
            let response = try server.call("POST", "/v1/guests", ["nickname": "a"])
            #expect(response.status == 201)
            #expect(response.header("RateLimit-Policy") == #""guests";q=2;w=60"#)
            #expect(response.header("RateLimit")?.hasPrefix(#""guests";r=\#(remaining);"#) == true)
        }
        let refused = try server.call("POST", "/v1/guests", ["nickname": "a"])
        #expect(refused.status == 429)
        #expect(refused.code == "guest.rate")
        #expect(refused.header("Retry-After") == "30")
        #expect(refused.text("detail")?.contains("POST /v1/tokens/renew") == true, "says what to do")
        server.clock.advance(seconds: 30)
        #expect(try server.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
    }

    @Test func `the policy of guests has the burst as its quota, and never less than what remains`() throws {
        let server = try TestServer {
            $0.limits.guestsPerMinute = 2
            $0.limits.guestsBurst = 5
        }
        let response = try server.call("POST", "/v1/guests", ["nickname": "a"])
        #expect(response.header("RateLimit-Policy") == #""guests";q=5;w=150"#)
        #expect(response.header("RateLimit") == #""guests";r=4;t=0"#)
    }

    @Test func `an address that many users share may have a burst of guests, and then the rate`() throws {
        let server = try TestServer {
            $0.limits.guestsPerMinute = 2
            $0.limits.guestsBurst = 5
        }
        func create() throws -> Int { try server.call("POST", "/v1/guests", ["nickname": "a"]).status }
        #expect(try (0..<6).map { _ in try create() } == [201, 201, 201, 201, 201, 429])
        server.clock.advance(seconds: 60)
        #expect(try (0..<3).map { _ in try create() } == [201, 201, 429])
        server.clock.advance(seconds: 140)
        #expect(try (0..<5).map { _ in try create() } == [201, 201, 201, 201, 429], "the burst refills at the rate")
    }

    @Test func `by default a hall behind one address comes in at once, and then as many as per minute`() throws {
        let server = try TestServer {
            let commands = $0.limits.commandsPerSecond
            $0.limits = RequestLimits()
            $0.limits.commandsPerSecond = commands
        }
        func create() throws -> Int { try server.call("POST", "/v1/guests", ["nickname": "a"]).status }
        #expect(try (0..<300).allSatisfy { _ in try create() == 201 })
        #expect(try create() == 429)
        server.clock.advance(seconds: 60)
        #expect(try (0..<60).allSatisfy { _ in try create() == 201 })
        #expect(try create() == 429)
    }

    @Test func `a number of guests per minute that is set is taken as it is, also where it is the default`() throws {
        let server = try TestServer { $0.limits.guestsPerMinute = RequestLimits().guestsPerMinute }
        let statuses = try (0..<61).map { _ in try server.call("POST", "/v1/guests", ["nickname": "a"]).status }
        #expect(statuses == [Int](repeating: 201, count: 60) + [429])
    }

    @Test func `malformed bodies of new guests count against the address, and do not use up its guests`() throws {
        let server = try TestServer {
            $0.limits.guestsPerMinute = 100
            $0.limits.commandsPerSecond = 2
        }
        let statuses = try (0..<40).map { _ in try server.call("POST", "/v1/guests", [:]).status }
        #expect(statuses.first == 400)
        #expect(statuses.last == 429)
        server.clock.advance(seconds: 10)
        let guest = try server.call("POST", "/v1/guests", ["nickname": "a"])
        #expect(guest.header("RateLimit")?.hasPrefix(#""guests";r=99;"#) == true)
    }
}

struct RoomLimitTests {
    @Test func `a host has a limited number of open rooms, and archiving one allows another`() throws {
        let server = try TestServer { $0.limits.roomsPerUser = 2 }
        let host = try server.guest("Hana")
        let first = try server.call("POST", "/v1/rooms", ["name": "one"], by: host)
        #expect(try server.call("POST", "/v1/rooms", ["name": "two"], by: host, [("Idempotency-Key", "k")]).status == 201)
        let third = try server.call("POST", "/v1/rooms", ["name": "three"], by: host)
        #expect(third.status == 429)
        #expect(third.code == "room.too_many")
        #expect(third.header("Retry-After") == "60")
        let again = try server.call("POST", "/v1/rooms", ["name": "two"], by: host, [("Idempotency-Key", "k")])
        #expect(again.status == 201, "a retry opens no further room")
        #expect(try server.call("POST", "/v1/rooms", ["name": "other"], by: try server.guest("Anna")).status == 201)
        #expect(try server.call("DELETE", "/v1/rooms/\(first.text("id") ?? "")", by: host).status == 204)
        #expect(try server.call("POST", "/v1/rooms", ["name": "three"], by: host).status == 201)
    }
}

struct PendingCommandTests {
    @Test func `beyond the limit of commands in flight new ones are refused without effect`() throws {
        let server = try TestServer { $0.limits.pendingCommands = 0 }
        let refused = try server.call("POST", "/v1/rooms", ["name": "one"], by: try server.guest("Hana"))
        #expect(refused.status == 503)
        #expect(refused.code == "service.overloaded")
        #expect(refused.header("Retry-After") == "1")
    }
}
