@testable import AuctionServer
import ExactJSON
import Testing

struct SystemTests {
    @Test func `every kind of problem has a page that explains it`() throws {
        let house = try House()
        for type in ProblemType.all {
            let page = try house.call("GET", type.path)
            #expect(page.status == 200)
            #expect(page.text("type") == type.path)
            #expect(page.int("status") == type.status)
        }
        #expect(try house.call("GET", "/problems/none").code == "route.not_found")
    }

    @Test func `the state machine is told as a table and as a diagram`() throws {
        let house = try House()
        let table = try house.call("GET", "/v1/state-machine")
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
                "paused preparing cancel host", "closed preparing start host",
            ])
        let diagram = try house.call("GET", "/v1/state-machine", nil, by: nil, [("Accept", "text/vnd.mermaid")])
        #expect(diagram.bodyText.hasPrefix("stateDiagram-v2"))
        for way in table.list("transitions") {
            #expect(diagram.bodyText.contains("\(way.text("from") ?? "") --> \(way.text("to") ?? "")"))
        }
    }

    @Test func `the server says that it lives, and that it is ready`() throws {
        let house = try House()
        #expect(try house.call("GET", "/healthz").text("status") == "ok")
        #expect(try house.call("GET", "/readyz").text("status") == "ready")
        #expect(try house.call("GET", "/").bodyText.contains("/openapi.yaml"))
    }

    @Test func `a request's own id comes back, in headers and in problems`() throws {
        let scene = try Scene()
        let headers = [(name: "X-Request-Id", value: "order-66")]
        #expect(try scene.call("GET", "", by: nil, headers).header("X-Request-Id") == "order-66")
        let refused = try scene.call("POST", "/bids", ["amount": "1"], by: scene.bidder, headers)
        #expect(refused.header("X-Request-Id") == "order-66")
        #expect(refused.text("requestId") == "order-66")
        for bad in ["", "two words", String(repeating: "x", count: 129)] {
            let answer = try scene.call("GET", "", by: nil, [("X-Request-Id", bad)])
            #expect(answer.header("X-Request-Id")?.hasPrefix("req_") == true)
        }
    }

    @Test func `a caller who takes nothing that a path has gets 406, before anybody asks for a token`() throws {
        let scene = try Scene()
        func status(_ method: String, _ path: String, _ accept: String) throws -> Int {
            try scene.house.call(method, path, nil, by: nil, [("Accept", accept)]).status
        }
        for accept in ["image/png", "text/html", "application/json;q=0", "text/*, image/*"] {
            #expect(try status("GET", scene.path, accept) == 406, "\(accept)")
        }
        #expect(try status("POST", scene.path + "/bids", "text/csv") == 406)
        #expect(try status("GET", "/openapi.yaml", "image/png") == 406)
        #expect(try status("GET", "/", "application/json") == 406)
        for accept in [
            "*/*", "application/*", "Application/JSON", "text/html, */*;q=0.1", "application/json; charset=utf-8", "",
        ] {
            #expect(try status("GET", scene.path, accept) == 200, "\(accept)")
        }
        #expect(try status("GET", "/v1/state-machine", "text/vnd.mermaid") == 200)
    }

    @Test func `a request that can be read in two ways is refused, and has an id all the same`() throws {
        let house = try House()
        for headers in [
            [("Host", "other")], [("Transfer-Encoding", "gzip")], [("Content-Length", "2"), ("Transfer-Encoding", "chunked")],
        ] {
            let answer = try house.call("POST", "/v1/guests", nil, by: nil, headers.map { (name: $0.0, value: $0.1) })
            #expect(answer.status == 400)
            #expect(answer.code == "request.malformed")
            #expect(answer.text("requestId") == answer.header("X-Request-Id"))
        }
    }
}
