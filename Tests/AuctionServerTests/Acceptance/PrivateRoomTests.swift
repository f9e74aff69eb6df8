import ExactJSON
import Testing

struct PrivateRoomTests {
    /// A problem without what names the request.
    private func essence(_ answer: HTTPAnswer) -> [JSONMember] {
        (answer.json.members ?? []).filter { !["instance", "requestId"].contains($0.name) }
    }

    @Test func `a hidden room and one that does not exist look the same everywhere`() throws {
        let scene = try Scene(visibility: "private")
        let absent = "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"
        let calls: [(String, String, JSONValue?)] = [
            ("GET", "", nil), ("DELETE", "", nil), ("POST", "/members", ["role": "bidder"]), ("GET", "/members", nil),
            ("POST", "/members", ["inviteCode": "000000000000"]), ("DELETE", "/members/me", nil),
            ("PATCH", "/members/\(scene.bidder.id)", ["role": "viewer"]), ("POST", "/items", Scene.teapot),
            ("POST", "/auction/start", nil), ("POST", "/auction/end", nil), ("POST", "/bids", ["amount": "1"]),
            ("GET", "/bids", nil), ("GET", "/permissions", nil), ("GET", "/permission-rules", nil), ("GET", "/results", nil),
            ("GET", "/events", nil), ("GET", "/events?after=latest&wait=20", nil),
        ]
        for (method, tail, body) in calls {
            let hidden = try scene.call(method, tail, body, by: scene.stranger)
            let missing = try scene.house.call(method, absent + tail, body, by: scene.stranger)
            #expect(hidden.status == 404, "\(method) \(tail)")
            #expect(hidden.code == "room.not_found", "\(method) \(tail)")
            #expect(essence(hidden) == essence(missing), "\(method) \(tail)")
            #expect(hidden.headers.map(\.name) == missing.headers.map(\.name), "\(method) \(tail)")
        }
        #expect(try scene.call("GET").code == "room.not_found", "without a token too")
    }

    @Test func `an invite code opens it, to whoever has it`() throws {
        let scene = try Scene(visibility: "private")
        let code = try #require(try scene.room().text("inviteCode"))
        let joined = try scene.call(
            "POST", "/members", ["role": "bidder", "inviteCode": .string(code)], by: scene.stranger)
        #expect(joined.status == 201)
        #expect(joined.text("role") == "bidder")
        #expect(try scene.room(as: scene.stranger).status == 200)
        try scene.openBidding()
        #expect(try scene.bid("100", by: scene.stranger).status == 201)
        try scene.call("DELETE", "/members/me", by: scene.stranger)
        #expect(try scene.room(as: scene.stranger).status == 404, "it is hidden again from whoever leaves")
    }

    @Test func `a held poll tells whoever is banned meanwhile nothing more`() throws {
        let scene = try Scene(visibility: "private")
        let code = try #require(try scene.room().text("inviteCode"))
        try scene.call("POST", "/members", ["inviteCode": .string(code)], by: scene.stranger)
        let connection = try scene.house.connect()
        let poll = scene.house.request("GET", scene.path + "/events?after=latest&wait=60", by: scene.stranger)
        try connection.send(poll)
        try eventually("the poll is held") { try scene.room().int("viewers") == 1 }
        try scene.call("PATCH", "/members/\(scene.stranger.id)", ["banned": true], by: scene.host)
        #expect(try scene.house.receive(on: connection, to: poll).code == "room.not_found")
    }

    @Test func `the list shows a private room to its host only`() throws {
        let scene = try Scene(visibility: "private")
        #expect(try scene.house.call("GET", "/v1/rooms").list("rooms").isEmpty)
        #expect(try scene.house.call("GET", "/v1/rooms", by: scene.stranger).list("rooms").isEmpty)
        #expect(try scene.house.call("GET", "/v1/rooms", by: scene.host).list("rooms").count == 1)
    }

    @Test func `nobody but the host ever reads the invite code`() throws {
        let scene = try Scene()
        let code = try #require(try scene.room().text("inviteCode"))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        var answers = [
            try scene.call("GET", "/events?limit=256", by: scene.host), try scene.call("GET", "/events?limit=256"),
            try scene.call("GET"), try scene.call("GET", "/members", by: scene.host), try scene.call("GET", "/results"),
            try scene.house.call("GET", "/v1/rooms", by: scene.host), try scene.call("GET", "/permissions", by: scene.owner),
        ]
        for guest in [scene.owner, scene.bidder, scene.viewer, scene.stranger] {
            answers.append(try scene.room(as: guest))
            answers.append(try scene.call("POST", "/members", by: guest))
            answers.append(try scene.call("POST", "/auction/end", by: guest))
        }
        for answer in answers { #expect(!answer.bodyText.contains(code) && !answer.bodyText.contains("inviteCode")) }
    }

    @Test func `an archived room is gone for everybody, its host too`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let running = try scene.call("DELETE", by: scene.host)
        #expect(running.status == 409)
        #expect(running.code == "room.round_running")
        try scene.call("POST", "/auction/end", by: scene.host)
        #expect(try scene.call("DELETE", by: scene.owner).code == "room.not_host")
        #expect(try scene.call("DELETE", by: scene.host).status == 204)
        #expect(try scene.room().code == "room.not_found")
        #expect(try scene.call("DELETE", by: scene.host).status == 404)
        #expect(try scene.house.call("GET", "/v1/rooms").list("rooms").isEmpty)
    }
}
