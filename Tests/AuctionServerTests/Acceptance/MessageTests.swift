import ExactJSON
import Testing

/// Members write, everybody reads, the host removes.
struct MessageTests {
    private func write(
        _ scene: Scene, _ text: JSONValue, by guest: Guest, key: String? = nil
    ) throws -> HTTPAnswer {
        let headers = key.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        return try scene.call("POST", "/messages", ["text": text], by: guest, headers)
    }

    @Test func `a message is answered, and told to everybody who follows`() throws {
        let scene = try Scene()
        let answer = try write(scene, "Is the lid original? 🫖\nBo", by: scene.viewer)
        #expect(answer.status == 201)
        #expect(answer["author"] == scene.viewer.person)
        #expect(answer.text("at") == scene.house.clock.text)
        let event = try #require(try scene.events().last)
        #expect(event.text("type") == "message.sent")
        #expect(event.text("data.messageId") == answer.text("id"))
        #expect(event.text("data.text") == "Is the lid original? 🫖\nBo")
    }

    @Test func `a repeat with the same key is one message`() throws {
        let scene = try Scene()
        let first = try write(scene, "once", by: scene.bidder, key: "m-1")
        let again = try write(scene, "once", by: scene.bidder, key: "m-1")
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        #expect(try write(scene, "twice", by: scene.bidder, key: "m-1").code == "idempotency.key_reused")
        #expect(try scene.events().count { $0.text("type") == "message.sent" } == 1)
    }

    @Test func `the host removes a message, the log keeps it`() throws {
        let scene = try Scene()
        let id = try #require(try write(scene, "rude", by: scene.bidder).text("id"))
        #expect(try scene.call("DELETE", "/messages/\(id)", by: scene.bidder).code == "message.not_host")
        #expect(try scene.call("DELETE", "/messages/\(id)", by: scene.host).status == 204)
        #expect(try scene.events().last?.text("data.messageId") == id)
        for gone in [id, "message_00000000000000000000000000", "hello"] {
            let answer = try scene.call("DELETE", "/messages/\(gone)", by: scene.host)
            #expect(answer.status == 404)
            #expect(answer.code == "message.not_found")
        }
    }

    @Test func `a text that says nothing, or too much, is refused`() throws {
        let scene = try Scene()
        let long = String(repeating: "竞", count: 500)
        #expect(try write(scene, .string(long), by: scene.host).status == 201)
        for text: JSONValue in ["", "  \n ", .string(long + "x"), "bell \u{7}", 5, nil] {
            let answer = try write(scene, text, by: scene.host)
            #expect(answer.status == 400, "\(text)")
            #expect(answer.text("field") == "text", "\(text)")
        }
    }

    @Test func `strangers and the banned are not heard, and nobody too often`() throws {
        let scene = try Scene()
        #expect(try write(scene, "hello", by: scene.stranger).code == "message.not_member")
        #expect(try write(scene, "one", by: scene.bidder).status == 201)
        #expect(try write(scene, "two", by: scene.bidder).status == 201)
        let refused = try write(scene, "three", by: scene.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "message.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(try write(scene, "mine", by: scene.rival).status == 201, "each member has their own rate")
        scene.house.clock.advance(seconds: 1.1)
        #expect(try write(scene, "three", by: scene.bidder).status == 201)
        try scene.call("PATCH", "/members/\(scene.rival.id)", ["banned": true], by: scene.host)
        #expect(try write(scene, "hello", by: scene.rival).code == "message.banned")
    }
}
