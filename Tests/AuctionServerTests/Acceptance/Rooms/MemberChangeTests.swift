import ExactJSON
import Testing

/// The host mutes, bans, limits and removes members.
struct MemberChangeTests {
    private func change(_ fixture: RoomFixture, _ guest: Guest, _ body: JSONValue, by caller: Guest? = nil) throws
        -> HTTPResponse
    {
        try fixture.call("PATCH", "/members/\(guest.id)", body, by: caller ?? fixture.host)
    }

    private func member(_ fixture: RoomFixture, _ guest: Guest, as caller: Guest?) throws -> JSONValue? {
        try fixture.call("GET", "/members", by: caller).list("members").first { $0.text("user.id") == guest.id }
    }

    @Test func `a muted member cannot send messages until unmuted`() throws {
        let fixture = try RoomFixture()
        #expect(try change(fixture, fixture.bidder, ["muted": true])["muted"] == true)
        #expect(try fixture.room(as: fixture.bidder)["me.muted"] == true)
        let refused = try fixture.call("POST", "/messages", ["text": "hello?"], by: fixture.bidder)
        #expect(refused.status == 403)
        #expect(refused.code == "message.muted")
        #expect(refused.text("permission.required") == "not muted")
        #expect(refused.text("permission.actual") == "muted")
        #expect(try change(fixture, fixture.bidder, ["muted": false])["muted"] == false)
        #expect(try fixture.call("POST", "/messages", ["text": "hello!"], by: fixture.bidder).status == 201)
    }

