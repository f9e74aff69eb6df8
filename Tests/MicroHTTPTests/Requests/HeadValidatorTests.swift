import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct HeadValidation {
        /// Heads that two HTTP implementations could parse differently.
        static let ambiguous: [String] = [
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nxx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\r\nidempotency-key: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX(y): 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\u{1}b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\u{7F}b\r\n\r\n",
            "GET /he\u{1}llo HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\nx",
            "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\t0\r\n\r\nxxxxxxxxxx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked,\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\n\"X\": 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX\u{FC}: 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\n Host: a\r\nHost: b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n",
            "GET /he\tllo HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a, b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: b@a\r\n\r\n",
            "GET http://b/hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a:81/hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a@b/hello HTTP/1.1\r\nHost: b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost:\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: \t\r\n\r\n",
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET ?a=1 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1 1\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\u{B}\r\n\r\nx",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n",
            "GET /hel lo HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello  HTTP/1.1\r\nHost: a\r\n\r\n",
        ]

        /// Faults that libmicrohttpd's parser hides: they are visible only in the raw bytes.
        static let hidden: [String] = [
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\r\n b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\r\n\tb\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\r\n \r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\n:\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\n: b\r\nContent-Length: 5\r\n\r\nhello",
            "GET /hello\0 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello\0/x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\0b\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX-One: a\0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\u{0}6\r\n\r\nx",
            "GET /hello HTTP/1.1\nHost: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\n\n",
            "GET  /hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX\0y: 1\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX y: 1\r\n\r\n",
            "GET /hello http/1.1\r\nHost: a\r\n\r\n", "GET /hello HTTP/1.10\r\nHost: a\r\n\r\n", "GET /hello\r\n\r\n",
            "GET\t/hello\tHTTP/1.1\r\nHost: a\r\n\r\n", " GET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET \u{B}/hello HTTP/1.1\r\nHost: a\r\n\r\n", "GET /hello\u{C} HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hello \u{C}HTTP/1.1\r\nHost: a\r\n\r\n", "G(T /hello HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /hel\rlo HTTP/1.1\r\nHost: a\r\n\r\n", "GET /hello HTTP/1.1\r\r\nHost: a\r\n\r\n",
        ]

        /// Hidden faults in chunked bodies, each in place of the valid `1\r\nx\r\n0\r\n\r\n`.
        static let chunks: [String] = [
            "1;\r\nx\r\n0\r\n\r\n", "1;;a\r\nx\r\n0\r\n\r\n", "1;a;\r\nx\r\n0\r\n\r\n", "1;(\r\nx\r\n0\r\n\r\n",
            "1;a=\r\nx\r\n0\r\n\r\n", "1;=a\r\nx\r\n0\r\n\r\n", "1;a=b c\r\nx\r\n0\r\n\r\n", "1;a b\r\nx\r\n0\r\n\r\n",
            "1;a=\"b\r\nx\r\n0\r\n\r\n", "1;a=\"b\\\"\r\nx\r\n0\r\n\r\n", "1;a=\"b\"c\r\nx\r\n0\r\n\r\n",
            "1;a\0\r\nx\r\n0\r\n\r\n",
            "1;a\nx\r\n0\r\n\r\n", "1\nx\r\n0\r\n\r\n", "1\r\nx\n0\r\n\r\n", "1\r\nx\r\n0\n\r\n", "1\r\nx\r\n0;\r\n\r\n",
            "1\r\nx\r\n0\r\nX: a\r\n b\r\n\r\n", "1\r\nx\r\n0\r\n: b\r\n\r\n", "1\r\nx\r\n0\r\nX: a\nY: b\r\n\r\n",
            "1\r\nx\r\n0\r\n\n", "0000000000000001\r\nx\r\n0\r\n\r\n", "0x1\r\nx\r\n0\r\n\r\n", "-1\r\nx\r\n0\r\n\r\n",
            "1 \r\nx\r\n0\r\n\r\n", "1\r\nxYY0\r\n\r\n", "\r\nx\r\n", "10000000000000001\r\nx\r\n0\r\n\r\n",
        ]

        private static let chunkedHead = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

        @Test(arguments: ambiguous + hidden + chunks.map { chunkedHead + $0 })
        func `an ambiguous head gets 400, and the connection closes`(_ head: String) throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request(head)
            #expect(reply.status == 400)
            #expect(reply.body.hasPrefix("request.malformed"))
            #expect(client.isClosedByPeer())
        }

        /// A version that is not understood is libmicrohttpd's to refuse, with its own error page.
        @Test(arguments: ["HTTP/2.0", "HTTP/0.9"])
        func `another version of HTTP gets 505`(_ version: String) throws {
            let server = try TestServer()
            let client = try server.client()
            #expect(try client.request("GET /hello \(version)\r\nHost: a\r\n\r\n").status == 505)
            #expect(client.isClosedByPeer())
        }

        @Test(arguments: ["99999999999999999999999", "00000000000000000000000000099999999"])
        func `a length beyond every range is too large`(_ length: String) throws {
            let server = try TestServer()
            let client = try server.client()
            let reply = try client.request("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nx")
            #expect(reply.status == 413)
            #expect(client.isClosedByPeer())
        }

        @Test func `whitespace around a length is ignored`() throws {
            let server = try TestServer()
            let client = try server.client()
            #expect(try client.request("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \t5 \t\r\n\r\nhello").body == "hello")
            #expect(try client.request("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:5\r\n\r\nworld").body == "world")
        }

        @Test func `whitespace after a header's value is not a part of it`() throws {
            let server = try TestServer()
            let client = try server.client()
            let lines = "Host: a \t\r\nX-One: b c \t\r\nX-Many: 1 \r\nX-Many: \t\r\nX-Many:2\t\r\n\r\n"
            let reply = try client.request("GET /about HTTP/1.1\r\n" + lines)
            #expect(reply.body == "GET\n/about\n-\nb c\n1++2\n127.0.0.1")
            let absolute = try client.request("GET http://a/about HTTP/1.1\r\nHost: a \r\nX-One: \t \r\n\r\n")
            #expect(absolute.body == "GET\n/about\n-\n\n\n127.0.0.1")
            client.send(Client.request("Sec-WebSocket-Version: 13 ", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\t"))
            #expect(try client.readHead().status == 101)
        }

        /// Bytes after a request whose length is ambiguous must never be parsed as another request.
        @Test(arguments: [
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
        func `bytes after a refused body are not parsed as a request`(_ head: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(head + "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect([400, 413].contains(try client.reply().status))
            #expect(throws: Client.Failure.self) { try client.reply() }
        }

        @Test(arguments: hidden + chunks.map { chunkedHead + $0 })
        func `a fault refuses its own request, and earlier ones get their responses`(_ faulty: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n\n b" + Self.chunkedHead
                    + "3;a\r\n: c\r\n0\r\n\r\n" + "POST /posted HTTP/1.1\r\nHost: a\r\n\r\n" + faulty)
            #expect(try client.reply().body == "\n b")
            #expect(try client.reply().body == ": c")
            #expect(try client.reply().status == 200)
            let refused = try client.reply()
            #expect(refused.status == 400)
            #expect(refused.body.hasPrefix("request.malformed"))
            #expect(client.isClosedByPeer())
        }

        /// Also those that libmicrohttpd itself would answer with a page: it has got all complete lines before the fault.
        @Test(arguments: hidden + ambiguous + chunks.map { chunkedHead + $0 })
        func `a fault that arrives byte by byte is refused alike`(_ faulty: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.sendEachByte(of: faulty)
            let reply = try client.reply()
            #expect(reply.status == 400)
            #expect(reply.body.hasPrefix("request.malformed"))
            #expect(client.isClosedByPeer())
        }

        @Test func `a request after one that asks for an upgrade is refused if it does not wait for the response`() throws {
            let server = try TestServer()
            let client = try server.client()
            let asking = "GET /hello HTTP/1.1\r\nHost: a\r\nUpgrade: other\r\n\r\n"
            for _ in 0..<2 { #expect(try client.request(asking).status == 200) }
            client.send(asking + "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.reply().status == 200)
            #expect(try client.reply().status == 400)
            #expect(client.isClosedByPeer())
        }

        @Test(arguments: ["1;\r\nx\r\n", "1\r\nx\r\n0;;\r\n", "1\r\nx\r\n0\r\nX: a\r\n b\r\n\r\n"])
        func `a malformed chunk that arrives after the head is refused as well`(_ chunk: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.chunkedHead.replacing("\r\n\r\n", with: "\r\nExpect: 100-continue\r\n\r\n"))
            #expect(try client.readHead().status == 100)
            #expect(try client.request(chunk).status == 400)
            #expect(client.isClosedByPeer())
            #expect(server.record.handled.load(ordering: .relaxed) == 0)
        }

        @Test func `a header's value may have every byte but control characters, wherever they are`() {
            for byte in UInt8.min...UInt8.max {
                let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
                for value in [[byte], [byte, 0x61], [0x61, byte, 0x62], [0x61, byte], [0xC3, 0xA9, byte], [0x09, byte]] {
                    let probe = RequestProbe(target: [0x2F], fields: [(name: Array("x-one".utf8), value: value)])
                    #expect((probe.fault != nil) == isControl, "\(value)")
                }
            }
        }

        @Test func `a body that the handler ignores is not parsed as the next request`() throws {
            let server = try TestServer()
            let client = try server.client()
            let smuggled = "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\nContent-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)")
            #expect(try client.reply().status == 200)
            #expect(try client.request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }

        @Test func `an accepted body gets 100 Continue, a refused one does not`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.readHead().status == 100)
            #expect(try client.request("x").status == 201)
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.readHead().status == 413)
        }

        @Test func `HTTP 1_0 closes unless keep-alive is requested, and ignores requests pipelined after that`() throws {
            let server = try TestServer()
            let lasting = try server.client()
            let asked = try lasting.request("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(asked.status == 200)
            lasting.send("GET /hello HTTP/1.0\r\n\r\nGET /hello HTTP/1.0\r\n\r\n")
            #expect(try lasting.reply().status == 200)
            #expect(throws: Client.Failure.self) { try lasting.reply() }
        }

        @Test func `unusual but unambiguous heads are accepted`() throws {
            let server = try TestServer()
            let client = try server.client()
            for head in [
                "POST /echo HTTP/1.1\r\nHOST: a\r\nTRANSFER-ENCODING: Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nX-Tab: a\tb\r\nX~!#$%&'*+-.^_`|: 1\r\ncontent-length: 1\r\n\r\nx",
                "POST /echo HTTP/1.1\r\nHost: a\r\nX-Name: \u{00FC}\r\ncontent-length: 1\r\n\r\nx",
                "POST http://A:8080/echo HTTP/1.1\r\nHost: a:8080\r\ncontent-length: 1\r\n\r\nx",
                "POST /echo HTTP/1.1\r\nHost: [::1]:8080\r\ncontent-length: 1\r\n\r\nx",
                "\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nX-Empty:\r\ncontent-length: 1\r\n\r\nx",
                Self.chunkedHead + "1;a\r\nx\r\n0\r\n\r\n",
                Self.chunkedHead + "1; a = b;c=\"; \\\"d\"\r\nx\r\n000;e\r\nX-Trailer: a\r\n\r\n",
            ] {
                let reply = try client.request(head)
                #expect(reply.status == 201)
                #expect(reply.body == "x")
            }
        }
    }
}
