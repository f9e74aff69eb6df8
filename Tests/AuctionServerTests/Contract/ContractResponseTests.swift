import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Responses conform to the contract, and the check detects responses that do not.
struct ContractResponseTests {
    private func violations(_ fixture: RoomFixture, _ change: (HTTPResponse) -> HTTPResponse) throws -> [String] {
        let request = fixture.server.request("GET", fixture.path, by: fixture.host)
        let response = try fixture.server.send(request)
        return try Contract.shared.get().violations(of: request, change(response))
    }

    private func response(_ response: HTTPResponse, _ members: ([JSONMember]) -> [JSONMember]) -> HTTPResponse {
        var changed = response
        changed.body = Array(JSONValue.object(members(response.json.members ?? [])).written.utf8)
        return changed
    }

    @Test func `a correct response has no violations, a changed one has`() throws {
        let fixture = try RoomFixture()
        #expect(try violations(fixture) { $0 }.isEmpty)
        #expect(try violations(fixture) { response($0) { $0.filter { $0.name != "seq" } } } == ["$: seq is missing"])
        #expect(
            try violations(fixture) { response($0) { $0 + [JSONMember(name: "secret", value: 1)] } } == ["$: secret is unknown"]
        )
        let wrongState = try violations(fixture) {
            response($0) { $0.map { $0.name == "state" ? JSONMember(name: "state", value: "sold") : $0 } }
        }
        #expect(wrongState.count == 1)
        #expect(
            try violations(fixture) {
                HTTPResponse(status: 200, headers: $0.headers.filter { $0.name != "ETag" }, body: $0.body)
            }
                == ["the header ETag is missing"])
        #expect(
            try violations(fixture) {
                HTTPResponse(status: 200, headers: $0.headers + [("Location", "/v1/rooms/room_x")], body: $0.body)
            }
                == ["the header Location is not in the contract"])
        #expect(!(try violations(fixture) { HTTPResponse(status: 201, headers: $0.headers, body: $0.body) }).isEmpty)
        #expect(!(try violations(fixture) { HTTPResponse(status: 200, headers: $0.headers, body: []) }).isEmpty)
    }

    @Test func `a refusal that lacks its permission or its receipt, or has a code of another answer, is a violation`() throws {
        let fixture = try RoomFixture()
        let request = fixture.server.request("POST", fixture.path + "/bids", Array(#"{"amount":"1"}"#.utf8), by: fixture.bidder)
        let refused = try fixture.server.send(request)
        #expect(refused.code == "bid.not_auctioning")
        let contract = try Contract.shared.get()
        for name in ["permission", "receivedAt", "seq", "requestId"] {
            let changed = response(refused) { $0.filter { $0.name != name } }
            #expect(!contract.violations(of: request, changed).isEmpty, "\(name)")
        }
        let foreign = response(refused) {
            $0.map { $0.name == "code" ? JSONMember(name: "code", value: "room.not_found") : $0 }
        }
        #expect(!contract.violations(of: request, foreign).isEmpty)
    }

    /// What the access table does not have: refusals there, or a second status of success. `AccessTableTests` receives the others.
    @Test func `every operation responds with the statuses of the contract`() throws {
        let issuer = try TokenIssuer.shared.get()
        let provider = try ProviderServer()
        var identity = try issuer.identity()
        identity.signIn = try provider.identity().signIn
        let accepted = identity
        let fixture = try RoomFixture(
            try TestServer {
                $0.identity = accepted
                $0.adminToken = OperatorFixture.adminToken
            })
        let contract = try Contract.shared.get()
        let received = try AccessTable.specified().cells.filter { $0.status >= 200 && $0.code == nil }
        var seen = Set(received.map { "\($0.operation) \($0.status)" })
        func check(
            _ method: String, _ path: String, _ status: Int, _ body: JSONValue? = nil, by guest: Guest? = nil,
            _ headers: [(name: String, value: String)] = []
        ) throws {
            let response = try fixture.server.call(method, path, body, by: guest, headers)
            #expect(response.status == status, "\(method) \(path)")
            seen.insert("\(contract.operation(method, path)?.id ?? "?") \(status)")
        }
        let room = fixture.path
        try check(
            "POST", "/v1/me/link", 200, ["guestToken": .string(fixture.rival.token)], by: try issuer.guest("alice", "Alice"))
        eventually("the provider's keys are fetched") { provider.fetches > 0 }
        let idToken = try provider.token("alice", id: "1", at: fixture.server.clock)
        try check("POST", "/v1/sessions", 201, ["idToken": .string(idToken)])
        let code = try fixture.server.call("POST", "/v1/me/pairing", by: fixture.bidder).text("code") ?? ""
        try check("POST", "/v1/tokens/pair", 200, ["code": .string(code)])
        try check("GET", "/metrics", 200)
        let service = OperatorFixture.bearer(OperatorFixture.adminToken)
        let token: JSONValue = ["name": "Backend", "scopes": ["feed:read"]]
        try check("POST", "/v1/admin/tokens", 201, token, by: nil, service)
        try check("POST", "/v1/admin/users/tokens", 201, ["subject": "c-1", "nickname": "Ann"], by: nil, service)
        for path in ["/v1/admin/tokens", "/v1/admin/audit", "/v1/feed"] { try check("GET", path, 200, by: nil, service) }
        let tokens = try fixture.server.call("GET", "/v1/admin/tokens", nil, by: nil, service)
        try check("DELETE", "/v1/admin/tokens/\(tokens.text("tokens.0.id") ?? "")", 204, by: nil, service)
        try check("POST", "/v1/admin/webhooks", 201, ["url": "https://hooks.invalid/"], by: nil, service)
        let webhooks = try fixture.server.call("GET", "/v1/admin/webhooks", nil, by: nil, service)
        let webhook = "/v1/admin/webhooks/\(webhooks.text("webhooks.0.id") ?? "")"
        try check("GET", "/v1/admin/webhooks", 200, by: nil, service)
        try check("GET", webhook + "/deliveries", 200, by: nil, service)
        try check("PATCH", webhook, 200, ["types": ["item.sold"]], by: nil, service)
        try check("POST", webhook + "/replay", 200, ["after": "latest"], by: nil, service)
        for call in ["pause", "test", "resend", "rotate", "resume"] {
            try check("POST", "\(webhook)/\(call)", 200, by: nil, service)
        }
        // With a `webhook.paused`.
        try check("GET", "/v1/feed?types=webhook.paused", 200, by: nil, service)
        try check("DELETE", webhook, 204, by: nil, service)
        for (step, body) in [("revoke", nil), ("ban", ["reason": "x"]), ("unban", ["reason": "x"])] as [(String, JSONValue?)] {
            try check("POST", "/v1/admin/users/\(fixture.stranger.id)/\(step)", 200, body, by: nil, service)
        }
        for path in ["/v1/admin/rooms", room.replacing("/v1", with: "/v1/admin")] {
            try check("GET", path, 200, by: nil, service)
        }
        let block: JSONValue = ["userId": .string(fixture.rival.id)]
        for status in [201, 200] { try check("POST", "/v1/me/blocks", status, block, by: fixture.bidder) }
        try check("DELETE", "/v1/me/blocks/\(fixture.rival.id)", 204, by: fixture.bidder)
        let apply: JSONValue = ["role": "bidder"]
        let approving = try RoomFixture(fixture.server)
        try approving.call("PATCH", "/permission-rules/bid.not_approved", ["enabled": true], by: approving.host)
        try check("POST", approving.path + "/members", 201, apply, by: approving.stranger)
        for decision in ["decline", "approve"] {
            try check("POST", "\(approving.path)/applications/\(approving.stranger.id)/\(decision)", 200, by: approving.host)
        }
        try check("POST", room + "/items", 201, RoomFixture.teapot, by: fixture.owner)
        try check("POST", room + "/items", 200, RoomFixture.teapot, by: fixture.owner)
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        for status in [201, 200] {
            try check("PUT", "\(room)/lots/\(lot)/bid", status, ["maximum": "100"], by: fixture.bidder)
        }
        try check("GET", "\(room)/lots/\(lot)/bid", 200, by: fixture.bidder)
        try check("DELETE", "\(room)/lots/\(lot)/bid", 204, by: fixture.bidder)
        try check("DELETE", "\(room)/lots/\(lot)", 200, by: fixture.owner)
        try check("PUT", room + "/sale", 200, ["mode": "automatic", "premium": ["percent": "12.5"]], by: fixture.host)
        try check("POST", room + "/sale/start", 200, by: fixture.host)
        try check("POST", room + "/sale/stop", 200, by: fixture.host)
        let sale = try RoomFixture(fixture.server)
        try check("POST", sale.path + "/lots/\(sale.passLot())/reoffer", 201, by: sale.owner)
        let sold = try RoomFixture(fixture.server)
        _ = try sold.sellLot()
        for (answer, fixture) in [("accept", sold), ("decline", try RoomFixture(fixture.server))] {
            if answer == "decline" { _ = try fixture.sellLot() }
            try check(
                "POST", fixture.path + "/results/1/void", 200, ["reason": "Not paid.", "offerTo": "next"], by: fixture.host)
            let offer = try fixture.room(as: fixture.rival).list("me.offers").first?.text("id") ?? ""
            try check("POST", fixture.path + "/offers/\(offer)/\(answer)", 200, by: fixture.rival)
        }
        for (status, range) in [(200, "lines=1"), (206, "bytes=0-1")] {
            let uploaded = try fixture.uploadPicture("photo.png", by: fixture.owner)
            #expect(uploaded.status == 201)
            seen.insert("uploadPicture 201")
            let picture = try #require(uploaded.text("url"))
            try check("GET", picture, status, by: nil, [("Range", range)])
            try check("GET", picture, 304, by: nil, [("If-None-Match", "\"\(picture.dropFirst(10))\"")])
        }
        for path in [
            room, "/openapi.yaml", "/asyncapi.yaml", "/", "/page/main.js", "/page/views/room.js", "/page/client/clock.js",
            "/client/clock.js", "/docs", "/docs/articles.json", "/docs/articles/ATour", "/page/docs/main.js", "/operator",
            "/page/operator/main.js",
        ] {
            try check("GET", path, 304, by: nil, [("If-None-Match", "*")])
        }
        try check("GET", "/page/settings.json", 200)
        let described = contract.operations.flatMap { operation in
            (operation.node["responses"]?.members ?? []).map(\.name).filter { $0.hasPrefix("2") || $0.hasPrefix("3") }
                .map { "\(operation.id) \($0)" }
        }
        #expect(Set(described).subtracting(seen).sorted() == [], "described, not received")
        #expect(seen.subtracting(described).sorted() == [], "received, not described")
    }
}
