@testable import AuctionServer
import ExactJSON
import MicroHTTP
import Testing

struct MetricsTests {
    /// The values of a scrape, by metric name and labels.
    private func figures(_ server: TestServer) throws -> [String: Double] {
        let response = try server.call("GET", "/metrics")
        #expect(response.status == 200)
        #expect(response.contentType == "text/plain; version=0.0.4; charset=utf-8")
        var figures: [String: Double] = [:]
        for line in response.bodyText.split(separator: "\n") where !line.hasPrefix("#") {
            let space = try #require(line.lastIndex(of: " "))
            let value: Double = try #require(Double(line[line.index(after: space)...]))
            figures[String(line[..<space])] = value
        }
        return figures
    }

    private func requests(_ method: String, _ route: String, _ status: String) -> String {
        "auction_http_requests_total{route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"}"
    }

    @Test func `after a complete round the metrics have exact values`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: fixture.bidder).status == 201)
        try #require(try fixture.bid("105", by: fixture.rival).code == "bid.below_minimum")
        try #require(try fixture.bid("120", by: fixture.bidder).code == "bid.already_leading")
        try #require(try fixture.bid("110", by: fixture.rival).status == 201)
        try #require(try fixture.bid("x", by: fixture.rival).status == 400)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        let seq = try fixture.seq()
        let figures = try figures(fixture.server)
        func bids(_ result: String) -> Double? { figures["auction_bids_total{result=\"\(result)\"}"] }
        #expect(bids("accepted") == 2)
        #expect(bids("bid.below_minimum") == 1)
        #expect(bids("bid.already_leading") == 1)
        #expect(["bid.host", "bid.rate", "failed", "other"].allSatisfy { bids($0) == 0 })
        let route = "/v1/rooms/{id}/bids"
        #expect(figures[requests("POST", route, "2xx")] == 2)
        #expect(figures[requests("POST", route, "4xx")] == 3)
        #expect(figures["auction_http_request_seconds_count{route=\"\(route)\",method=\"POST\"}"] == 5)
        #expect(figures["auction_http_request_seconds_bucket{route=\"\(route)\",method=\"POST\",le=\"+Inf\"}"] == 5)
        #expect(figures[requests("POST", "/v1/guests", "2xx")] == 6)
        func transitions(_ from: String, _ to: String, _ cause: String) -> Double? {
            figures["auction_transitions_total{from=\"\(from)\",to=\"\(to)\",cause=\"\(cause)\"}"]
        }
        #expect(transitions("preparing", "listing", "start") == 1)
        #expect(transitions("listing", "auctioning", "start") == 1)
        #expect(transitions("auctioning", "closed", "end") == 1)
        #expect(transitions("auctioning", "closed", "countdown") == 0)
        #expect(figures["auction_rounds_total{result=\"sold\"}"] == 1)
        #expect(figures["auction_rounds_total{result=\"passed\"}"] == 0)
        #expect(figures["auction_events_total"] == Double(seq))
        #expect(figures["auction_commit_events_sum"] == Double(seq))
        #expect(figures["auction_commit_events_count"] == figures["auction_commit_seconds_count"])
        #expect(figures["auction_rooms_loaded"] == 1)
        #expect(figures["auction_http_requests_in_flight"] == 1, "the scrape itself")
        #expect(figures["auction_queue_depth{queue=\"commands\"}"] == 0)
        #expect(figures["auction_log_writable"] == 1)
        #expect(figures["auction_log_failures_total{kind=\"append\"}"] == 0)
        #expect(try #require(figures["process_resident_memory_bytes"]) > 1_000_000)
        #expect(try #require(figures["process_open_fds"]) > 5)
        #expect(try #require(figures["process_cpu_seconds_total"]) > 0)
        #expect(try #require(figures["process_start_time_seconds"]) > 0)
    }

    @Test func `input from callers does not become a label`() throws {
        let server = try TestServer()
        try server.call("GET", "/v1/nothing/secret-path")
        try server.call("BREW", "/v1/rooms")
        try server.call("GET", "/v1/rooms/room_3pype17b8wec585enw02ex8qa0")
        let response = try server.call("GET", "/metrics")
        let text = response.bodyText
        #expect(!text.contains("secret-path") && !text.contains("BREW") && !text.contains("room_"))
        let figures = try figures(server)
        #expect(figures[requests("any", "none", "4xx")] == 2)
        #expect(figures[requests("GET", "/v1/rooms/{id}", "4xx")] == 1)
        #expect(figures[requests("GET", "/metrics", "2xx")] == 1)
    }

    @Test func `waiting long-polls and streams are counted while open`() throws {
        let fixture = try RoomFixture()
        let polling = try fixture.server.connect()
        let poll = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=60", by: fixture.viewer)
        try polling.send(poll)
        let reader = try EventReader(fixture, "?after=latest", by: fixture.viewer)
        try #require(reader.status == 200)
        try eventually("both are open") {
            let figures = try figures(fixture.server)
            return figures["auction_long_polls_held"] == 1 && figures["auction_streams{transport=\"sse\"}"] == 1
                && figures["auction_http_requests_in_flight"] == 2
        }
        try fixture.upload()
        #expect(try fixture.server.receive(on: polling, to: poll).status == 200)
        #expect(try figures(fixture.server)["auction_long_polls_held"] == 0)
        // The client disconnects during the next poll.
        try polling.send(poll)
        try eventually("the poll is waiting") { try figures(fixture.server)["auction_long_polls_held"] == 1 }
        polling.close()
        try eventually("no poll is waiting") {
            let figures = try figures(fixture.server)
            return figures["auction_long_polls_held"] == 0 && figures["auction_http_requests_in_flight"] == 1
                && figures[requests("GET", "/v1/rooms/{id}/events", "none")] == 1
        }
    }

    @Test func `without the token, metrics requests get the 404 of an unknown path`() throws {
        let server = try TestServer { $0.metricsToken = "an-operator's-token" }
        func call(_ method: String, _ path: String, _ more: (name: String, value: String)...) throws -> HTTPResponse {
            try server.call(method, path, nil, by: nil, more)
        }
        for method in ["GET", "HEAD", "POST"] {
            let (hidden, absent) = (try call(method, "/metrics"), try call(method, "/nothing"))
            #expect(hidden.status == 404)
            #expect(hidden.code == absent.code)
            #expect(hidden.text("detail") == absent.text("detail"))
        }
        #expect(try call("GET", "/metrics", ("Accept", "image/png")).status == 404)
        #expect(try call("GET", "/metrics", ("Authorization", "Bearer an-operator's-tokem")).status == 404)
        #expect(try call("GET", "/metrics", ("Authorization", "Bearer ")).status == 404)
        #expect(try call("GET", "/metrics", ("Authorization", "Bearer an-operator's-token")).status == 200)
        #expect(try call("GET", "/metrics", ("Authorization", "bearer an-operator's-token")).status == 200)
    }

    @Test func `a request forwarded by a proxy does not count as local`() throws {
        let server = try TestServer()
        #expect(try server.call("GET", "/metrics").status == 200)
        for header in MetricsAccess.proxyHeaders {
            #expect(try server.call("GET", "/metrics", nil, by: nil, [(header, "127.0.0.1")]).status == 404, "\(header)")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.1", false), ("10.0.0.1", false),
        ("2001:db8::1", false), ("", false), ("localhost", false),
    ])
    func `without a configured token only local requests are allowed`(_ peer: String, _ isAllowed: Bool) {
        let (open, guarded) = (MetricsAccess(token: nil), MetricsAccess(token: "0123456789abcdef"))
        #expect(open.allows(peer: peer, isForwarded: false, host: "localhost", authorization: nil) == isAllowed)
        #expect(!open.allows(peer: peer, isForwarded: true, host: "localhost", authorization: nil))
        #expect(!open.allows(peer: peer, isForwarded: true, host: "localhost", authorization: "Bearer "))
        #expect(!guarded.allows(peer: peer, isForwarded: false, host: "localhost", authorization: nil))
        #expect(guarded.allows(peer: peer, isForwarded: true, host: "localhost", authorization: "Bearer 0123456789abcdef"))
        #expect(!guarded.allows(peer: peer, isForwarded: true, host: "localhost", authorization: "Bearer 0123456789abcde"))
        #expect(!guarded.allows(peer: peer, isForwarded: true, host: "localhost", authorization: "Basic 0123456789abcdef"))
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.0.0.1:8080", true), ("[::1]:8080", true),
        ("attacker.example", false), ("attacker.example:8080", false), ("localhost.attacker.example", false),
        ("192.0.2.1:8080", false), ("[2001:db8::1]", false), ("", false), (":8080", false), (nil, false),
    ])
    func `a request with a foreign Host is refused, against DNS rebinding`(_ host: String?, _ isAllowed: Bool) {
        let access = MetricsAccess(token: nil)
        #expect(access.allows(peer: "127.0.0.1", isForwarded: false, host: host, authorization: nil) == isAllowed)
    }

    @Test func `histogram buckets are cumulative up to their upper bound`() {
        let buckets = Buckets(ends: [10, 100], scale: 10)
        let (one, other) = (CounterBlock(count: buckets.width), CounterBlock(count: buckets.width))
        for value in [1, 10, 11] { buckets.record(Int64(value), in: one) }
        for value in [100, 101] { buckets.record(Int64(value), in: other) }
        var text = MetricsText()
        text.histogram("h", ["l": "a\"b\\\n"], buckets, [one, other])
        let label = #"l="a\"b\\\n""#
        #expect(
            text.text == """
                h_bucket{\(label),le="1"} 2
                h_bucket{\(label),le="10"} 4
                h_bucket{\(label),le="+Inf"} 5
                h_sum{\(label)} 22.3
                h_count{\(label)} 5

                """)
    }
}
