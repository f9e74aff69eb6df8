import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

struct RateTests {
    @Test func `bids are limited per user and room, and say where the limit stands`() throws {
        let scene = try Scene(try House { $0.limits.bidsPerSecond = 3 })
        try scene.openBidding()
        for remaining in [2, 1, 0] {
            let answer = try scene.bid("1", by: scene.bidder)
            #expect(answer.status == 422)
            #expect(answer.header("RateLimit-Policy") == #""bids";q=3;w=1"#)
            #expect(answer.header("RateLimit")?.hasPrefix(#""bids";r=\#(remaining);"#) == true)
        }
        let refused = try scene.bid("100", by: scene.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "bid.rate")
        #expect(refused.text("type") == "/problems/too-many-requests")
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("RateLimit")?.hasPrefix(#""bids";r=0;"#) == true)
        #expect(try scene.bid("100", by: scene.rival).status == 201, "others are not held back")
        scene.house.clock.advance(seconds: 1)
        #expect(try scene.bid("110", by: scene.bidder).status == 201)
    }

    @Test func `another room is another limit`() throws {
        let house = try House { $0.limits.bidsPerSecond = 1 }
        let (one, two) = (try Scene(house), try Scene(house))
        #expect(try one.bid("1", by: one.bidder).code == "bid.not_auctioning")
        #expect(try one.bid("1", by: one.bidder).code == "bid.rate")
        #expect(try two.bid("1", by: one.bidder).code == "bid.not_auctioning")
    }

    @Test func `without a limit there are no headers`() throws {
        let scene = try Scene()
        try scene.openBidding()
        for _ in 0..<50 { #expect(try scene.bid("1", by: scene.bidder).status == 422) }
        #expect(try scene.bid("1", by: scene.bidder).header("RateLimit") == nil)
    }

    @Test func `other commands are limited per user, in all rooms together`() throws {
        let house = try House { $0.limits.commandsPerSecond = 3 }
        let (host, guest) = (try house.guest("Ada"), try house.guest("Ben"))
        let rooms = try (0..<3).map { _ in try house.call("POST", "/v1/rooms", ["name": "a"], by: host) }
        #expect(rooms.map(\.status) == [201, 201, 201])
        let path = "/v1/rooms/\(rooms[0].text("id") ?? "")"
        let refused = try house.call("DELETE", path, by: host)
        #expect(refused.status == 429)
        #expect(refused.code == "command.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("RateLimit-Policy") == #""commands";q=3;w=1"#)
        #expect(refused.header("RateLimit")?.hasPrefix(#""commands";r=0;"#) == true)
        #expect(try house.call("GET", path, by: host).status == 200, "reading is no command")
        #expect(
            try house.call("POST", path + "/members", ["role": "bidder"], by: guest).status == 201, "others are not held back")
        house.clock.advance(seconds: 1)
        #expect(try house.call("DELETE", path, by: host).status == 204)
    }

    @Test func `new guests are limited per address`() throws {
        let house = try House { $0.limits.guestsPerMinute = 2 }
        for remaining in [1, 0] {
            let answer = try house.call("POST", "/v1/guests", ["nickname": "a"])
            #expect(answer.status == 201)
            #expect(answer.header("RateLimit-Policy") == #""guests";q=2;w=60"#)
            #expect(answer.header("RateLimit")?.hasPrefix(#""guests";r=\#(remaining);"#) == true)
        }
        let refused = try house.call("POST", "/v1/guests", ["nickname": "a"])
        #expect(refused.status == 429)
        #expect(refused.code == "guest.rate")
        #expect(refused.header("Retry-After") == "30")
        house.clock.advance(seconds: 30)
        #expect(try house.call("POST", "/v1/guests", ["nickname": "a"]).status == 201)
    }
}

struct RoomLimitTests {
    @Test func `a host opens at most so many rooms, and may open one for each that is archived`() throws {
        let house = try House { $0.limits.roomsPerUser = 2 }
        let host = try house.guest("Hana")
        let first = try house.call("POST", "/v1/rooms", ["name": "one"], by: host)
        #expect(try house.call("POST", "/v1/rooms", ["name": "two"], by: host, [("Idempotency-Key", "k")]).status == 201)
        let third = try house.call("POST", "/v1/rooms", ["name": "three"], by: host)
        #expect(third.status == 429)
        #expect(third.code == "room.too_many")
        #expect(third.header("Retry-After") == "60")
        let again = try house.call("POST", "/v1/rooms", ["name": "two"], by: host, [("Idempotency-Key", "k")])
        #expect(again.status == 201, "a repeat opens no further room")
        #expect(try house.call("POST", "/v1/rooms", ["name": "other"], by: try house.guest("Anna")).status == 201)
        #expect(try house.call("DELETE", "/v1/rooms/\(first.text("id") ?? "")", by: host).status == 204)
        #expect(try house.call("POST", "/v1/rooms", ["name": "three"], by: host).status == 201)
    }
}

struct PendingCommandTests {
    @Test func `beyond the limit of commands on their way new ones are turned away, and nothing is changed`() throws {
        let house = try House { $0.limits.pendingCommands = 0 }
        let refused = try house.call("POST", "/v1/rooms", ["name": "one"], by: try house.guest("Hana"))
        #expect(refused.status == 503)
        #expect(refused.code == "service.overloaded")
        #expect(refused.header("Retry-After") == "1")
    }
}
