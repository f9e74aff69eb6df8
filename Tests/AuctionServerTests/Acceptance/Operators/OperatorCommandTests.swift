import AuctionContract
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// The commands of hosts and auctioneers with service tokens.
struct OperatorCommandTests {
    private let room: RoomFixture
    private let operators: (id: String, headers: [(name: String, value: String)])

    init() throws {
        room = try RoomFixture(try TestServer { $0.adminToken = OperatorFixture.adminToken }, visibility: "private")
        let made = try room.server.call(
            "POST", "/v1/admin/tokens", ["name": "Support desk", "scopes": ["rooms:write"]], by: nil,
            OperatorFixture.bearer(OperatorFixture.adminToken))
        operators = (try #require(made.text("id")), OperatorFixture.bearer(try #require(made.text("token"))))
    }

    @discardableResult
    private func call(
        _ method: String, _ tail: String, _ body: JSONValue? = nil, _ headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        // Entries of the audit are in the order of their times.
        room.server.clock.advance(milliseconds: 1)
        return try room.call(method, tail, body, by: nil, operators.headers + headers)
    }

    @Test func `an operator acts in a private room: the events name the token, and the reason is public`() throws {
        try room.upload()
        let started = try call("POST", "/auction/start", ["reason": "The host has lost the line."])
        #expect(started.status == 200, "\(started.bodyText)")
        #expect(started["inviteCode"] == nil && started["me.role"] == .null)
        #expect(try call("PATCH", "/members/\(room.bidder.id)", ["muted": true, "reason": "Insults."]).status == 200)
        #expect(try call("DELETE", "/members/\(room.viewer.id)?reason=Spam.").status == 204)
        let events = try room.events()
        let by: JSONValue = ["kind": "operator", "id": .string(operators.id), "nickname": "Support desk"]
        for type in ["state.changed", "member.muted", "member.kicked"] {
            let event = events.last { $0.text("type") == type }
            #expect(event?.at("data.by") == by, "\(type): \(event?.written ?? "")")
        }
        #expect(events.first { $0.text("type") == "state.changed" }?.text("data.reason") == "The host has lost the line.")
        let notes = events.filter { $0.text("data.key") == "operator.acted" }.compactMap { $0.text("data.en") }
        #expect(notes.count == 3 && notes.allSatisfy { $0.hasPrefix("Support desk") } && notes[2].hasSuffix("Spam."))
        // Persons are named as ever.
        #expect(events.first { $0.text("type") == "member.roleChanged" }?.at("data.by.kind") == nil)
        let audit = try room.server.call(
            "GET", "/v1/admin/audit", nil, by: nil, OperatorFixture.bearer(OperatorFixture.adminToken))
        let entries = audit.list("entries").prefix(3)
        #expect(entries.compactMap { $0.text("action") } == ["kick", "changeMember", "startAuction"])
        #expect(entries.first?.text("reason") == "Spam." && entries.first?.text("token.id") == operators.id)
        #expect(entries.first?.text("target") == "\(room.path.dropFirst("/v1/rooms/".count))/members/\(room.viewer.id)")
    }

    @Test func `without a reason, or with one in the wrong place, nothing is done, and the field is named`() throws {
        let seq = try room.seq()
        let wrong: [(String, String, JSONValue?)] = [
            ("DELETE", "", nil), ("DELETE", "?reason=%20", nil), ("POST", "/auction/start", [:]),
            ("POST", "/auction/start?reason=x", [:]), ("PATCH", "/members/\(room.bidder.id)", ["muted": true]),
            ("PATCH", "/members/\(room.bidder.id)", ["muted": true, "reason": .string(String(repeating: "x", count: 501))]),
            ("POST", "/items", RoomFixture.teapot),
        ]
        for (method, tail, body) in wrong {
            let response = try call(method, tail, body)
            #expect(response.status == 400 && response.text("field") == "reason", "\(method) \(tail): \(response.bodyText)")
        }
        // A user has no reason to give where the command has none.
        let user = try room.call("PATCH", "/members/\(room.bidder.id)", ["muted": true, "reason": "x"], by: room.host)
        #expect(user.code == "request.unknown_field")
        #expect(try room.call("DELETE", "?reason=x", by: room.host).code == "request.unknown_field")
        #expect(try room.seq() == seq)
    }

    @Test func `an operator never acts as a person, whatever the scopes, and no WebSocket is theirs`() throws {
        let seq = try room.seq()
        let ofPersons = Operation.all.filter { !$0.takesOperators && !$0.isReadByOperators }
        for operation in ofPersons where operation.isInRoom && operation.access == .required {
            let tail = operation.path.dropFirst("/v1/rooms/{id}".count).split(separator: "/").map {
                $0.hasPrefix("{") ? "1" : String($0)
            }
            let response = try call(
                operation.method.rawValue, tail.map { "/\($0)" }.joined(), operation.method == .get ? nil : [:])
            #expect(response.status == 403 && response.code == "token.not_a_person", "\(operation.name): \(response.bodyText)")
        }
        #expect(
            try room.server.call("POST", "/v1/rooms", ["name": "x"], by: nil, operators.headers).code == "token.not_a_person")
        let guest = Guest(id: "", nickname: "", token: String(operators.headers[0].value.dropFirst("Bearer ".count)))
        #expect(try SocketReader(room, by: guest).problemCode() == "token.not_a_person")
        #expect(try room.seq() == seq)
    }