    @Test func `a banned member can neither bid nor rejoin, and their bid stays valid`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        #expect(try change(fixture, fixture.bidder, ["banned": true])["banned"] == true)
        try fixture.bid("110", by: fixture.rival)
        let refused = try fixture.bid("120", by: fixture.bidder)
        #expect(refused.code == "bid.banned")
        #expect(refused.text("permission.required") == "not banned")
        #expect(refused.text("permission.actual") == "banned")
        #expect(try fixture.call("GET", "/bids").list("bids").count == 2)
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        let back = try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder)
        #expect(back.status == 403)
        #expect(back.code == "member.banned")
    }

    @Test func `a user who left with a mute is banned, limited and forgiven, and the response has no role`() throws {
        let fixture = try RoomFixture()
        try change(fixture, fixture.bidder, ["muted": true]).expect(200)
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        let banned = try change(fixture, fixture.bidder, ["banned": true, "creditLimit": "20"])
        #expect(banned.text("user.id") == fixture.bidder.id)
        #expect(banned["role"] == .null)
        #expect(banned["joinedAt"] == .null)
        #expect(banned["muted"] == true)
        #expect(banned["banned"] == true)
        #expect(banned.text("creditLimit") == "20.00")
        // Also once no decision remains: they have been here.
        let forgiven = try change(fixture, fixture.bidder, ["muted": false, "banned": false, "creditLimit": nil])
        #expect(forgiven.text("user.id") == fixture.bidder.id)
        #expect(forgiven["banned"] == false)
        #expect(forgiven["creditLimit"] == .null)
        #expect(try change(fixture, fixture.bidder, ["muted": true])["muted"] == true)
    }

    @Test func `a viewer who was removed is banned, and an id that was never in the room is not found`() throws {
        let fixture = try RoomFixture()
        #expect(try fixture.call("DELETE", "/members/\(fixture.viewer.id)", by: fixture.host).status == 204)
        let banned = try change(fixture, fixture.viewer, ["banned": true])
        #expect(banned.status == 200 && banned["banned"] == true && banned["role"] == .null)
        #expect(try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.viewer).code == "member.banned")
        #expect(try change(fixture, fixture.stranger, ["banned": true]).code == "member.not_found")
    }

    @Test func `the host alone is shown who is banned, also who has left, in pages, and lifts a ban`() throws {
        let fixture = try RoomFixture()
        for guest in [fixture.bidder, fixture.rival] { try change(fixture, guest, ["banned": true]).expect(200) }
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        func banned(_ query: String = "") throws -> HTTPResponse {
            try fixture.call("GET", "/members?banned=true" + query, by: fixture.host)
        }
        let rows = try banned().list("members")
        #expect(rows.map { $0.text("user.id") ?? "" } == [fixture.bidder.id, fixture.rival.id].sorted())
        #expect(rows.allSatisfy { $0["banned"] == true })
        let gone = try #require(rows.first { $0.text("user.id") == fixture.bidder.id })
        #expect(gone["role"] == .null && gone["joinedAt"] == .null)
        let first = try banned("&limit=1")
        let cursor = try #require(first.text("nextCursor"))
        let second = try banned("&limit=1&cursor=\(cursor)")
        #expect(first.list("members") + second.list("members") == rows && second.isNull("nextCursor"))
        #expect(try banned("&role=bidder").list("members").map { $0.text("user.id") } == [fixture.rival.id])
        #expect(try fixture.call("GET", "/members?banned=true", by: fixture.viewer).code == "ban.not_host")
        #expect(try fixture.call("GET", "/members?banned=true").code == "token.missing")
        #expect(try fixture.call("GET", "/members?banned=perhaps", by: fixture.host).text("field") == "banned")
        try change(fixture, fixture.bidder, ["banned": false]).expect(200)
        #expect(try banned().list("members").map { $0.text("user.id") } == [fixture.rival.id])
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder).status == 201)
    }

    @Test func `a private room is not found for a user banned from it`() throws {
        let fixture = try RoomFixture(visibility: "private")
        try change(fixture, fixture.viewer, ["banned": true]).expect(200)
        for (method, tail) in [("GET", ""), ("GET", "/events"), ("POST", "/messages"), ("GET", "/members")] {
            let response = try fixture.call(method, tail, method == "POST" ? ["text": "hello"] : nil, by: fixture.viewer)
            #expect(response.status == 404, "\(method) \(tail)")
            #expect(response.code == "room.not_found")
        }
    }

    @Test func `a credit limit refuses higher bids and is shown to the host and the member only`() throws {
        let fixture = try RoomFixture()
        let limited = try change(fixture, fixture.bidder, ["creditLimit": "345.67"])
        #expect(limited.text("creditLimit") == "345.67")
        #expect(try fixture.room(as: fixture.bidder).text("me.creditLimit") == "345.67")
        #expect(try member(fixture, fixture.bidder, as: fixture.bidder)?.text("creditLimit") == "345.67")
        #expect(try member(fixture, fixture.bidder, as: fixture.host)?.text("creditLimit") == "345.67")
        for guest in [fixture.rival, fixture.owner, fixture.viewer] {
            #expect(try member(fixture, fixture.bidder, as: guest)?.at("creditLimit") == nil)
            #expect(try !fixture.call("GET", "/events?limit=256", by: guest).bodyText.contains("345.67"))
        }
        try fixture.openBidding()
        let refused = try fixture.bid("345.68", by: fixture.bidder)
        #expect(refused.status == 422)
        #expect(refused.code == "bid.over_credit")
        #expect(try fixture.bid("345.67", by: fixture.bidder).status == 201)
        #expect(try change(fixture, fixture.bidder, ["creditLimit": nil]).isNull("creditLimit"))
    }

    @Test func `a removed member may rejoin`() throws {
        let fixture = try RoomFixture()
        #expect(try fixture.call("DELETE", "/members/\(fixture.bidder.id)", by: fixture.rival).code == "kick.not_host")
        #expect(try fixture.call("DELETE", "/members/\(fixture.bidder.id)", by: fixture.host).status == 204)
        #expect(try member(fixture, fixture.bidder, as: nil) == nil)
        #expect(try fixture.call("DELETE", "/members/\(fixture.bidder.id)", by: fixture.host).code == "member.not_found")
        #expect(try fixture.call("DELETE", "/members/\(fixture.host.id)", by: fixture.host).code == "kick.themself")
        #expect(try fixture.call("DELETE", "/members/somebody", by: fixture.host).code == "member.not_found")
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder).status == 201)
    }

    @Test func `several changes are applied atomically, or none if one is refused`() throws {
        let fixture = try RoomFixture()
        let both = try change(fixture, fixture.viewer, ["role": "bidder", "muted": true, "creditLimit": 20])
        #expect(both.text("role") == "bidder")
        #expect(both["muted"] == true)
        #expect(both.text("creditLimit") == "20.00")
        let seq = try fixture.seq()
        #expect(try change(fixture, fixture.viewer, ["muted": false], by: fixture.rival).code == "mute.not_host")
        #expect(try change(fixture, fixture.viewer, ["banned": true], by: fixture.rival).code == "ban.not_host")
        #expect(try change(fixture, fixture.viewer, ["creditLimit": 1], by: fixture.rival).code == "credit.not_host")
        #expect(try change(fixture, fixture.host, ["muted": true]).code == "mute.themself")
        #expect(try fixture.seq() == seq)
    }

    @Test func `an empty or invalid change is refused by name`() throws {
        let fixture = try RoomFixture()
        let cases: [(JSONValue, String)] = [
            ([:], "role"), (["role": "host"], "role"), (["muted": "yes"], "muted"), (["banned": 1], "banned"),
            (["creditLimit": "-1"], "creditLimit"), (["creditLimit": "1.005"], "creditLimit"), (["limit": 5], "limit"),
        ]
        for (body, field) in cases {
            let response = try change(fixture, fixture.bidder, body)
            #expect(response.status == 400, "\(body)")
            #expect(response.text("field") == field, "\(body)")
        }
    }
}

extension HTTPResponse {
    fileprivate func expect(_ status: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: location)
    }
}
