import ExactJSON
import Testing

/// That holding answers against the contract would notice a difference.
struct ContractAnswerTests {
    private func violations(_ scene: Scene, _ change: (HTTPAnswer) -> HTTPAnswer) throws -> [String] {
        let request = scene.house.request("GET", scene.path, by: scene.host)
        let answer = try scene.house.send(request)
        return try Contract.shared.get().violations(of: request, change(answer))
    }

    private func answer(_ answer: HTTPAnswer, _ members: ([JSONMember]) -> [JSONMember]) -> HTTPAnswer {
        var changed = answer
        changed.body = Array(JSONValue.object(members(answer.json.members ?? [])).written.utf8)
        return changed
    }

    @Test func `an answer as it should be has no violations, a changed one has`() throws {
        let scene = try Scene()
        #expect(try violations(scene) { $0 }.isEmpty)
        #expect(try violations(scene) { answer($0) { $0.filter { $0.name != "seq" } } } == ["$: seq is missing"])
        #expect(
            try violations(scene) { answer($0) { $0 + [JSONMember(name: "secret", value: 1)] } } == ["$: secret is unknown"])
        let wrongState = try violations(scene) {
            answer($0) { $0.map { $0.name == "state" ? JSONMember(name: "state", value: "sold") : $0 } }
        }
        #expect(wrongState.count == 1)
        #expect(
            try violations(scene) { HTTPAnswer(status: 200, headers: $0.headers.filter { $0.name != "ETag" }, body: $0.body) }
                == ["the header ETag is missing"])
        #expect(
            try violations(scene) {
                HTTPAnswer(status: 200, headers: $0.headers + [("Location", "/v1/rooms/room_x")], body: $0.body)
            }
                == ["the header Location is not in the contract"])
        #expect(!(try violations(scene) { HTTPAnswer(status: 201, headers: $0.headers, body: $0.body) }).isEmpty)
        #expect(!(try violations(scene) { HTTPAnswer(status: 200, headers: $0.headers, body: []) }).isEmpty)
    }

    @Test func `every operation answers as the contract says`() throws {
        let scene = try Scene()
        let house = scene.house
        let contract = try Contract.shared.get()
        var seen: Set<String> = []
        func see(
            _ method: String, _ path: String, _ status: Int, _ body: JSONValue? = nil, by guest: Guest? = nil,
            _ headers: [(name: String, value: String)] = []
        ) throws {
            let answer = try house.call(method, path, body, by: guest, headers)
            #expect(answer.status == status, "\(method) \(path)")
            seen.insert("\(contract.operation(method, path)?.id ?? "?") \(status)")
        }
        let room = scene.path
        try see("POST", "/v1/guests", 201, ["nickname": "Ann"])
        try see("POST", "/v1/tokens/renew", 200, by: scene.host)
        try see("POST", room + "/tickets", 201, by: scene.host)
        try see("POST", "/v1/rooms", 201, ["name": "Two"], by: scene.host)
        for path in [
            "/v1/rooms", room, room + "/members", room + "/bids", room + "/permission-rules",
            room + "/permission-rules/bid.viewer", room + "/results",
            room + "/results.csv", room + "/events",
        ] {
            try see("GET", path, 200)
        }
        try see("GET", room, 304, by: nil, [("If-None-Match", "*")])
        try see("POST", room + "/members", 201, by: scene.stranger)
        try see("POST", room + "/members", 200, by: scene.stranger)
        try see("DELETE", room + "/members/me", 204, by: scene.stranger)
        try see("PATCH", room + "/members/\(scene.rival.id)", 200, ["role": "bidder"], by: scene.host)
        try see("PATCH", room + "/permission-rules/bid.viewer", 200, ["enabled": false], by: scene.host)
        try see("POST", room + "/items", 201, Scene.teapot, by: scene.owner)
        let item = try #require(try scene.room().text("item.id"))
        try see("PATCH", room + "/items/\(item)", 200, ["rules": ["buyNowPrice": "900"]], by: scene.owner)
        let message = try #require(
            try scene.call("POST", "/messages", ["text": "Good evening."], by: scene.viewer).text("id"))
        try see("POST", room + "/messages", 201, ["text": "Welcome."], by: scene.host)
        try see("DELETE", room + "/messages/\(message)", 204, by: scene.host)
        try see("POST", room + "/auction/start", 200, ["expectedState": "preparing", "reason": "it is time"], by: scene.host)
        try see("POST", room + "/auction/pause", 200, by: scene.host)
        try see("POST", room + "/auction/resume", 200, by: scene.host)
        try see("POST", room + "/auction/cancel", 200, ["reason": "the wrong teapot"], by: scene.host)
        try see("POST", room + "/auction/start", 200, by: scene.host)
        try see("POST", room + "/auction/start", 200, by: scene.host)
        try see("POST", room + "/bids", 201, ["amount": "100", "round": 1], by: scene.bidder)
        let bid = try #require(try scene.room().text("currentBid.id"))
        try see("DELETE", room + "/bids/\(bid)?reason=slip", 200, by: scene.host)
        try see("POST", room + "/bids", 201, ["maximum": "300"], by: scene.bidder)
        try see("GET", room + "/permissions", 200, by: scene.bidder)
        try shakeHands(scene) { method, tail, status, body, guest in
            try see(method, room + "/stage" + tail, status, body, by: guest)
        }
        try see("DELETE", room + "/members/\(scene.viewer.id)", 204, by: scene.host)
        try see("POST", room + "/auction/end", 200, by: scene.host)
        try see("DELETE", room, 204, by: scene.host)
        for path in [
            "/v1/state-machine", "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/problems/conflict", "/", "/page/main.js",
            "/page/base.css", "/page/icon.svg", "/page/views/room.js",
        ] {
            try see("GET", path, 200)
        }
        for path in ["/", "/page/main.js", "/page/views/room.js"] {
            try see("GET", path, 304, by: nil, [("If-None-Match", "*")])
        }
        let described = contract.operations.flatMap { operation in
            (operation.node["responses"]?.members ?? []).map(\.name).filter { $0.hasPrefix("2") || $0.hasPrefix("3") }
                .map { "\(operation.id) \($0)" }
        }
        #expect(Set(described).subtracting(seen).sorted() == [], "described, not seen")
        #expect(seen.subtracting(described).sorted() == [], "seen, not described")
    }

    /// Every step of the stage: one request and one invitation to the end, one declined, one taken back, and the seats.
    private func shakeHands(
        _ scene: Scene, _ see: (String, String, Int, JSONValue?, Guest) throws -> Void
    ) throws {
        func ask(_ guest: Guest) throws -> String {
            let request = try scene.call("POST", "/stage/requests", ["role": "bidder"], by: guest)
            return try #require(request.text("id"))
        }
        try see("POST", "/requests", 201, ["role": "bidder"], scene.bidder)
        try see("POST", "/\(try ask(scene.bidder))/cancel", 200, nil, scene.bidder)
        try see("POST", "/\(try ask(scene.bidder))/decline", 200, nil, scene.host)
        let request = try ask(scene.rival)
        try see("POST", "/\(request)/accept", 200, nil, scene.host)
        try see("POST", "/\(request)/confirm", 200, nil, scene.rival)
        try see("POST", "/invitations", 201, ["userId": .string(scene.bidder.id), "role": "bidder"], scene.host)
        try see("GET", "", 200, nil, scene.viewer)
        try see("POST", "/leave", 200, nil, scene.rival)
        try see("POST", "/seats/1/mute", 200, ["muted": true], scene.host)
        try see("POST", "/seats/1/close", 200, nil, scene.host)
        try see("POST", "/seats/1/clear", 200, nil, scene.host)
    }
}
