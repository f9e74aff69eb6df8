import ExactJSON
import Testing

/// The host disables, enables and reorders permission rules while the room is preparing.
struct ConfigureRuleTests {
    private func configure(_ fixture: RoomFixture, _ rule: String, _ body: JSONValue, by guest: Guest? = nil) throws
        -> HTTPResponse
    {
        try fixture.call("PATCH", "/permission-rules/\(rule)", body, by: guest ?? fixture.host)
    }

    private func rule(_ fixture: RoomFixture, _ id: String) throws -> JSONValue? {
        try fixture.call("GET", "/permission-rules").list("rules").first { $0.text("id") == id }
    }

    @Test func `a disabled rule no longer refuses`() throws {
        let fixture = try RoomFixture()
        let response = try configure(fixture, "bid.viewer", ["enabled": false])
        #expect(response.status == 200)
        #expect(response["enabled"] == false)
        #expect(try rule(fixture, "bid.viewer") == response.json)
        #expect(try fixture.call("GET", "/permission-rules/bid.viewer").json == response.json)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "permission.changed")
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.viewer).status == 201)
        let other = try RoomFixture(fixture.server)
        #expect(try rule(other, "bid.viewer")?.at("enabled") == true, "the configuration belongs to one room")
    }

    @Test func `an optional rule refuses once it is enabled`() throws {
        let fixture = try RoomFixture()
        #expect(try rule(fixture, "bid.invited_only")?.at("enabled") == false)
        #expect(try configure(fixture, "bid.invited_only", ["enabled": true])["enabled"] == true)
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.bidder).code == "bid.invited_only")
    }

    @Test func `a rule with a new priority is evaluated, listed and published in the new order`() throws {
        let fixture = try RoomFixture()
        #expect(try configure(fixture, "bid.viewer", ["priority": 1000]).int("priority") == 1000)
        let listed = try fixture.call("GET", "/permission-rules").list("rules").filter { $0.text("action") == "placeBid" }
        #expect(listed.first?.text("id") == "bid.viewer")
        let refused = try fixture.bid("100", by: fixture.viewer)
        #expect(refused.code == "bid.viewer", "evaluated before the state rule")
        #expect(refused.int("permission.priority") == 1000)
        let explained = try fixture.call("GET", "/permissions?action=placeBid&explain=true", by: fixture.viewer)
        #expect(explained.list("trace").compactMap { $0.text("rule") } == listed.compactMap { $0.text("id") })
    }

    @Test func `a permanent rule cannot be disabled, and an unknown rule is not found`() throws {
        let fixture = try RoomFixture()
        let refused = try configure(fixture, "bid.own_item", ["enabled": false])
        #expect(refused.status == 409)
        #expect(refused.code == "rule.permanent")
        #expect(try configure(fixture, "bid.lucky", ["enabled": false]).code == "rule.not_found")
        #expect(try fixture.call("GET", "/permission-rules/bid.lucky").code == "rule.not_found")
    }

    @Test func `rules are configured by the host only, while preparing, and with valid values`() throws {
        let fixture = try RoomFixture()
        #expect(try configure(fixture, "bid.viewer", ["enabled": false], by: fixture.owner).code == "permission.not_host")
        let cases: [(JSONValue, String)] = [
            ([:], "enabled"), (["priority": 1001], "priority"), (["priority": -1], "priority"), (["enabled": "no"], "enabled"),
            (["permanent": false], "permanent"),
        ]
        for (body, field) in cases {
            let response = try configure(fixture, "bid.viewer", body)
            #expect(response.status == 400, "\(body)")
            #expect(response.text("field") == field, "\(body)")
        }
        try fixture.upload()
        try fixture.start()
        #expect(try configure(fixture, "bid.viewer", ["enabled": false]).code == "permission.not_preparing")
    }
}
