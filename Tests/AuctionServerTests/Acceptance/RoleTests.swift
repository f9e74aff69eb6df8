import ExactJSON
import Testing

struct RoleTests {
    private func role(of guest: Guest, in scene: Scene) throws -> String? {
        try scene.room(as: guest).text("me.role")
    }

    @Test func `whoever joins without a role watches`() throws {
        let scene = try Scene()
        let joined = try scene.call("POST", "/members", by: scene.stranger)
        #expect(joined.status == 201)
        #expect(joined.text("role") == "viewer")
        #expect(joined["user"] == scene.stranger.person)
    }

    @Test func `viewers and bidders choose between the two`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        let same = try scene.call("POST", "/members", ["role": "viewer"], by: scene.viewer)
        #expect(same.status == 200)
        #expect(try scene.seq() == seq, "nothing changed, so nothing happened")
        #expect(try scene.call("POST", "/members", ["role": "bidder"], by: scene.viewer).text("role") == "bidder")
        #expect(try scene.call("POST", "/members", by: scene.viewer).text("role") == "bidder", "no role named: none changed")
        #expect(try scene.call("POST", "/members", ["role": "viewer"], by: scene.viewer).text("role") == "viewer")
        #expect(try scene.seq() == seq + 2)
    }

    @Test func `joining again never demotes host or auctioneer`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        for wanted: JSONValue in ["viewer", "bidder"] {
            for (guest, role) in [(scene.host, "host"), (scene.owner, "auctioneer")] {
                let answer = try scene.call("POST", "/members", ["role": wanted], by: guest)
                #expect(answer.status == 200)
                #expect(answer.text("role") == role)
            }
        }
        #expect(try scene.seq() == seq)
    }

    @Test func `nobody joins as host or auctioneer`() throws {
        let scene = try Scene()
        for role: JSONValue in ["host", "auctioneer", "admin", "", 1] {
            let answer = try scene.call("POST", "/members", ["role": role], by: scene.stranger)
            #expect(answer.status == 400)
            #expect(answer.text("field") == "role")
        }
    }

    @Test func `the host gives roles, to everybody but themself`() throws {
        let scene = try Scene()
        for wanted in ["auctioneer", "viewer", "bidder"] {
            let answer = try scene.call(
                "PATCH", "/members/\(scene.bidder.id)", ["role": .string(wanted)], by: scene.host)
            #expect(answer.text("role") == wanted)
            #expect(try role(of: scene.bidder, in: scene) == wanted)
        }
        let seq = try scene.seq()
        let themself = try scene.call("PATCH", "/members/\(scene.host.id)", ["role": "bidder"], by: scene.host)
        #expect(themself.status == 403)
        #expect(themself.code == "role.themself")
        #expect(themself.text("permission.category") == "identity")
        #expect(try scene.call("PATCH", "/members/\(scene.bidder.id)", ["role": "host"], by: scene.host).status == 400)
        #expect(try scene.seq() == seq)
        #expect(try role(of: scene.host, in: scene) == "host")
    }

    @Test func `nobody else gives roles`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        for (guest, role) in [
            (scene.owner, "auctioneer"), (scene.bidder, "bidder"), (scene.viewer, "viewer"), (scene.stranger, "none"),
        ] {
            let answer = try scene.call("PATCH", "/members/\(scene.rival.id)", ["role": "viewer"], by: guest)
            #expect(answer.status == 403)
            #expect(answer.code == "role.not_host")
            #expect(answer.text("permission.required") == "host")
            #expect(answer.text("permission.actual") == role)
        }
        #expect(try scene.seq() == seq)
    }

    @Test func `a role goes to members only`() throws {
        let scene = try Scene()
        for user in [scene.stranger.id, "user_7zzzzzzzzzzzzzzzzzzzzzzzzz"] {
            let answer = try scene.call("PATCH", "/members/\(user)", ["role": "bidder"], by: scene.host)
            #expect(answer.status == 404)
            #expect(answer.code == "member.not_found")
        }
    }

    @Test func `members leave, and so does the host`() throws {
        let scene = try Scene()
        #expect(try scene.call("DELETE", "/members/me", by: scene.bidder).status == 204)
        #expect(try scene.call("DELETE", "/members/me", by: scene.bidder).code == "member.not_found")
        #expect(try role(of: scene.bidder, in: scene) == nil)
        #expect(try scene.call("DELETE", "/members/me", by: scene.host).status == 204)
        #expect(try scene.call("GET", "").text("host.id") == scene.owner.id, "the auctioneer follows")
    }

    @Test func `a bid stands when its bidder leaves`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        try scene.call("DELETE", "/members/me", by: scene.bidder)
        try scene.letClockRun(seconds: 15)
        #expect(try scene.call("GET", "/results").text("results.0.winner.id") == scene.bidder.id)
    }
}
