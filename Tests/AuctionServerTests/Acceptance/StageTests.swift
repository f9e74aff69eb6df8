import ExactJSON
import Testing

/// The handshake that puts somebody on stage, step by step, and what is said to whoever takes a wrong one.
struct StageTests {
    private func step(_ scene: Scene, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPAnswer {
        try scene.call("POST", "/stage" + tail, body, by: guest)
    }

    @Test func `a guest asks, the host accepts, the guest goes and has the role of the seat`() throws {
        let scene = try Scene()
        let request = try step(scene, "/requests", ["role": "auctioneer"], by: scene.viewer)
        #expect(request.status == 201)
        #expect(request.text("state") == "requested")
        let id = try #require(request.text("id"))
        #expect(try scene.call("GET", "/stage").text("queue.0.id") == id)
        #expect(try step(scene, "/\(id)/accept", by: scene.host).text("state") == "accepted")
        #expect(try step(scene, "/\(id)/confirm", by: scene.viewer).text("state") == "onStage")
        #expect(try scene.call("GET", "/stage").text("seats.0.occupant.user.id") == scene.viewer.id)
        #expect(try scene.room(as: scene.viewer).text("me.role") == "auctioneer")
        #expect(try step(scene, "/leave", by: scene.viewer).isNull("seats.0.occupant"))
        #expect(try scene.room(as: scene.viewer).text("me.role") == "viewer")
    }

    @Test func `an invitation is the host's, and times out like everything else`() throws {
        let scene = try Scene()
        let invitation = try step(
            scene, "/invitations", ["userId": .string(scene.viewer.id), "role": "bidder"], by: scene.host)
        let id = try #require(invitation.text("id"))
        #expect(invitation.text("origin") == "invitation")
        #expect(try step(scene, "/\(id)/accept", by: scene.host).code == "stage.not_yours")
        #expect(try step(scene, "/\(id)/confirm", by: scene.host).code == "stage.wrong_step")
        try scene.letClockRun(seconds: 31)
        #expect(try step(scene, "/\(id)/accept", by: scene.viewer).code == "stage.not_found")
        #expect(try scene.events().last?.text("type") == "stage.timedOut")
    }

    @Test func `a wrong step says why`() throws {
        let scene = try Scene()
        #expect(try step(scene, "/requests", ["role": "bidder"], by: scene.stranger).code == "stage.not_member")
        #expect(try step(scene, "/requests", ["role": "bidder"], by: scene.host).code == "stage.host")
        #expect(try step(scene, "/requests", ["role": "host"], by: scene.viewer).text("field") == "role")
        let invitation: JSONValue = ["userId": .string(scene.stranger.id), "role": "bidder"]
        #expect(try step(scene, "/invitations", invitation, by: scene.viewer).code == "stage.not_host")
        #expect(try step(scene, "/invitations", invitation, by: scene.host).status == 404)
        let own: JSONValue = ["userId": .string(scene.host.id), "role": "bidder"]
        #expect(try step(scene, "/invitations", own, by: scene.host).status == 409)
        #expect(try step(scene, "/stage_x/accept", by: scene.host).code == "stage.not_found")
        #expect(try step(scene, "/leave", by: scene.viewer).code == "stage.not_seated")
        #expect(try step(scene, "/seats/9/close", by: scene.host).code == "stage.seat_unknown")
        #expect(try step(scene, "/seats/1/close", by: scene.viewer).code == "stage.not_host")
        #expect(try step(scene, "/seats/1/mute", ["muted": "no"], by: scene.host).text("field") == "muted")
    }

    @Test func `a step with a key is one step`() throws {
        let scene = try Scene()
        let key = [(name: "Idempotency-Key", value: "ask-1")]
        let first = try scene.call("POST", "/stage/requests", ["role": "bidder"], by: scene.viewer, key)
        let again = try scene.call("POST", "/stage/requests", ["role": "bidder"], by: scene.viewer, key)
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
    }
}
