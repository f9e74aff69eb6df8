import AuctionServer
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

    @Test func `every operation responds with the statuses of the contract`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let fixture = try RoomFixture(try TestServer { $0.identity = identity })
        let server = fixture.server
        let contract = try Contract.shared.get()
        var seen: Set<String> = []
        func check(
            _ method: String, _ path: String, _ status: Int, _ body: JSONValue? = nil, by guest: Guest? = nil,
            _ headers: [(name: String, value: String)] = []
        ) throws {
            let response = try server.call(method, path, body, by: guest, headers)
            #expect(response.status == status, "\(method) \(path)")
            seen.insert("\(contract.operation(method, path)?.id ?? "?") \(status)")
        }
        let room = fixture.path
        try check("POST", "/v1/guests", 201, ["nickname": "Ann"])
        try check("POST", "/v1/tokens/renew", 200, by: fixture.host)
        try check("POST", room + "/tickets", 201, by: fixture.host)
        try check("POST", "/v1/rooms", 201, ["name": "Two"], by: fixture.host)
        for path in [
            "/v1/rooms", room, room + "/members", room + "/bids", room + "/permission-rules",
            room + "/permission-rules/bid.viewer", room + "/results",
            room + "/results.csv", room + "/results.ndjson", room + "/results.html", room + "/events",
        ] {
            try check("GET", path, 200)
        }
        try check("PATCH", "/v1/me", 200, ["nickname": "Hanna"], by: fixture.host)
        let link: JSONValue = ["guestToken": .string(fixture.rival.token)]
        try check("POST", "/v1/me/link", 200, link, by: try issuer.guest("alice", "Alice"))
        try check("POST", room + "/members", 201, ["role": "bidder"], by: fixture.rival)
        for path in ["", "/rooms", "/bids", "/wins"] { try check("GET", "/v1/me" + path, 200, by: fixture.host) }
        try check("GET", room, 304, by: nil, [("If-None-Match", "*")])
        try check("POST", room + "/members", 201, by: fixture.stranger)
        try check("POST", room + "/members", 200, by: fixture.stranger)
        try check("DELETE", room + "/members/me", 204, by: fixture.stranger)
        try check("PATCH", room + "/members/\(fixture.rival.id)", 200, ["role": "bidder"], by: fixture.host)
        try check("PATCH", room + "/permission-rules/bid.viewer", 200, ["enabled": false], by: fixture.host)
        try check("POST", room + "/items", 201, RoomFixture.teapot, by: fixture.owner)
        try check("POST", room + "/items", 200, RoomFixture.teapot, by: fixture.owner)
        let item = try #require(try fixture.room().text("item.id"))
        try check("PATCH", room + "/items/\(item)", 200, ["rules": ["buyNowPrice": "900"]], by: fixture.owner)
        try performSale(fixture) { method, tail, status, body, guest in try check(method, room + tail, status, body, by: guest)
        }
        try check(
            "POST", room + "/lots/import", 200, ["name": "Jug", "rules": ["startingPrice": "1"], "reference": "B0"],
            by: fixture.owner, [("Content-Type", "application/x-ndjson")])
        for (status, range) in [(200, "lines=1"), (206, "bytes=0-1")] {
            let uploaded = try fixture.uploadPicture("photo.png", by: fixture.owner)
            #expect(uploaded.status == 201)
            seen.insert("uploadPicture 201")
            let picture = try #require(uploaded.text("url"))
            try check("GET", picture, status, by: nil, [("Range", range)])
            try check("GET", picture, 304, by: nil, [("If-None-Match", "\"\(picture.dropFirst(10))\"")])
        }
        let message = try #require(
            try fixture.call("POST", "/messages", ["text": "Good evening."], by: fixture.viewer).text("id"))
        try check("POST", room + "/messages", 201, ["text": "Welcome."], by: fixture.host)
        try check("DELETE", room + "/messages/\(message)", 204, by: fixture.host)
        try check(
            "POST", room + "/auction/start", 200, ["expectedState": "preparing", "reason": "it is time"], by: fixture.host)
        try check("POST", room + "/auction/pause", 200, by: fixture.host)
        try check("POST", room + "/auction/resume", 200, by: fixture.host)
        try check("POST", room + "/auction/cancel", 200, ["reason": "the wrong teapot"], by: fixture.host)
        try check("POST", room + "/auction/start", 200, by: fixture.host)
        try check("POST", room + "/auction/start", 200, by: fixture.host)
        try check("POST", room + "/bids", 201, ["amount": "100", "round": 1], by: fixture.bidder)
        let bid = try #require(try fixture.room().text("currentBid.id"))
        try check("DELETE", room + "/bids/\(bid)?reason=slip", 200, by: fixture.host)
        try check("POST", room + "/bids", 201, ["maximum": "300"], by: fixture.bidder)
        try check("GET", room + "/permissions", 200, by: fixture.bidder)
        try performStageHandshakes(fixture) { method, tail, status, body, guest in
            try check(method, room + "/stage" + tail, status, body, by: guest)
        }
        try check("DELETE", room + "/members/\(fixture.viewer.id)", 204, by: fixture.host)
        try check("POST", room + "/auction/end", 200, by: fixture.host)
        try check("DELETE", room, 204, by: fixture.host)
        for path in [
            "/v1", "/v1/state-machine", "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/asyncapi.yaml",
            "/problems/conflict",
            "/", "/page/main.js",
            "/page/base.css", "/page/icon.svg", "/page/views/room.js", "/page/client/clock.js",
            "/client/clock.js", "/docs", "/docs/articles.json", "/docs/articles/ATour", "/docs/articles/ATour.md",
            "/page/docs/main.js",
        ] {
            try check("GET", path, 200)
        }
        for path in [
            "/openapi.yaml", "/asyncapi.yaml", "/", "/page/main.js", "/page/views/room.js", "/page/client/clock.js",
            "/client/clock.js", "/docs", "/docs/articles.json", "/docs/articles/ATour", "/page/docs/main.js",
        ] {
            try check("GET", path, 304, by: nil, [("If-None-Match", "*")])
        }
        try check("GET", "/docs/", 308)
        let described = contract.operations.flatMap { operation in
            (operation.node["responses"]?.members ?? []).map(\.name).filter { $0.hasPrefix("2") || $0.hasPrefix("3") }
                .map { "\(operation.id) \($0)" }
        }
        #expect(Set(described).subtracting(seen).sorted() == [], "described, not received")
        #expect(seen.subtracting(described).sorted() == [], "received, not described")
    }

    /// Performs every stage operation: a completed request and invitation, a declined one, a withdrawn one, and the seat commands.
    /// One call of each operation on lots and the sale; the room is as before, but for a withdrawn lot.
    private func performSale(
        _ fixture: RoomFixture, _ check: (String, String, Int, JSONValue?, Guest?) throws -> Void
    ) throws {
        try check("POST", "/lots", 201, ["name": "Vase", "rules": ["startingPrice": "10"], "reference": "B1"], fixture.owner)
        let lot = try #require(try fixture.call("GET", "/lots").text("lots.0.id"))
        try check("GET", "/lots", 200, nil, nil)
        try check("GET", "/lots/\(lot)", 200, nil, nil)
        try check("PATCH", "/lots/\(lot)", 200, ["name": "Old vase", "reference": .null], fixture.owner)
        try check("PUT", "/sale", 200, ["mode": "automatic", "premium": ["percent": "12.5"]], fixture.host)
        try check("GET", "/sale", 200, nil, nil)
        try check("POST", "/sale/start", 200, nil, fixture.host)
        try check("POST", "/sale/stop", 200, nil, fixture.host)
        try check("POST", "/auction/cancel", 200, ["reason": "not yet"], fixture.host)
        try check("DELETE", "/sale", 200, nil, fixture.host)
        try check("DELETE", "/lots/\(lot)?reason=broken", 200, nil, fixture.owner)
    }

    private func performStageHandshakes(
        _ fixture: RoomFixture, _ check: (String, String, Int, JSONValue?, Guest) throws -> Void
    ) throws {
        func ask(_ guest: Guest) throws -> String {
            let request = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: guest)
            return try #require(request.text("id"))
        }
        try check("POST", "/requests", 201, ["role": "bidder"], fixture.bidder)
        try check("POST", "/\(try ask(fixture.bidder))/cancel", 200, nil, fixture.bidder)
        try check("POST", "/\(try ask(fixture.bidder))/decline", 200, nil, fixture.host)
        let request = try ask(fixture.rival)
        try check("POST", "/\(request)/accept", 200, nil, fixture.host)
        try check("POST", "/\(request)/confirm", 200, nil, fixture.rival)
        try check("POST", "/invitations", 201, ["userId": .string(fixture.bidder.id), "role": "bidder"], fixture.host)
        try check("GET", "", 200, nil, fixture.viewer)
        try check("POST", "/leave", 200, nil, fixture.rival)
        try check("POST", "/seats/1/mute", 200, ["muted": true], fixture.host)
        try check("POST", "/seats/1/close", 200, nil, fixture.host)
        try check("POST", "/seats/1/clear", 200, nil, fixture.host)
    }
}
