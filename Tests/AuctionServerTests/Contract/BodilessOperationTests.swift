import AuctionContract
import AuctionServer
import ExactJSON
import Testing

/// Operations for which the contract has no body.
struct BodilessOperationTests {
    @Test func `members that the contract does not have are refused, whatever the operation`() throws {
        let room = try VoiceFixture().room
        let operations = Operation.all.filter { operation in
            operation.body == nil && operation.method != .get && operation.access != .anonymous
        }
        #expect(operations.count > 15)
        for operation in operations {
            // Beside the room, ids of what there is not: the body may be read before it is known.
            let path = operation.path.replacing("/v1/rooms/{id}", with: room.path).replacing("{seat}", with: "1").replacing(
                /\{[a-zA-Z]+\}/, with: "x")
            let response = try room.server.call(operation.method.rawValue, path, ["surprise": true], by: room.host)
            #expect((400...499).contains(response.status), "\(operation.name): \(response.status)")
        }
    }

    @Test func `a DELETE with a body does nothing, and the member is named`() throws {
        let room = try RoomFixture(try TestServer { $0.adminToken = OperatorFixture.adminToken })
        let admin = OperatorFixture.bearer(OperatorFixture.adminToken)
        let body: JSONValue = ["x": 1]
        for path in ["/v1/me", room.path + "/members/me"] {
            let refused = try room.server.call("DELETE", path, body, by: room.viewer)
            #expect(refused.status == 400 && refused.code == "request.unknown_field" && refused.text("field") == "x", "\(path)")
            #expect(try room.server.call("DELETE", path, raw: "x", by: room.viewer).status == 400, "\(path)")
            let text = [(name: "Content-Type", value: "text/plain")]
            #expect(try room.server.call("DELETE", path, raw: "x", by: room.viewer, text).status == 415, "\(path)")
        }
        #expect(try room.call("GET", "/members", by: room.viewer).bodyText.contains(room.viewer.id))
        let webhook = try room.server.call("POST", "/v1/admin/webhooks", ["url": "https://hooks.example/"], by: nil, admin)
        let path = "/v1/admin/webhooks/\(try #require(webhook.text("id")))"
        #expect(try room.server.call("DELETE", path, body, by: nil, admin).text("field") == "x")
        // As those of a POST without a body.
        #expect(try room.server.call("DELETE", path, [:], by: nil, admin).status == 204)
        #expect(try room.call("DELETE", "/members/me", [:], by: room.viewer).status == 204)
        #expect(try room.server.call("DELETE", "/v1/me", by: room.viewer).status == 204)
    }

    @Test func `a token for the room's sound is made without a body, or with an empty object`() throws {
        let room = try VoiceFixture().room
        let refused = try room.call("POST", "/stage/voice", ["surprise": true], by: room.host)
        #expect(refused.status == 400 && refused.code == "request.unknown_field")
        #expect(try room.call("POST", "/stage/voice", [:], by: room.host).status == 200)
        #expect(try room.call("POST", "/stage/voice", by: room.host).status == 200)
    }
}
