@testable import AuctionServer
import AuctionDomain
import AuctionService
import EventLog
import ExactJSON
import Testing

/// To users who are not members, a hidden room is indistinguishable from a room that does not exist, even with an invalid request.
struct HiddenRoomTests {
    private static let absent = "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"

    private struct Attempt {
        let method: String
        let tail: String
        var body: String?
        var headers: [(name: String, value: String)] = []
    }

    private static let attempts: [Attempt] = [
        Attempt(method: "POST", tail: "/members", body: "not json"), Attempt(method: "POST", tail: "/members", body: "[]"),
        Attempt(method: "POST", tail: "/members", body: #"{"role":"king"}"#),
        Attempt(method: "POST", tail: "/members", body: #"{"inviteCode":7}"#),
        Attempt(method: "POST", tail: "/members", body: #"{"inviteCode":""}"#),
        Attempt(method: "POST", tail: "/members", body: #"{"inviteCode":"000000000000","x":1}"#),
        Attempt(method: "POST", tail: "/members", body: #"{"inviteCode":"a","inviteCode":"b"}"#),
        Attempt(method: "POST", tail: "/members", body: "{}", headers: [("Idempotency-Key", "a b")]),
        Attempt(method: "POST", tail: "/members", body: "{}", headers: [("Content-Type", "text/plain")]),
        Attempt(method: "POST", tail: "/members?x=1", body: "{}"), Attempt(method: "POST", tail: "/members"),
        Attempt(method: "POST", tail: "/bids", body: "x", headers: [("Content-Type", "text/plain")]),
        Attempt(method: "POST", tail: "/bids", body: "{}", headers: [("Idempotency-Key", "")]),
        Attempt(method: "POST", tail: "/tickets", body: "x"), Attempt(method: "GET", tail: "/events?after=x"),
        Attempt(method: "GET", tail: "/events?after=99999999", headers: [("Accept", "text/event-stream")]),
        Attempt(method: "GET", tail: "/socket?after=x"), Attempt(method: "GET", tail: "/socket"),
        Attempt(method: "GET", tail: "/bids?limit=x"), Attempt(method: "DELETE", tail: "/bids/x?reason="),
        Attempt(method: "PATCH", tail: "/members/x", body: "x"), Attempt(method: "DELETE", tail: "/members/x"),
        Attempt(method: "PATCH", tail: "/items/x", body: "x"), Attempt(method: "POST", tail: "/stage/seats/99/close"),
        Attempt(method: "POST", tail: "/stage/x/accept", body: "x"), Attempt(method: "PATCH", tail: "/permission-rules/x"),
        Attempt(method: "DELETE", tail: "/messages/x"), Attempt(method: "GET", tail: "?x=1"),
    ]

    /// The response without the parts that identify the request.
    private func normalized(_ response: HTTPResponse, _ path: String) -> String {
        response.bodyText.replacing(path, with: "").replacing(/"(receivedAt|serverTime|requestId)":"[^"]*"/, with: "")
    }

    @Test(arguments: [false, true])
    func `a hidden room responds as a missing one before the request is validated`(isArchived: Bool) throws {
        let fixture = try RoomFixture(visibility: isArchived ? "public" : "private")
        if isArchived { #expect(try fixture.call("DELETE", by: fixture.host).status == 204) }
        for attempt in Self.attempts {
            let responses = try [fixture.path, Self.absent].map { path in
                let request = fixture.server.request(
                    attempt.method, path + attempt.tail, attempt.body.map { Array($0.utf8) }, by: fixture.stranger,
                    attempt.headers)
                return (try fixture.server.send(request), path)
            }
            let what = "\(attempt.method) \(attempt.tail) \(attempt.body ?? "")"
            #expect(responses[0].0.status == 404, "\(what)")
            #expect(responses[0].0.code == "room.not_found", "\(what)")
            #expect(normalized(responses[0].0, responses[0].1) == normalized(responses[1].0, responses[1].1), "\(what)")
            #expect(responses[0].0.headers.map(\.name) == responses[1].0.headers.map(\.name), "\(what)")
        }
    }

    @Test func `with a valid invite code, errors are reported and a banned user gets the reason`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let code = try #require(try fixture.room().text("inviteCode"))
        let mistaken = try fixture.call(
            "POST", "/members", ["role": "king", "inviteCode": .string(code)], by: fixture.stranger)
        #expect(mistaken.status == 400)
        #expect(mistaken.text("field") == "role")
        try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["banned": true], by: fixture.host)
        #expect(try fixture.call("POST", "/members", by: fixture.viewer).code == "member.banned")
    }

    @Test func `guessing invite codes is limited by the command rate`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 }, visibility: "private")
        let code = try #require(try fixture.room().text("inviteCode"))
        for _ in 0..<5 {
            #expect(try fixture.call("POST", "/members", ["inviteCode": "x"], by: fixture.stranger).status == 404)
        }
        #expect(try fixture.call("POST", "/members", ["inviteCode": .string(code)], by: fixture.stranger).status == 404)
        fixture.server.clock.advance(seconds: 1)
        #expect(try fixture.call("POST", "/members", ["inviteCode": .string(code)], by: fixture.stranger).status == 201)
    }

    @Test(arguments: [false, true])
    func `the limit on wrong invite codes does not tell a hidden room from a missing one`(isAbsent: Bool) throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 }, visibility: "private")
        let path = isAbsent ? Self.absent : fixture.path
        for _ in 0..<5 {
            let join = try fixture.server.call(
                "POST", path + "/members", ["inviteCode": "x"], by: fixture.stranger)
            #expect(join.status == 404)
        }
        let next = try fixture.server.call("POST", "/v1/rooms", raw: "[]", by: fixture.stranger)
        #expect(next.code == "command.rate")
    }

    @Test func `the id of a room opened with a key is equal on every node and derived from the secret`() throws {
        let (one, other) = (try TestServer(), try TestServer())
        let host = try one.guest("Hana")
        let key = [(name: "Idempotency-Key", value: "1")]
        let ids = try [one, other, one].map { try $0.call("POST", "/v1/rooms", ["name": "a"], by: host, key).text("id") }
        #expect(ids[0] != nil && ids[0] == ids[1] && ids[0] == ids[2])
        let stranger = try one.guest("Sam")
        #expect(try one.call("POST", "/v1/rooms", ["name": "a"], by: stranger, key).text("id") != ids[0])
        let digest = IdempotencyKey(key: 7, fingerprint: 0)
        let secrets = [TestServer.secret, Array("another secret of at least thirty-two bytes".utf8)]
        let rooms = secrets.map { KeyedRoomIDs(secret: $0).room(for: digest) }
        #expect(rooms[0] != rooms[1])
        #expect(rooms.allSatisfy { $0.bits != digest.key })
    }
}
