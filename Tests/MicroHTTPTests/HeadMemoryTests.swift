@testable import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    /// Heads that are within the limit of bytes and take much of libmicrohttpd's memory, which the response's head needs as well.
    @Suite struct HeadMemory {
        /// Browsers send all cookies of a domain, also those of other servers in it.
        @Test(arguments: [2000, 4052, 4500, 8192, 20000, 60000])
        func `cookies take nothing of the head's limit, nor of the response's memory`(bytes: Int) throws {
            let server = try TestServer()
            let cookie = "c=" + String(repeating: "p", count: bytes)
            let padding = String(repeating: "p", count: 3900)
            let client = try server.client()
            for _ in 0..<2 {
                let reply = try client.request(
                    "GET /hello HTTP/1.1\r\nHost: a\r\nCookie: \(cookie)\r\nX-Padding: \(padding)\r\n\r\n")
                #expect(reply.status == 200)
            }
        }

        @Test func `too many cookies are refused`() throws {
            let server = try TestServer()
            let cookie = "c=" + String(repeating: "p", count: 66_000)
            let client = try server.client()
            #expect(try client.request("GET /hello HTTP/1.1\r\nHost: a\r\nCookie: \(cookie)\r\n\r\n").status == 400)
            #expect(client.isClosedByPeer())
        }

        @Test func `cookies whose name comes in pieces take none either`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\nCoo")
            #expect(eventually { server.onLoop { _, loop in loop.core.exchanges.openCount } == 1 })
            let cookies = (0..<50).map { "c\($0)=p" }.joined(separator: "; ")
            let reply = try client.request("kie: \(cookies)\r\nX-Padding: \(String(repeating: "p", count: 3000))\r\n\r\n")
            #expect(reply.status == 200)
        }

        @Test func `a target that is too long and has many parameters gets 414`() throws {
            let server = try TestServer()
            for (count, bytes) in [(61, 80), (62, 80), (64, 65)] {
                let parameter = "a=" + String(repeating: "p", count: bytes - 2)
                let query = Array(repeating: parameter, count: count).joined(separator: "&")
                let client = try server.client()
                let reply = try client.request("GET /hello?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(reply.status == 414)
                #expect(reply.body.hasPrefix("request.target_too_long"))
                #expect(client.isClosedByPeer())
            }
        }

        @Test func `a target with many parameters that leaves no memory for the head gets 431`() throws {
            let server = try TestServer()
            // The whole head is beyond the limit, the target is not.
            let query = Array(repeating: "a=" + String(repeating: "p", count: 52), count: 64).joined(separator: "&")
            let padding = String(repeating: "p", count: 1000)
            let reply = try server.client().request("GET /hello?\(query) HTTP/1.1\r\nHost: a\r\nX: \(padding)\r\n\r\n")
            #expect(reply.status == 431)
            #expect(reply.body.hasPrefix("request.header_too_large"))
        }

        @Test func `a request with many headers is carried out and answered, or refused`() throws {
            let server = try TestServer()
            var handled = 0
            for count in 40...80 {
                let headers = (0..<count).map { "X-\($0): \(String(repeating: "p", count: 40))\r\n" }.joined()
                let reply = try server.client().request("GET /hello HTTP/1.1\r\nHost: a\r\n\(headers)\r\n")
                #expect(reply.status == 200 || count > 50 && reply.status == 431, "\(count) headers")
                if reply.status == 200 { handled += 1 }
            }
            #expect(server.record.handled.load(ordering: .relaxed) == handled)
        }
    }
}
