import ExactJSON
import Testing

struct PrivateRoomTests {
    /// A problem without the members that identify the request.
    private func normalized(_ response: HTTPResponse) -> [JSONMember] {
        (response.json.members ?? []).filter { !["instance", "requestId"].contains($0.name) }
    }

    @Test func `a hidden room and a missing room get equal responses for every operation`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let absent = "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"
        let calls: [(String, String, JSONValue?)] = [
            ("GET", "", nil), ("DELETE", "", nil), ("POST", "/members", ["role": "bidder"]), ("GET", "/members", nil),
            ("POST", "/members", ["inviteCode": "000000000000"]), ("DELETE", "/members/me", nil),
            ("PATCH", "/members/\(fixture.bidder.id)", ["role": "viewer"]), ("POST", "/items", RoomFixture.teapot),
            ("POST", "/auction/start", nil), ("POST", "/auction/end", nil), ("POST", "/bids", ["amount": "1"]),
            ("GET", "/bids", nil), ("GET", "/permissions", nil), ("GET", "/permission-rules", nil), ("GET", "/results", nil),
            ("GET", "/events", nil), ("GET", "/events?after=latest&wait=20", nil),
        ]
        for (method, tail, body) in calls {
            let hidden = try fixture.call(method, tail, body, by: fixture.stranger)
            let missing = try fixture.server.call(method, absent + tail, body, by: fixture.stranger)
            #expect(hidden.status == 404, "\(method) \(tail)")
            #expect(hidden.code == "room.not_found", "\(method) \(tail)")
            #expect(normalized(hidden) == normalized(missing), "\(method) \(tail)")
            #expect(hidden.headers.map(\.name) == missing.headers.map(\.name), "\(method) \(tail)")
        }
        #expect(try fixture.call("GET").code == "room.not_found", "without a token too")
    }

    @Test func `an invite code admits any user who has it`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let code = try #require(try fixture.room().text("inviteCode"))
        let joined = try fixture.call(
            "POST", "/members", ["role": "bidder", "inviteCode": .string(code)], by: fixture.stranger)
        #expect(joined.status == 201)
        #expect(joined.text("role") == "bidder")
        #expect(try fixture.room(as: fixture.stranger).status == 200)
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.stranger).status == 201)
        try fixture.call("DELETE", "/members/me", by: fixture.stranger)
        #expect(try fixture.room(as: fixture.stranger).status == 404, "the room is hidden again from a user who left")
    }

    @Test func `a waiting poll of a user who is banned meanwhile returns no events`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let code = try #require(try fixture.room().text("inviteCode"))
        try fixture.call("POST", "/members", ["inviteCode": .string(code)], by: fixture.stranger)
        let connection = try fixture.server.connect()
        let poll = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=60", by: fixture.stranger)
        try connection.send(poll)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 1 }
        try fixture.call("PATCH", "/members/\(fixture.stranger.id)", ["banned": true], by: fixture.host)
        #expect(try fixture.server.receive(on: connection, to: poll).code == "room.not_found")
    }

    @Test func `the room list shows a private room to its host only`() throws {
        let fixture = try RoomFixture(visibility: "private")
        #expect(try fixture.server.call("GET", "/v1/rooms").list("rooms").isEmpty)
        #expect(try fixture.server.call("GET", "/v1/rooms", by: fixture.stranger).list("rooms").isEmpty)
        #expect(try fixture.server.call("GET", "/v1/rooms", by: fixture.host).list("rooms").count == 1)
    }

    @Test func `the invite code is shown to the host only`() throws {
        let fixture = try RoomFixture()
        let code = try #require(try fixture.room().text("inviteCode"))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        var responses = [
            try fixture.call("GET", "/events?limit=256", by: fixture.host), try fixture.call("GET", "/events?limit=256"),
            try fixture.call("GET"), try fixture.call("GET", "/members", by: fixture.host), try fixture.call("GET", "/results"),
            try fixture.server.call("GET", "/v1/rooms", by: fixture.host),
            try fixture.call("GET", "/permissions", by: fixture.owner),
        ]
        for guest in [fixture.owner, fixture.bidder, fixture.viewer, fixture.stranger] {
            responses.append(try fixture.room(as: guest))
            responses.append(try fixture.call("POST", "/members", by: guest))
            responses.append(try fixture.call("POST", "/auction/end", by: guest))
        }
        for response in responses { #expect(!response.bodyText.contains(code) && !response.bodyText.contains("inviteCode")) }
    }

    @Test func `an archived room is not found for any user, including its host`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let running = try fixture.call("DELETE", by: fixture.host)
        #expect(running.status == 409)
        #expect(running.code == "room.round_running")
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try fixture.call("DELETE", by: fixture.owner).code == "room.not_host")
        #expect(try fixture.call("DELETE", by: fixture.host).status == 204)
        #expect(try fixture.room().code == "room.not_found")
        #expect(try fixture.call("DELETE", by: fixture.host).status == 404)
        #expect(try fixture.server.call("GET", "/v1/rooms").list("rooms").isEmpty)
    }
}
