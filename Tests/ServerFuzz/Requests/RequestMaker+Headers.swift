import AuctionTestKit
import HTTPContract

// Request headers: plausible values, and values that parsers often mishandle.
extension RequestMaker {
    func headers(
        _ operation: Contract.Operation, _ user: Int?, _ type: String?, _ generator: inout SeededGenerator
    ) -> [(name: String, value: String)] {
        var headers = [(name: "Host", value: "auction.example")]
        if let user { headers.append(("Authorization", "Bearer \(world.users[user].token)")) }
        if let type { headers.append(("Content-Type", type)) }
        if operation.id == "openSocket", !(isOdd && generator.once(in: 6)) { headers += Self.upgrade }
        if operation.id == "readEvents", generator.once(in: 3) { headers.append(("Accept", "text/event-stream")) }
        if operation.method != "GET", generator.once(in: 3) { headers.append(("Idempotency-Key", "k\(generator.roll(1...5))")) }
        if generator.once(in: 8) { headers.append(("Accept-Language", generator.pick(["zh", "zh-CN,en;q=0.5", "en", "*"]))) }
        guard isOdd else { return headers }
        for _ in 0..<generator.pick([0, 0, 1, 2]) { change(&headers, &generator) }
        return headers
    }

    private static let upgrade = [
        (name: "Connection", value: "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Protocol", "auction-room.v1"),
    ]

    private func change(_ headers: inout [(name: String, value: String)], _ generator: inout SeededGenerator) {
        let kind = generator.pick(Self.odd)
        var value = generator.pick(kind.values)
        if value == "<number>" { value = generator.pick(OddValues.numbers) }
        if value == "<text>" { value = generator.pick(OddValues.texts) }
        if value == "<long>" { value = String(repeating: "a", count: generator.pick([128, 129, 255, 256, 3000, 5000])) }
        // Most parsers use the first of several equal headers, so the odd one goes first or replaces the others.
        if generator.once(in: 2) { headers.removeAll { $0.name == kind.name } }
        headers.insert((kind.name, value), at: generator.once(in: 2) ? 0 : headers.count)
    }

    private static let odd: [(name: String, values: [String])] = [
        (
            "Authorization",
            [
                "", "Bearer", "Bearer ", "Bearer x", "Basic YTpi", "bearer a.b.c", "Bearer <text>", "<text>",
                "Bearer eyJhbGciOiJub25lIn0.e30.",
            ]
        ),
        (
            "Content-Type",
            [
                "", "text/plain", "application/json; charset=utf-8", "APPLICATION/JSON", "application/json;",
                "application/jsonx", "<text>", "<long>",
            ]
        ),
        (
            "Accept",
            [
                "", "*/*", "*/*;q=0", "text/event-stream", "text/event-stream;q=0", "text/event-stream;q=nan",
                "application/json;q=1e400", "text/vnd.mermaid", "text/csv", "text/*", ";", ",", "/", "<text>",
                "application/*;q=-1",
            ]
        ),
        ("Accept-Language", ["", "zh", "zh;q=0", "en;q=inf,zh;q=nan", "zh;q=1e999", "*;q=0.5", "<text>", "<long>"]),
        ("Idempotency-Key", ["", "k1", "k2", " ", "<text>", "<long>", "é"]),
        ("Last-Event-ID", ["", "0", "1", "latest", "<number>", "<number>", "<text>"]),
        ("If-None-Match", ["*", "", "\"1\"", "W/\"1\"", "<text>", "<long>"]),
        ("X-Request-Id", ["", "r1", "<text>", "<long>"]),
        ("X-Forwarded-For", ["", "10.0.0.1", "::1", "unknown", "1.2.3.4, 5.6.7.8,", "<text>", "999.999.999.999", "<number>"]),
        ("Forwarded", ["", "for=1.2.3.4", "for=\"[2001:db8::1]:4711\"", "for=\"[", "for=_x;by=", ";;,,", "<text>"]),
        ("Host", ["", "a b", "auction.example:80", "[::1]", "<text>"]),
        ("Origin", ["null", "https://auction.example", "https://other.example", "://", "<text>"]),
        ("Content-Length", ["0", "5", "<number>"]),
        ("Transfer-Encoding", ["chunked", "gzip"]),
        ("Upgrade", ["websocket", "h2c"]),
        ("Sec-WebSocket-Key", ["", "x", "dGhlIHNhbXBsZSBub25jZQ==", "<text>"]),
        ("Sec-WebSocket-Version", ["8", "13", "<number>"]),
        ("Sec-WebSocket-Protocol", ["", ",", "<text>", "auction-room.v1,auction-room.v1"]),
        ("Bad Name", ["x"]), ("", ["x"]), ("X-Control", ["a\u{1}b", "a\r\nb", "\u{0}"]), ("X-Long", ["<long>"]),
    ]
}
