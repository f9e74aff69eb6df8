import ExactJSON
import Testing

/// The handshake that seats a user on stage, and the problems for invalid steps.
struct StageTests {
    @discardableResult
    private func step(_ fixture: RoomFixture, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPResponse
    {
        try fixture.call("POST", "/stage" + tail, body, by: guest)
    }

    @Test func `a user requests, the host accepts, the user confirms and gets the seat's role`() throws {
        let fixture = try RoomFixture()
        let request = try step(fixture, "/requests", ["role": "auctioneer"], by: fixture.viewer)
        #expect(request.status == 201)
        #expect(request.text("state") == "requested")
        let id = try #require(request.text("id"))
        #expect(try fixture.call("GET", "/stage").text("queue.0.id") == id)
        #expect(try step(fixture, "/\(id)/accept", by: fixture.host).text("state") == "accepted")
        #expect(try step(fixture, "/\(id)/confirm", by: fixture.viewer).text("state") == "onStage")
        #expect(try fixture.call("GET", "/stage").text("seats.0.occupant.user.id") == fixture.viewer.id)
        #expect(try fixture.room(as: fixture.viewer).text("me.role") == "auctioneer")
        #expect(try step(fixture, "/leave", by: fixture.viewer).isNull("seats.0.occupant"))
        #expect(try fixture.room(as: fixture.viewer).text("me.role") == "viewer")
    }

    @Test func `only the host invites, and an invitation expires`() throws {
        let fixture = try RoomFixture()
        let invitation = try step(
            fixture, "/invitations", ["userId": .string(fixture.viewer.id), "role": "bidder"], by: fixture.host)
        let id = try #require(invitation.text("id"))
        #expect(invitation.text("origin") == "invitation")
        #expect(try step(fixture, "/\(id)/accept", by: fixture.host).code == "stage.not_yours")
        #expect(try step(fixture, "/\(id)/confirm", by: fixture.host).code == "stage.wrong_step")
        try fixture.letClockRun(seconds: 31)
        #expect(try step(fixture, "/\(id)/accept", by: fixture.viewer).code == "stage.not_found")
        #expect(try fixture.events().last?.text("type") == "stage.timedOut")
    }

    @Test func `an invalid step is refused with its reason`() throws {
        let fixture = try RoomFixture()
        #expect(try step(fixture, "/requests", ["role": "bidder"], by: fixture.stranger).code == "stage.not_member")
        #expect(try step(fixture, "/requests", ["role": "bidder"], by: fixture.host).code == "stage.host")
        #expect(try step(fixture, "/requests", ["role": "host"], by: fixture.viewer).text("field") == "role")
        let invitation: JSONValue = ["userId": .string(fixture.stranger.id), "role": "bidder"]
        #expect(try step(fixture, "/invitations", invitation, by: fixture.viewer).code == "stage.not_host")
        #expect(try step(fixture, "/invitations", invitation, by: fixture.host).status == 404)
        let own: JSONValue = ["userId": .string(fixture.host.id), "role": "bidder"]
        #expect(try step(fixture, "/invitations", own, by: fixture.host).status == 409)
        #expect(try step(fixture, "/stage_x/accept", by: fixture.host).code == "stage.not_found")
        #expect(try step(fixture, "/leave", by: fixture.viewer).code == "stage.not_seated")
        #expect(try step(fixture, "/seats/9/close", by: fixture.host).code == "stage.seat_unknown")
        #expect(try step(fixture, "/seats/1/close", by: fixture.viewer).code == "stage.not_host")
        #expect(try step(fixture, "/seats/1/mute", ["muted": "no"], by: fixture.host).text("field") == "muted")
    }

    @Test func `the host seats a member who has asked, without a second confirmation`() throws {
        let fixture = try RoomFixture()
        let body: JSONValue = ["userId": .string(fixture.viewer.id), "role": "bidder"]
        #expect(try step(fixture, "/seats", body, by: fixture.host).code == "stage.no_request")
        try step(fixture, "/requests", ["role": "bidder"], by: fixture.viewer)
        #expect(try step(fixture, "/seats", body, by: fixture.viewer).code == "stage.not_host")
        let seated = try step(fixture, "/seats", body, by: fixture.host)
        #expect(seated.status == 200 && seated.text("seats.0.occupant.user.id") == fixture.viewer.id)
        #expect(seated.list("queue").isEmpty)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "stage.seated" && event.text("data.by.id") == fixture.host.id)
        #expect(try step(fixture, "/seats", body, by: fixture.host).code == "stage.already_seated")
    }

    @Test func `an occupant moves to another seat, which everyone sees`() throws {
        let fixture = try RoomFixture()
        let id = try #require(try step(fixture, "/requests", ["role": "bidder"], by: fixture.viewer).text("id"))
        try step(fixture, "/\(id)/accept", by: fixture.host)
        try step(fixture, "/\(id)/confirm", by: fixture.viewer)
        let moved = try step(fixture, "/seats/1/move", ["to": 4], by: fixture.viewer)
        #expect(moved.status == 200)
        #expect(moved.isNull("seats.0.occupant"))
        #expect(moved.text("seats.3.occupant.user.id") == fixture.viewer.id)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "stage.moved")
        #expect(event.int("data.seat") == 1 && event.int("data.to") == 4)
        #expect(try step(fixture, "/seats/4/move", ["to": 9], by: fixture.host).code == "stage.seat_unknown")
        #expect(try step(fixture, "/seats/4/move", [:], by: fixture.host).text("field") == "to")
        #expect(try step(fixture, "/seats/2/move", ["to": 3], by: fixture.host).code == "stage.seat_empty")
        #expect(try step(fixture, "/seats/4/move", ["to": 1], by: fixture.host).status == 200)
    }

    @Test func `a step with a key is executed once`() throws {
        let fixture = try RoomFixture()
        let key = [(name: "Idempotency-Key", value: "ask-1")]
        let first = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: fixture.viewer, key)
        let again = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: fixture.viewer, key)
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
    }
}
