import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Gate {
        /// Heads that two readers could read differently, each with what is wrong.
        static let ambiguous: [String] = [
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nxx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX(y): 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\u{1}b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\u{7F}b\r\n\r\n",
            "GET /he\u{1}llo HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\nx",
            "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\t0\r\n\r\nxxxxxxxxxx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        ]

        @Test(arguments: ambiguous)
        func `an ambiguous head gets 400 and a close`(_ head: String) throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request(head)
            #expect(reply.status == 400)
            #expect(reply.body.hasPrefix("request.malformed"))
            #expect(client.isClosedByPeer())
        }

        /// Those that libmicrohttpd answers itself: its own page, but refused as well.
        @Test(arguments: [
            "GET /hello HTTP/1.1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\nx",
        ])
        func `a head that makes no sense is refused`(_ head: String) throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request(head)
            #expect([400, 413].contains(reply.status))
            #expect(client.isClosedByPeer())
        }

        @Test func `unusual but clear heads pass`() throws {
            let server = try TestServer()
            let client = try server.client()
            for head in [
                "POST /echo HTTP/1.1\r\nHOST: a\r\nTRANSFER-ENCODING: Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nX-Tab: a\tb\r\nX~!#$%&'*+-.^_`|: 1\r\ncontent-length: 1\r\n\r\nx",
                "POST /echo HTTP/1.1\r\nHost: a\r\nX-Name: \u{00FC}\r\ncontent-length: 1\r\n\r\nx",
            ] {
                let reply = try client.request(head)
                #expect(reply.status == 201)
                #expect(reply.body == "x")
            }
        }
    }
}
