import ExactJSON
import Testing

/// An automatic sale whose host is away when it is due to begin.
struct AttendedSaleTests {
    /// A room with a lot, whose sale begins after a minute, and whose host has left without a successor.
    private func left(attended: JSONValue?) throws -> RoomFixture {
        let fixture = try RoomFixture()
        try #require(
            try fixture.call("PATCH", "/members/\(fixture.owner.id)", ["role": "bidder"], by: fixture.host).status == 200)
        try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.host).status == 201)
        let start: JSONValue = "2026-01-01T00:01:00.000Z"
        let sale: JSONValue =
            if let attended {
                ["mode": "automatic", "startsAt": start, "attended": attended]
            } else {
                ["mode": "automatic", "startsAt": start]
            }
        let configured = try fixture.call("PUT", "/sale", sale, by: fixture.host)
        #expect(configured["attended"] == (attended ?? false))
        #expect(configured["postponed"] == false)
        try #require(try fixture.call("DELETE", "/members/me", by: fixture.host).status == 204)
        try fixture.letClockRun(seconds: 61)
        return fixture
    }

    @Test func `an attended sale is postponed for everybody to see, and the host who returns starts it`() throws {
        let fixture = try left(attended: true)
        let sale = try fixture.call("GET", "/sale")
        #expect(sale["postponed"] == true && sale["running"] == false && sale.isNull("startsAt"))
        #expect(try fixture.room(as: fixture.viewer)["sale.postponed"] == true)
        let postponed = try fixture.events().last { $0.text("type") == "sale.postponed" }
        #expect(postponed?.text("data.cause") == "host_gone")
        try #require(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.host).status == 201)
        let started = try fixture.call("POST", "/sale/start", by: fixture.host)
        #expect(started["running"] == true && started["postponed"] == false)
        #expect(try fixture.state() == "listing")
    }

    @Test(arguments: [nil, false])
    func `a sale that needs no host begins at its time`(_ attended: Bool?) throws {
        let fixture = try left(attended: attended.map { .bool($0) })
        #expect(try fixture.state() == "listing")
        #expect(try fixture.call("GET", "/sale")["running"] == true)
    }
}