    @Test func `a token without the scope, or revoked, or none at all, does nothing`() throws {
        let admin = OperatorFixture.bearer(OperatorFixture.adminToken)
        let reader = try room.server.call(
            "POST", "/v1/admin/tokens", ["name": "Reader", "scopes": ["rooms:read"]], by: nil, admin)
        let headers = OperatorFixture.bearer(try #require(reader.text("token")))
        let refused = try room.call("DELETE", "?reason=x", nil, by: nil, headers)
        #expect(refused.status == 403 && refused.code == "scope.missing")
        #expect(try room.server.call("DELETE", "/v1/admin/tokens/\(operators.id)", nil, by: nil, admin).status == 204)
        #expect(try call("DELETE", "?reason=x").code == "token.invalid")
        // The token of the file has every scope.
        #expect(try room.call("DELETE", "?reason=Closing.", nil, by: nil, admin).status == 204)
    }

    @Test func `the rules of the room hold for operators`() throws {
        #expect(try call("POST", "/auction/end", ["reason": "x"]).code == "end.not_auctioning")
        try room.upload()
        let item = try #require(try room.room().text("item.id"))
        let price: JSONValue = ["rules": ["startingPrice": "1.00"], "reason": "x"]
        let refused = try call("PATCH", "/items/\(item)", price)
        #expect(refused.code == "rules.owner_only", "\(refused.bodyText)")
        #expect(try call("DELETE", "/members/\(room.host.id)?reason=x").code == "kick.themself")
        #expect(try call("POST", "/results/1/void", ["reason": "x"]).code == "result.not_found")
    }

    @Test func `lots that an operator queues, one by one or from a file, are the host's`() throws {
        let one = try call(
            "POST", "/lots", ["name": "Vase", "rules": ["startingPrice": "10"], "reason": "By telephone."])
        #expect(one.status == 201, "\(one.bodyText)")
        let file = Array(#"{"name":"Bowl","rules":{"startingPrice":"5"}}"#.utf8)
        let request = room.server.request(
            "POST", room.path + "/lots/import?reason=Catalogue.", file, by: nil,
            operators.headers + [("Content-Type", "application/x-ndjson")])
        let imported = try room.server.send(request)
        #expect(imported.status == 200, "\(imported.bodyText)")
        let lots = try room.call("GET", "/lots", by: room.host).list("lots")
        #expect(lots.count == 2 && lots.allSatisfy { $0.text("item.owner.id") == room.host.id }, "\(lots)")
    }

    @Test func `a repeat with the key of a token gets its response, and another token's key is another`() throws {
        try room.upload()
        let key = [(name: "Idempotency-Key", value: "k-1")]
        let first = try call("POST", "/auction/start", ["reason": "x"], key)
        let again = try call("POST", "/auction/start", ["reason": "x"], key)
        #expect(first.status == 200 && again.header("Idempotency-Replayed") == "true" && again.body == first.body)
        let other = try call("POST", "/auction/start", ["reason": "y"], key)
        #expect(other.code == "idempotency.key_reused")
        let file = OperatorFixture.bearer(OperatorFixture.adminToken)
        let second = try room.call("POST", "/auction/start", ["reason": "x"], by: nil, file + key)
        #expect(second.status == 200 && second.header("Idempotency-Replayed") == nil)
        #expect(second.text("state") == "auctioning")
    }

    @Test func `the lists of commands for operators agree with their bodies`() throws {
        let contract = try Contract.shared.get()
        for operation in contract.operations {
            guard let described = Operation.all.first(where: { $0.name == operation.id }), described.takesOperators else {
                continue
            }
            let schema = operation.node.at("requestBody.content")?["application/json"]?["schema"]
            #expect(described.saysReasonInQuery == (schema == nil), "\(operation.id)")
        }
    }
}
