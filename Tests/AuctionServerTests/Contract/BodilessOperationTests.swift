import AuctionContract
import ExactJSON
import Testing

/// Operations for which the contract has no body.
struct BodilessOperationTests {
    @Test func `members that the contract does not have are refused, whatever the operation`() throws {
        let room = try VoiceFixture().room
        let operations = Operation.all.filter { operation in
            operation.body == nil && [.post, .put, .patch].contains(operation.method) && operation.access != .anonymous
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

    @Test func `a token for the room's sound is made without a body, or with an empty object`() throws {
        let room = try VoiceFixture().room
        let refused = try room.call("POST", "/stage/voice", ["surprise": true], by: room.host)
        #expect(refused.status == 400 && refused.code == "request.unknown_field")
        #expect(try room.call("POST", "/stage/voice", [:], by: room.host).status == 200)
        #expect(try room.call("POST", "/stage/voice", by: room.host).status == 200)
    }
}
