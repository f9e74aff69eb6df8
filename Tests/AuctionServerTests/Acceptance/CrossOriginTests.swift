import AuctionServer
import ExactJSON
import HTTPContract
import MicroHTTP
import Testing

/// Web pages of other origins: the CORS headers that browsers receive.
struct CrossOriginTests {
    private static let shop = "https://shop.example"

    private func fixture(_ allowed: [String] = [shop]) throws -> RoomFixture {
        try RoomFixture(try TestServer { $0.allowedOrigins = allowed })
    }

    /// A preflight; not in the contract, since it belongs to no operation.
    private func preflight(
        _ fixture: RoomFixture, of method: String, _ tail: String = "/bids", origin: String = shop
    ) throws -> HTTPResponse {
        let connection = try fixture.server.connect()
        defer { connection.close() }
        try connection.send(
            HTTPRequest(
                method: "OPTIONS", path: fixture.path + tail,
                headers: [
                    ("Origin", origin), ("Access-Control-Request-Method", method),
                    ("Access-Control-Request-Headers", "authorization,content-type,idempotency-key"),
                ], body: nil))
        return try connection.receive()
    }

    private func words(_ response: HTTPResponse, _ header: String) -> Set<String> {
        Set((response.header(header) ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } })
    }

    @Test func `a preflight of a listed origin is allowed every method and header that the calls need`() throws {
        let fixture = try fixture()
        for method in ["GET", "POST", "PATCH", "DELETE"] {
            let response = try preflight(fixture, of: method)
            #expect(response.status == 204)
            #expect(response.body.isEmpty)
            #expect(response.header("Access-Control-Allow-Origin") == Self.shop)
            #expect(words(response, "Access-Control-Allow-Methods").contains(method.lowercased()))
            #expect(
                words(response, "Access-Control-Allow-Headers").isSuperset(of: [
                    "authorization", "content-type", "idempotency-key", "last-event-id", "if-none-match", "x-request-id",
                    "sentry-trace", "baggage", "traceparent", "tracestate", "x-requested-with",
                    "x-datadog-trace-id", "x-datadog-parent-id", "x-datadog-origin", "x-datadog-sampling-priority",
                    "b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags", "newrelic",
                    "cache-control", "pragma",
                ]))
            #expect(!words(response, "Access-Control-Allow-Headers").contains { $0.contains("forward") || $0.contains("*") })
            #expect(response.header("Access-Control-Max-Age") == "7200")
            #expect(response.header("Access-Control-Allow-Credentials") == nil)
            #expect(response.header("Vary") == "Origin")
            #expect(response.header("X-Request-Id") != nil)
        }
    }

    @Test func `a preflight of another origin is refused with a problem, and without permission to read it`() throws {
        for allowed in [[Self.shop], []] {
            let fixture = try fixture(allowed)
            for origin in ["https://elsewhere.example", "null", "https://shop.example:8443", "http://shop.example"] {
                let response = try preflight(fixture, of: "POST", origin: origin)
                #expect(response.status == 403)
                #expect(response.code == "request.origin_not_allowed")
                #expect(response.header("Access-Control-Allow-Origin") == nil)
            }
        }
    }

    @Test func `responses and problems to a listed origin may be read by its page, with the headers that it needs`() throws {
        let fixture = try fixture()
        let origin = [(name: "Origin", value: Self.shop)]
        let responses = [
            try fixture.call("GET", "", nil, by: fixture.viewer, origin),
            try fixture.call("GET", "/events?after=latest", nil, by: fixture.viewer, origin),
            try fixture.call("GET", "/results.csv", nil, by: fixture.viewer, origin),
            try fixture.call("POST", "/messages", ["text": "hello"], by: fixture.viewer, origin),
            try fixture.call("POST", "/bids", ["amount": "120"], by: fixture.bidder, origin),  // 409
            try fixture.call("POST", "/bids", ["amount": "120"], by: nil, origin),  // 401
            try fixture.call("POST", "/bids", ["nothing": "120"], by: fixture.bidder, origin),  // 400
            try fixture.call("GET", "/nothing", nil, by: nil, origin),  // 404
            try fixture.server.call("GET", "/openapi.yaml", nil, by: nil, origin),
        ]
        #expect(responses.map(\.status) == [200, 200, 200, 201, 409, 401, 400, 404, 200])
        for response in responses {
            #expect(response.header("Access-Control-Allow-Origin") == Self.shop)
            // The contract, which is sent compressed, varies by another header too.
            #expect(response.headers.contains { $0.name == "Vary" && $0.value == "Origin" })
            #expect(
                words(response, "Access-Control-Expose-Headers").isSuperset(of: [
                    "etag", "location", "retry-after", "x-request-id", "idempotency-replayed", "ratelimit", "ratelimit-policy",
                    "age", "allow", "www-authenticate",
                ]))
        }
    }

    @Test func `other origins and other clients get no permission, and the page's own origin needs none`() throws {
        let fixture = try fixture()
        for origin in [["https://elsewhere.example"], ["null"], []] {
            let response = try fixture.call("GET", "", nil, by: fixture.viewer, origin.map { ("Origin", $0) })
            #expect(response.status == 200)
            #expect(response.header("Access-Control-Allow-Origin") == nil)
            #expect(response.header("Vary") == "Origin", "a cache must not give this response to a listed origin")
        }
        let closed = try self.fixture([]).call("GET", "", nil, by: nil, [("Origin", Self.shop)])
        #expect(closed.header("Access-Control-Allow-Origin") == nil)
        #expect(closed.header("Vary") == nil)
    }

    @Test func `with a wildcard every page may read without a token, and nothing else`() throws {
        let fixture = try fixture(["*", Self.shop])
        let other = "https://elsewhere.example"
        #expect(try fixture.call("GET", "", nil, by: nil, [("Origin", other)]).header("Access-Control-Allow-Origin") == "*")
        #expect(
            try fixture.call("GET", "/none", nil, by: nil, [("Origin", other)]).header("Access-Control-Allow-Origin") == "*")
        let read = try preflight(fixture, of: "GET", "/events", origin: other)
        #expect(read.status == 204)
        #expect(read.header("Access-Control-Allow-Origin") == "*")
        #expect(!words(read, "Access-Control-Allow-Headers").contains("authorization"))
        #expect(words(read, "Access-Control-Allow-Headers").isSuperset(of: ["last-event-id", "sentry-trace", "traceparent"]))
        #expect(try preflight(fixture, of: "POST", origin: other).status == 403)

        let withToken = try fixture.call("GET", "", nil, by: fixture.viewer, [("Origin", other)])
        #expect(withToken.header("Access-Control-Allow-Origin") == nil)
        let written = try fixture.call("POST", "/messages", ["text": "hi"], by: fixture.viewer, [("Origin", other)])
        #expect(written.header("Access-Control-Allow-Origin") == nil)
        let listed = try fixture.call("GET", "", nil, by: fixture.viewer, [("Origin", Self.shop)])
        #expect(listed.header("Access-Control-Allow-Origin") == Self.shop)
    }

    @Test func `streams and long-polls of a listed origin may be read, also beside those of other clients`() throws {
        let fixture = try fixture()
        let stream = try StreamReader(
            port: fixture.server.auctionServer.port,
            "GET \(fixture.path)/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\nOrigin: \(Self.shop)\r\n\r\n")
        #expect(stream.status == 200)
        #expect(stream.headers["access-control-allow-origin"] == Self.shop)
        #expect(stream.headers["content-type"] == "text/event-stream")

        // Waiting long-polls are answered together, with one encoded body.
        let before = try #require(try fixture.room().int("viewers"))
        let origins = [Self.shop, nil, Self.shop, "https://elsewhere.example"]
        let held = try origins.map { origin in
            let request = fixture.server.request(
                "GET", fixture.path + "/events?after=latest&wait=60", nil, by: fixture.viewer,
                origin.map { [("Origin", $0)] } ?? [])
            let connection = try fixture.server.connect()
            try connection.send(request)
            return (connection, request)
        }
        try eventually("the polls are held") { try fixture.room().int("viewers") == before + origins.count }
        try fixture.call("POST", "/messages", ["text": "hello"], by: fixture.viewer)
        let responses = try held.map { try fixture.server.receive(on: $0.0, to: $0.1) }
        #expect(responses.map { $0.header("Access-Control-Allow-Origin") } == [Self.shop, nil, Self.shop, nil])
        #expect(responses.allSatisfy { $0.list("events").count == 1 && $0.header("Vary") == "Origin" })
    }

    @Test func `a page may read why the server itself refused its request`() throws {
        let server = try TestServer {
            $0.allowedOrigins = [Self.shop]
            $0.http.limits.bodyBytes = 1024
        }
        let response = try server.call(
            "POST", "/v1/guests", raw: String(repeating: " ", count: 2000), by: nil, [("Origin", Self.shop)])
        #expect(response.status == 413)
        #expect(response.header("Access-Control-Allow-Origin") == Self.shop)
    }

    @Test func `with a wildcard a page of any origin may follow a room by WebSocket without a ticket`() throws {
        let fixture = try fixture(["*"])
        #expect(try SocketReader(fixture, origin: "https://elsewhere.example").status == 101)
        for name in ["ticket", "%74icket", "tick%65t"] {
            let ticket = try fixture.ticket(by: fixture.bidder)
            let query = "?\(name)=\(ticket)"
            #expect(try SocketReader(fixture, query, origin: "https://elsewhere.example").status == 403, "\(name)")
        }
    }

    @Test func `pages may not read the operator's metrics, wherever the browser runs`() throws {
        let fixture = try fixture(["*", Self.shop])
        for origin in [Self.shop, "https://elsewhere.example"] {
            let response = try fixture.server.call("GET", "/metrics", nil, by: nil, [("Origin", origin)])
            #expect(response.status == 200)
            #expect(response.header("Access-Control-Allow-Origin") == nil)
        }
    }
}
