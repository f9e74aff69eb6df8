@testable import AuctionServer
import ExactJSON
import Testing

struct SystemTests {
    @Test func `every problem type has an explanation page`() throws {
        let server = try TestServer()
        for type in ProblemType.all {
            let page = try server.call("GET", type.path)
            #expect(page.status == 200)
            #expect(page.text("type") == type.path)
            #expect(page.int("status") == type.status)
        }
        #expect(try server.call("GET", "/problems/none").code == "route.not_found")
    }

    @Test func `the state machine is served as a table and as a diagram`() throws {
        let server = try TestServer()
        let table = try server.call("GET", "/v1/state-machine")
        #expect(table.text("initial") == "preparing")
        let ways = table.list("transitions").map { way in
            ["from", "to", "cause", "by"].compactMap { way.text($0) }.joined(separator: " ")
        }
        #expect(
            Set(ways) == [
                "preparing listing start host", "listing auctioning start host", "listing auctioning countdown the clock",
                "auctioning closed end host", "auctioning closed countdown the clock", "auctioning closed bid the bidder",
                "listing paused pause host", "auctioning paused pause host", "listing paused hostGone the clock",
                "auctioning paused hostGone the clock", "paused listing resume host", "paused auctioning resume host",
                "paused closed hostGone the clock", "listing preparing cancel host", "auctioning preparing cancel host",
                "paused preparing cancel host", "closed preparing start host", "preparing listing sale the clock",
                "closed preparing sale the clock",
            ])
        let diagram = try server.call("GET", "/v1/state-machine", nil, by: nil, [("Accept", "text/vnd.mermaid")])
        #expect(diagram.bodyText.hasPrefix("stateDiagram-v2"))
        for way in table.list("transitions") {
            #expect(diagram.bodyText.contains("\(way.text("from") ?? "") --> \(way.text("to") ?? "")"))
        }
    }

    @Test func `the server reports liveness and readiness`() throws {
        let server = try TestServer()
        #expect(try server.call("GET", "/healthz").text("status") == "ok")
        #expect(try server.call("GET", "/readyz").text("status") == "ready")
    }

    @Test func `the client's request id is returned in headers and problems`() throws {
        let fixture = try RoomFixture()
        let headers = [(name: "X-Request-Id", value: "order-66")]
        #expect(try fixture.call("GET", "", by: nil, headers).header("X-Request-Id") == "order-66")
        let refused = try fixture.call("POST", "/bids", ["amount": "1"], by: fixture.bidder, headers)
        #expect(refused.header("X-Request-Id") == "order-66")
        #expect(refused.text("requestId") == "order-66")
        for bad in ["", "two words", String(repeating: "x", count: 129)] {
            let response = try fixture.call("GET", "", by: nil, [("X-Request-Id", bad)])
            #expect(response.header("X-Request-Id")?.hasPrefix("req_") == true)
        }
    }

    @Test func `every request without an id gets another one`() {
        // With 131,621,703,842,267,135 all digits are the largest, so that the next id begins again.
        for seed in [0, 131_621_703_842_267_135, UInt64.max] {
            var ids = RequestIDs(seed: seed)
            let made = (0..<5000).map { _ in ids.next() }
            #expect(Set(made).count == made.count)
            #expect(made.allSatisfy { $0.utf8.count == 15 && $0.hasPrefix("req_") })
            #expect(made.allSatisfy { $0.dropFirst(4).allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) } })
        }
    }

    @Test func `a request that accepts none of the path's media types gets 406 before the token is checked`() throws {
        let fixture = try RoomFixture()
        func status(_ method: String, _ path: String, _ accept: String) throws -> Int {
            try fixture.server.call(method, path, nil, by: nil, [("Accept", accept)]).status
        }
        for accept in ["image/png", "text/html", "application/json;q=0", "application/json;q=0, */*", "text/*, image/*"] {
            #expect(try status("GET", fixture.path, accept) == 406, "\(accept)")
        }
        #expect(try status("POST", fixture.path + "/bids", "text/csv") == 406)
        #expect(try status("GET", "/openapi.yaml", "image/png") == 406)
        #expect(try status("GET", "/", "application/json") == 406)
        for accept in [
            "*/*", "application/*", "Application/JSON", "text/html, */*;q=0.1", "application/json; charset=utf-8", "",
        ] {
            #expect(try status("GET", fixture.path, accept) == 200, "\(accept)")
        }
        #expect(try status("GET", "/v1/state-machine", "text/vnd.mermaid") == 200)
        let lines = [(name: "Accept", value: "text/html"), ("Accept", "application/json")]
        #expect(try fixture.server.call("GET", fixture.path, nil, by: nil, lines).status == 200, "lines of a list are one list")
    }

    @Test(arguments: [
        ("text/vnd.mermaid", true), ("text/vnd.mermaid, */*", true), ("text/vnd.mermaid;q=0.5", true), ("text/*", true),
        ("application/json;q=0.5, text/vnd.mermaid", true), ("application/json, text/vnd.mermaid", true),
        ("text/vnd.mermaid;q=0.5, application/json", false), ("text/vnd.mermaid;q=0.5, */*", false),
        ("text/vnd.mermaid;q=0, application/json", false), ("text/vnd.mermaid;q=0, */*", false), ("*/*", false), ("", false),
        ("application/json", false),
    ])
    func `the state machine is a diagram for those who prefer one`(accept: String, isDiagram: Bool) throws {
        let server = try TestServer()
        let response = try server.call("GET", "/v1/state-machine", nil, by: nil, [("Accept", accept)])
        #expect(response.status == 200)
        #expect(response.bodyText.hasPrefix("stateDiagram-v2") == isDiagram)
    }

    @Test func `an ambiguous request is refused, and the response has a request id`() throws {
        let server = try TestServer()
        for headers in [
            [("Host", "other")], [("Transfer-Encoding", "gzip")], [("Content-Length", "2"), ("Transfer-Encoding", "chunked")],
        ] {
            let response = try server.call("POST", "/v1/guests", nil, by: nil, headers.map { (name: $0.0, value: $0.1) })
            #expect(response.status == 400)
            #expect(response.code == "request.malformed")
            #expect(response.text("requestId") == response.header("X-Request-Id"))
        }
    }
}
