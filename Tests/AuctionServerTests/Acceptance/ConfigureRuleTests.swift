import ExactJSON
import Testing

/// The host switches rules off and on, and moves them, while the room is preparing.
struct ConfigureRuleTests {
    private func configure(_ scene: Scene, _ rule: String, _ body: JSONValue, by guest: Guest? = nil) throws -> HTTPAnswer {
        try scene.call("PATCH", "/permission-rules/\(rule)", body, by: guest ?? scene.host)
    }

    private func rule(_ scene: Scene, _ id: String) throws -> JSONValue? {
        try scene.call("GET", "/permission-rules").list("rules").first { $0.text("id") == id }
    }

    @Test func `a rule that is switched off no longer refuses`() throws {
        let scene = try Scene()
        let answer = try configure(scene, "bid.viewer", ["enabled": false])
        #expect(answer.status == 200)
        #expect(answer["enabled"] == false)
        #expect(try rule(scene, "bid.viewer") == answer.json)
        #expect(try scene.call("GET", "/permission-rules/bid.viewer").json == answer.json)
        let event = try #require(try scene.events().last)
        #expect(event.text("type") == "permission.changed")
        try scene.openBidding()
        #expect(try scene.bid("100", by: scene.viewer).status == 201)
        let other = try Scene(scene.house)
        #expect(try rule(other, "bid.viewer")?.at("enabled") == true, "rooms do not share what their hosts decide")
    }

    @Test func `an optional rule that is switched on refuses`() throws {
        let scene = try Scene()
        #expect(try rule(scene, "bid.invited_only")?.at("enabled") == false)
        #expect(try configure(scene, "bid.invited_only", ["enabled": true])["enabled"] == true)
        try scene.openBidding()
        #expect(try scene.bid("100", by: scene.bidder).code == "bid.invited_only")
    }

    @Test func `a rule that is moved is asked, listed and told in its new place`() throws {
        let scene = try Scene()
        #expect(try configure(scene, "bid.viewer", ["priority": 1000]).int("priority") == 1000)
        let listed = try scene.call("GET", "/permission-rules").list("rules").filter { $0.text("action") == "placeBid" }
        #expect(listed.first?.text("id") == "bid.viewer")
        let refused = try scene.bid("100", by: scene.viewer)
        #expect(refused.code == "bid.viewer", "before the state is asked")
        #expect(refused.int("permission.priority") == 1000)
        let explained = try scene.call("GET", "/permissions?action=placeBid&explain=true", by: scene.viewer)
        #expect(explained.list("trace").compactMap { $0.text("rule") } == listed.compactMap { $0.text("id") })
    }

    @Test func `a permanent rule stays on, and there is no other`() throws {
        let scene = try Scene()
        let refused = try configure(scene, "bid.own_item", ["enabled": false])
        #expect(refused.status == 409)
        #expect(refused.code == "rule.permanent")
        #expect(try configure(scene, "bid.lucky", ["enabled": false]).code == "rule.not_found")
        #expect(try scene.call("GET", "/permission-rules/bid.lucky").code == "rule.not_found")
    }

    @Test func `only the host, only while preparing, only what makes sense`() throws {
        let scene = try Scene()
        #expect(try configure(scene, "bid.viewer", ["enabled": false], by: scene.owner).code == "permission.not_host")
        let cases: [(JSONValue, String)] = [
            ([:], "enabled"), (["priority": 1001], "priority"), (["priority": -1], "priority"), (["enabled": "no"], "enabled"),
            (["permanent": false], "permanent"),
        ]
        for (body, field) in cases {
            let answer = try configure(scene, "bid.viewer", body)
            #expect(answer.status == 400, "\(body)")
            #expect(answer.text("field") == field, "\(body)")
        }
        try scene.upload()
        try scene.start()
        #expect(try configure(scene, "bid.viewer", ["enabled": false]).code == "permission.not_preparing")
    }
}
