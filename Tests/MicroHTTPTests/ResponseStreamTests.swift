import MicroHTTP
import Synchronization
import Testing
import WebSocketFrames

extension MicroHTTPTests {
    @Suite struct ResponseStreams {
        private static let get = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

        private func open(_ server: TestServer, _ client: Client) throws {
            client.send(Self.get)
            let head = try client.readHead()
            #expect(head.status == 200)
            #expect(head.header("Transfer-Encoding") == "chunked")
        }

        @Test func `the head arrives at once, and each chunk when it is sent`() throws {
            let server = try TestServer()
            let client = try server.client()
            let start = now()
            try open(server, client)
            #expect(now() - start < 0.15)
            for number in 0..<3 {
                _ = server.onLoop { handler, _ in handler.sendToAll("data: \(number)\n\n", framed: false) }
                #expect(try client.chunk() == "data: \(number)\n\n")
            }
            #expect(now() - start < 0.3)
        }

        @Test func `an HTTP 1 0 client gets the bytes without chunk framing`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /stream HTTP/1.0\r\nHost: a\r\n\r\n")
            #expect(try client.readHead().header("Transfer-Encoding") == nil)
            _ = server.onLoop { handler, _ in handler.sendToAll("one\n", framed: false) }
            #expect(try client.readLine() == "one")
        }

        @Test func `a chunk larger than the connection's memory arrives complete`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(server, client)
            let line = String(repeating: "tea", count: 40000)
            _ = server.onLoop { handler, _ in handler.sendToAll(line, framed: false) }
            var received = ""
            while received.utf8.count < line.utf8.count { received += try client.chunk() }
            #expect(received == line)
        }

        @Test func `a stream closed while its peer is lagging sends the buffered bytes and then the last chunk`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(server, client)
            let line = String(repeating: "tea", count: 80000)
            _ = server.onLoop { handler, _ in
                handler.sendToAll(line, framed: false)
                handler.sendToAll("last", framed: false)
                for sink in Array(handler.sinks.values) { sink.close(CloseStatus(.normal)) }
            }
            var received = ""
            while case let chunk = try client.chunk(), !chunk.isEmpty { received += chunk }
            #expect(received == line + "last")
            #expect(server.sinkCount == 0)
        }

        @Test func `a client that requests Connection close gets chunks too`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try client.readHead().header("Transfer-Encoding") == "chunked")
            for piece in ["one", "two"] {
                _ = server.onLoop { handler, _ in handler.sendToAll(piece, framed: false) }
                #expect(try client.chunk() == piece)
            }
        }

        @Test func `a closed stream ends with the last chunk, and its connection can be reused`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(server, client)
            _ = server.onLoop { handler, _ in
                handler.sendToAll("last", framed: false)
                for sink in Array(handler.sinks.values) { sink.close(CloseStatus(.normal)) }
            }
            #expect(try client.chunk() == "last")
            #expect(try client.chunk() == "")
            #expect(server.sinkCount == 0)
            #expect(try client.request(Self.hello).body == "hello")
        }

        @Test func `a HEAD request for a stream gets its head, and no chunk`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try client.readHead()
            #expect(head.status == 200)
            #expect(head.header("Content-Type") == "text/event-stream")
            #expect(head.header("Connection") == "close")
            #expect(throws: Client.Failure.self) { try client.read(1) }
            #expect(eventually { server.sinkCount == 0 && server.openCount == 0 })
        }

        @Test func `a hang-up of the peer is detected while nothing is sent`() throws {
            let server = try TestServer()
            let (polite, rude, half) = (try server.client(), try server.client(), try server.client())
            for client in [polite, rude, half] { try open(server, client) }
            #expect(server.sinkCount == 3)
            polite.close()
            rude.reset()
            half.closeSending()
            #expect(eventually(seconds: 2) { server.sinkCount == 0 })
            #expect(eventually(seconds: 2) { server.openCount == 0 })
        }

        @Test func `a peer that closes with unread bytes leaves no stream or connection open`() throws {
            let server = try TestServer()
            let otherConnections = server.openCount
            for _ in 0..<20 {
                let client = try server.client()
                client.send(Self.get)
                _ = server.onLoop { handler, _ in handler.sendToAll("data: unread\n\n", framed: false) }
                // Unread bytes make the kernel send a reset at the close.
                #expect(try client.readLine().hasPrefix("HTTP/1.1 200"))
                client.close()
            }
            #expect(eventually(seconds: 5) { server.sinkCount == 0 && server.openCount == otherConnections })
        }

        @Test func `a client that does not read is cut off, and other clients are not affected`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in handler.streamOptions.outgoing.bytes = 65536 }
            let (slow, quick) = (try server.client(), try server.client())
            slow.setReceiveBuffer(4096)
            try open(server, slow)
            try open(server, quick)
            let line = String(repeating: "x", count: 2000)
            var sent = 0
            while server.sinkCount == 2, sent < 10000 {
                _ = server.onLoop { handler, _ in handler.sendToAll(line, framed: false) }
                #expect(try quick.chunk() == line)
                sent += 1
            }
            #expect(sent < 10000)
            #expect(eventually { server.openCount == 1 })
            _ = server.onLoop { handler, _ in handler.sendToAll("more", framed: false) }
            #expect(try quick.chunk() == "more")
        }

        @Test func `a stop ends the streams with the last chunk`() throws {
            let server = try TestServer()
            let clients = try (0..<20).map { _ in try server.client() }
            for client in clients { try open(server, client) }
            let start = now()
            server.server.stop(within: 5)
            // It does not wait for the clients to close.
            #expect(now() - start < 4)
            for client in clients {
                #expect(try client.chunk() == "")
                #expect(client.isClosedByPeer())
            }
        }
    }
}
