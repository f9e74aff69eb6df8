import ExactJSON
import Testing

/// What users see of their account, and of the rooms that they are members of.
struct MyRoomsTests {
    /// The ids of the listed rooms with the caller's role.
    private func rooms(_ server: TestServer, of guest: Guest, _ query: String = "") throws -> [String] {
        let response = try server.call("GET", "/v1/me/rooms" + query, by: guest)
        try #require(response.status == 200)
        return response.list("rooms").map { "\($0.text("room.id") ?? "?") \($0.text("role") ?? "?")" }
    }

    private func rooms(_ fixture: RoomFixture, of guest: Guest) throws -> [String] { try rooms(fixture.server, of: guest) }

    private func id(_ fixture: RoomFixture) -> String { String(fixture.path.dropFirst("/v1/rooms/".count)) }

    @Test func `a user reads who they are, how long the token is valid, and the number of their rooms`() throws {
        let fixture = try RoomFixture()
        let me = try fixture.server.call("GET", "/v1/me", by: fixture.bidder)
        #expect(me["user"] == fixture.bidder.person)
        #expect(me.text("tokenExpiresAt") == fixture.server.clock.text(in: 7 * 24 * 3600))
        #expect(me.int("rooms") == 1)
        #expect(try fixture.server.call("GET", "/v1/me", by: fixture.stranger).int("rooms") == 0)
    }

    @Test func `members find a private room in their list, with their role and its state`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let id = id(fixture)
        #expect(try rooms(fixture, of: fixture.host) == ["\(id) host"])
        #expect(try rooms(fixture, of: fixture.owner) == ["\(id) auctioneer"])
        #expect(try rooms(fixture, of: fixture.bidder) == ["\(id) bidder"])
        #expect(try rooms(fixture, of: fixture.viewer) == ["\(id) viewer"])
        #expect(try rooms(fixture, of: fixture.stranger) == [])
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let room = try fixture.server.call("GET", "/v1/me/rooms", by: fixture.bidder)
        #expect(room.text("rooms.0.room.state") == "auctioning")
        #expect(room.text("rooms.0.room.visibility") == "private")
        #expect(room.text("rooms.0.room.currentPrice") == "100.00")
        #expect(room.text("rooms.0.room.itemName") == "Teapot")
    }

    @Test func `changes of the role are shown, by the host, the user or the stage`() throws {
        let fixture = try RoomFixture()
        let id = id(fixture)
        try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["role": "auctioneer"], by: fixture.host)
        #expect(try rooms(fixture, of: fixture.viewer) == ["\(id) auctioneer"])
        try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["role": "bidder"], by: fixture.host)
        #expect(try rooms(fixture, of: fixture.viewer) == ["\(id) bidder"])
        try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.rival)
        #expect(try rooms(fixture, of: fixture.rival) == ["\(id) viewer"])
        let request = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: fixture.rival)
        let stage = try #require(request.text("id"))
        try fixture.call("POST", "/stage/\(stage)/accept", by: fixture.host)
        try fixture.call("POST", "/stage/\(stage)/confirm", by: fixture.rival)
        #expect(try rooms(fixture, of: fixture.rival) == ["\(id) bidder"])
        try fixture.call("POST", "/stage/leave", by: fixture.rival)
        #expect(try rooms(fixture, of: fixture.rival) == ["\(id) viewer"])
        // The host leaves, and the auctioneer who has been one for longest becomes host.
        try fixture.call("DELETE", "/members/me", by: fixture.host)
        #expect(try rooms(fixture, of: fixture.host) == [])
        #expect(try rooms(fixture, of: fixture.owner) == ["\(id) host"])
    }

    @Test(arguments: ["public", "private"])
    func `users who left, were kicked or are banned do not find the room`(visibility: String) throws {
        let fixture = try RoomFixture(visibility: visibility)
        let id = id(fixture)
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        try fixture.call("DELETE", "/members/\(fixture.rival.id)", by: fixture.host)
        try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["banned": true], by: fixture.host)
        for guest in [fixture.bidder, fixture.rival, fixture.viewer] {
            #expect(try rooms(fixture, of: guest) == [])
            #expect(try fixture.server.call("GET", "/v1/me", by: guest).int("rooms") == 0)
        }
        try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["banned": false], by: fixture.host)
        #expect(try rooms(fixture, of: fixture.viewer) == ["\(id) viewer"])
    }

    @Test func `an archived room is in no list of rooms`() throws {
        let fixture = try RoomFixture()
        try #require(try fixture.call("DELETE", by: fixture.host).status == 204)
        for guest in [fixture.host, fixture.bidder] {
            #expect(try rooms(fixture, of: guest) == [])
            #expect(try fixture.server.call("GET", "/v1/me", by: guest).int("rooms") == 0)
        }
    }

    @Test func `the list has pages, newest room first, and only the caller's rooms`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.guest("Ann"), try server.guest("Bob"))
        var opened: [String] = []
        for number in 1...5 {
            opened.append(
                try #require(try server.call("POST", "/v1/rooms", ["name": .string("Room \(number)")], by: ann).text("id")))
            try server.call("POST", "/v1/rooms", ["name": "Another", "visibility": "private"], by: bob)
        }
        var (seen, cursor): ([String], String?) = ([], "")
        while let at = cursor {
            let page = try server.call("GET", "/v1/me/rooms?limit=2" + (at.isEmpty ? "" : "&cursor=\(at)"), by: ann)
            #expect((1...2).contains(page.list("rooms").count))
            seen += page.list("rooms").compactMap { $0.text("room.id") }
            cursor = page.text("nextCursor")
        }
        #expect(seen == opened.reversed())
    }

    @Test(arguments: ["/rooms", "/bids", "/wins"])
    func `a cursor or limit that is none is refused`(list: String) throws {
        let server = try TestServer()
        let guest = try server.guest("Ann")
        for (query, field) in [
            ("cursor=x", "cursor"), ("cursor=-1", "cursor"), ("cursor=1-2", "cursor"), ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("cursor=99999999999999999999", "cursor"), ("cursor=1--2-3", "cursor"), ("state=closed", "state"),
        ] {
            let response = try server.call("GET", "/v1/me\(list)?\(query)", by: guest)
            #expect(response.status == 400)
            #expect(response.text("field") == field)
        }
        #expect(try server.call("GET", "/v1/me" + list).status == 401)
    }
}
