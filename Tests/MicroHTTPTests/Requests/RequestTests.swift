@testable import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Requests {
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

        @Test func `a connection is kept alive over many requests`() throws {
            let server = try TestServer()
            let client = try server.client()
            for _ in 0..<50 {
                let reply = try client.request(Self.hello)
                #expect(reply.status == 200)
                #expect(reply.body == "hello")
            }
            #expect(server.openCount == 1)
        }

        @Test func `pipelined requests get their responses in order`() throws {
            let server = try TestServer()
            let client = try server.client()
            let echoes = (0..<20).map { "POST /posted HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\($0 + 10)" }
            client.send(echoes.joined() + Self.hello)
            for number in 0..<20 { #expect(try client.reply().body == "\(number + 10)") }
            #expect(try client.reply().body == "hello")
        }

        /// What was kept of the line does not fit into libmicrohttpd's buffer together with what follows.
        @Test(arguments: [hello, "POST /posted HTTP/1.1\r\nHost: a\r\n\r\n"])
        func `pipelined requests behind a line that comes in two pieces get their responses`(_ next: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\nX-One: " + String(repeating: "p", count: 3000))
            #expect(eventually { server.onLoop { _, loop in loop.core.exchanges.openCount } == 1 })
            client.send("p\r\n\r\n" + String(repeating: next, count: 400))
            for _ in 0...400 { #expect(try client.reply().status != 400) }
            #expect(try client.request(Self.hello).body == "hello")
        }

        @Test func `the handler receives the request as sent`() throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request(
                "GET /about?a=%20b&c=+&a=2 HTTP/1.1\r\nHost: a\r\nX-One: yes\r\nx-many: 1\r\nX-MANY: 2\r\n\r\n")
            #expect(reply.body == "GET\n/about\na=%20b&c=+&a=2\nyes\n1+2\n127.0.0.1")
            let escaped = try client.request("GET /ab%6Fut HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(escaped.status == 404)
        }

        @Test func `a target in absolute form has the same path`() throws {
            let server = try TestServer()
            let client = try server.client()
            for target in ["http://a/hello", "HTTP://a:80/hello", "https://a/hello"] {
                #expect(try client.request("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
            }
            #expect(
                try client.request("GET http://a/about?a=1 HTTP/1.1\r\nHost: a\r\n\r\n").body.hasPrefix("GET\n/about\na=1\n"))
            #expect(try client.request("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
            #expect(try client.request("GET ftp://a/hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
        }

        @Test(arguments: ["chunked", "Chunked", "\tchunked \t ", "chunked "])
        func `a chunked body is reassembled`(coding: String) throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request(
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n")
            #expect(reply.status == 201)
            #expect(reply.body == "hello world")
            #expect(try client.request(Self.hello).body == "hello")
        }

        @Test func `a request without Content-Length has an empty body`() throws {
            let server = try TestServer()
            let reply = try server.client().request("POST /echo HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply.status == 201)
            #expect(reply.body.isEmpty)
        }

        @Test func `a client that expects 100 Continue gets it before it sends the body`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.readHead().status == 100)
            client.send("abc")
            #expect(try client.reply().body == "abc")
        }

        @Test func `HEAD gets the headers of GET without the body`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let reply = try client.reply(toHead: true)
            #expect(reply.status == 200)
            #expect(reply.header("Content-Length") == "5")
            #expect(reply.header("Content-Type") == "text/plain")
            #expect(try client.request(Self.hello).body == "hello")
        }

        @Test func `a method without a route gets 405 with the allowed methods`() throws {
            let server = try TestServer()
            let reply = try server.client().request("DELETE /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply.status == 405)
            #expect(reply.header("Allow") == "GET, HEAD, POST")
        }

        @Test func `a second response is ignored`() throws {
            let server = try TestServer()
            let client = try server.client()
            #expect(try client.request("GET /twice HTTP/1.1\r\nHost: a\r\n\r\n").body == "first")
            #expect(try client.request(Self.hello).body == "hello")
        }
    }
}
