import ExactJSON
import Testing

struct RoleTests {
    private func role(of guest: Guest, in fixture: RoomFixture) throws -> String? {
        try fixture.room(as: guest).text("me.role")
    }

    @Test func `a user who joins without a role is a viewer`() throws {
        let fixture = try RoomFixture()
        let joined = try fixture.call("POST", "/members", by: fixture.stranger)
        #expect(joined.status == 201)
        #expect(joined.text("role") == "viewer")
        #expect(joined["user"] == fixture.stranger.person)
    }

    @Test func `viewers and bidders may switch between the two roles`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        let same = try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.viewer)
        #expect(same.status == 200)
        #expect(try fixture.seq() == seq, "no event without a change")
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.viewer).text("role") == "bidder")
        #expect(
            try fixture.call("POST", "/members", by: fixture.viewer).text("role") == "bidder",
            "without a role the current one is kept")
        #expect(try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.viewer).text("role") == "viewer")
        #expect(try fixture.seq() == seq + 2)
    }

    @Test func `joining again keeps the role of host and auctioneer`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        for wanted: JSONValue in ["viewer", "bidder"] {
            for (guest, role) in [(fixture.host, "host"), (fixture.owner, "auctioneer")] {
                let response = try fixture.call("POST", "/members", ["role": wanted], by: guest)
                #expect(response.status == 200)
                #expect(response.text("role") == role)
            }
        }
        #expect(try fixture.seq() == seq)
    }

    @Test func `joining as host or auctioneer is refused`() throws {
        let fixture = try RoomFixture()
        for role: JSONValue in ["host", "auctioneer", "admin", "", 1] {
            let response = try fixture.call("POST", "/members", ["role": role], by: fixture.stranger)
            #expect(response.status == 400)
            #expect(response.text("field") == "role")
        }
    }

    @Test func `the host changes every member's role but their own`() throws {
        let fixture = try RoomFixture()
        for wanted in ["auctioneer", "viewer", "bidder"] {
            let response = try fixture.call(
                "PATCH", "/members/\(fixture.bidder.id)", ["role": .string(wanted)], by: fixture.host)
            #expect(response.text("role") == wanted)
            #expect(try role(of: fixture.bidder, in: fixture) == wanted)
        }
        let seq = try fixture.seq()
        let themself = try fixture.call("PATCH", "/members/\(fixture.host.id)", ["role": "bidder"], by: fixture.host)
        #expect(themself.status == 403)
        #expect(themself.code == "role.themself")
        #expect(themself.text("permission.category") == "identity")
        #expect(themself.text("permission.required") == "another member")
        #expect(themself.text("permission.actual") == "oneself")
        #expect(try fixture.call("PATCH", "/members/\(fixture.bidder.id)", ["role": "host"], by: fixture.host).status == 400)
        #expect(try fixture.seq() == seq)
        #expect(try role(of: fixture.host, in: fixture) == "host")
    }

    @Test func `members other than the host cannot change roles`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        for (guest, role) in [
            (fixture.owner, "auctioneer"), (fixture.bidder, "bidder"), (fixture.viewer, "viewer"), (fixture.stranger, "none"),
        ] {
            let response = try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["role": "viewer"], by: guest)
            #expect(response.status == 403)
            #expect(response.code == "role.not_host")
            #expect(response.text("permission.required") == "host")
            #expect(response.text("permission.actual") == role)
        }
        #expect(try fixture.seq() == seq)
    }

    @Test func `the role of a non-member cannot be changed`() throws {
        let fixture = try RoomFixture()
        for user in [fixture.stranger.id, "user_7zzzzzzzzzzzzzzzzzzzzzzzzz"] {
            let response = try fixture.call("PATCH", "/members/\(user)", ["role": "bidder"], by: fixture.host)
            #expect(response.status == 404)
            #expect(response.code == "member.not_found")
        }
    }

    @Test func `members may leave, and so may the host`() throws {
        let fixture = try RoomFixture()
        #expect(try fixture.call("DELETE", "/members/me", by: fixture.bidder).status == 204)
        #expect(try fixture.call("DELETE", "/members/me", by: fixture.bidder).code == "member.not_found")
        #expect(try role(of: fixture.bidder, in: fixture) == nil)
        #expect(try fixture.call("DELETE", "/members/me", by: fixture.host).status == 204)
        #expect(try fixture.call("GET", "").text("host.id") == fixture.owner.id, "the auctioneer becomes host")
    }

    @Test func `a bid stays valid when its bidder leaves`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        try fixture.letClockRun(seconds: 15)
        #expect(try fixture.call("GET", "/results").text("results.0.winner.id") == fixture.bidder.id)
    }
}
