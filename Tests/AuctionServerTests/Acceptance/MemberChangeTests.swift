import ExactJSON
import Testing

/// What the host decides about members.
struct MemberChangeTests {
    private func change(_ scene: Scene, _ guest: Guest, _ body: JSONValue, by caller: Guest? = nil) throws -> HTTPAnswer {
        try scene.call("PATCH", "/members/\(guest.id)", body, by: caller ?? scene.host)
    }

    private func member(_ scene: Scene, _ guest: Guest, as caller: Guest?) throws -> JSONValue? {
        try scene.call("GET", "/members", by: caller).list("members").first { $0.text("user.id") == guest.id }
    }

    @Test func `a muted member is heard no more until they are unmuted`() throws {
        let scene = try Scene()
        #expect(try change(scene, scene.bidder, ["muted": true])["muted"] == true)
        #expect(try scene.room(as: scene.bidder)["me.muted"] == true)
        let refused = try scene.call("POST", "/messages", ["text": "hello?"], by: scene.bidder)
        #expect(refused.status == 403)
        #expect(refused.code == "message.muted")
        #expect(try change(scene, scene.bidder, ["muted": false])["muted"] == false)
        #expect(try scene.call("POST", "/messages", ["text": "hello!"], by: scene.bidder).status == 201)
    }

    @Test func `a banned member neither bids nor comes back, and their bid stands`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        #expect(try change(scene, scene.bidder, ["banned": true])["banned"] == true)
        try scene.bid("110", by: scene.rival)
        #expect(try scene.bid("120", by: scene.bidder).code == "bid.banned")
        #expect(try scene.call("GET", "/bids").list("bids").count == 2)
        try scene.call("DELETE", "/members/me", by: scene.bidder)
        let back = try scene.call("POST", "/members", ["role": "bidder"], by: scene.bidder)
        #expect(back.status == 403)
        #expect(back.code == "member.banned")
    }

    @Test func `a private room does not exist for whom it has banned`() throws {
        let scene = try Scene(visibility: "private")
        try change(scene, scene.viewer, ["banned": true]).expect(200)
        for (method, tail) in [("GET", ""), ("GET", "/events"), ("POST", "/messages"), ("GET", "/members")] {
            let answer = try scene.call(method, tail, method == "POST" ? ["text": "hello"] : nil, by: scene.viewer)
            #expect(answer.status == 404, "\(method) \(tail)")
            #expect(answer.code == "room.not_found")
        }
    }

    @Test func `a credit limit holds bids back, and only the host and the member see it`() throws {
        let scene = try Scene()
        let limited = try change(scene, scene.bidder, ["creditLimit": "345.67"])
        #expect(limited.text("creditLimit") == "345.67")
        #expect(try scene.room(as: scene.bidder).text("me.creditLimit") == "345.67")
        #expect(try member(scene, scene.bidder, as: scene.bidder)?.text("creditLimit") == "345.67")
        #expect(try member(scene, scene.bidder, as: scene.host)?.text("creditLimit") == "345.67")
        for guest in [scene.rival, scene.owner, scene.viewer] {
            #expect(try member(scene, scene.bidder, as: guest)?.at("creditLimit") == nil)
            #expect(try !scene.call("GET", "/events?limit=256", by: guest).bodyText.contains("345.67"))
        }
        try scene.openBidding()
        let refused = try scene.bid("345.68", by: scene.bidder)
        #expect(refused.status == 422)
        #expect(refused.code == "bid.over_credit")
        #expect(try scene.bid("345.67", by: scene.bidder).status == 201)
        #expect(try change(scene, scene.bidder, ["creditLimit": nil]).isNull("creditLimit"))
    }

    @Test func `a removed member is gone, and may come back`() throws {
        let scene = try Scene()
        #expect(try scene.call("DELETE", "/members/\(scene.bidder.id)", by: scene.rival).code == "kick.not_host")
        #expect(try scene.call("DELETE", "/members/\(scene.bidder.id)", by: scene.host).status == 204)
        #expect(try member(scene, scene.bidder, as: nil) == nil)
        #expect(try scene.call("DELETE", "/members/\(scene.bidder.id)", by: scene.host).code == "member.not_found")
        #expect(try scene.call("DELETE", "/members/\(scene.host.id)", by: scene.host).code == "kick.themself")
        #expect(try scene.call("DELETE", "/members/somebody", by: scene.host).code == "member.not_found")
        #expect(try scene.call("POST", "/members", ["role": "bidder"], by: scene.bidder).status == 201)
    }

    @Test func `several changes happen together, and none of them if one may not`() throws {
        let scene = try Scene()
        let both = try change(scene, scene.viewer, ["role": "bidder", "muted": true, "creditLimit": 20])
        #expect(both.text("role") == "bidder")
        #expect(both["muted"] == true)
        #expect(both.text("creditLimit") == "20.00")
        let seq = try scene.seq()
        #expect(try change(scene, scene.viewer, ["muted": false], by: scene.rival).code == "mute.not_host")
        #expect(try change(scene, scene.viewer, ["banned": true], by: scene.rival).code == "ban.not_host")
        #expect(try change(scene, scene.viewer, ["creditLimit": 1], by: scene.rival).code == "credit.not_host")
        #expect(try change(scene, scene.host, ["muted": true]).code == "mute.themself")
        #expect(try scene.seq() == seq)
    }

    @Test func `a change that changes nothing, or is none, is refused by name`() throws {
        let scene = try Scene()
        let cases: [(JSONValue, String)] = [
            ([:], "role"), (["role": "host"], "role"), (["muted": "yes"], "muted"), (["banned": 1], "banned"),
            (["creditLimit": "-1"], "creditLimit"), (["creditLimit": "1.005"], "creditLimit"), (["limit": 5], "limit"),
        ]
        for (body, field) in cases {
            let answer = try change(scene, scene.bidder, body)
            #expect(answer.status == 400, "\(body)")
            #expect(answer.text("field") == field, "\(body)")
        }
    }
}

extension HTTPAnswer {
    fileprivate func expect(_ status: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: location)
    }
}
