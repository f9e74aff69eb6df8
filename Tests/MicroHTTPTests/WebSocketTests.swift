@testable import MicroHTTP
import Synchronization
import Testing
import WebSocketFrames

extension MicroHTTPTests {
    @Suite struct WebSockets {
        @Test func `the handshake of the RFC's example gets its Sec-WebSocket-Accept and the supported subprotocol`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Client.request("Sec-WebSocket-Protocol: chat, test.v1"))
            let head = try client.readHead()
            #expect(head.status == 101)
            #expect(head.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(head.header("Upgrade") == "websocket")
            #expect(head.header("Connection")?.lowercased() == "upgrade")
            #expect(head.header("Sec-WebSocket-Protocol") == "test.v1")
            client.sendText("héllo")
            #expect(try client.text() == "héllo")
        }

        @Test func `list elements of the handshake may be surrounded by tabs`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Client.request("Connection: keep-alive,\tUpgrade\t", "Sec-WebSocket-Protocol: chat\t,\ttest.v1"))
            let head = try client.readHead()
            #expect(head.status == 101)
            #expect(head.header("Sec-WebSocket-Protocol") == "test.v1")
        }

        @Test func `a malformed handshake is refused with the reason, and the connection stays open`() throws {
            let server = try TestServer()
            let client = try server.client()
            for (request, status) in [
                (Client.request("Sec-WebSocket-Version: 8"), 426), (Client.request(without: "Sec-WebSocket-Version"), 426),
                (Client.request(without: "Upgrade"), 426), (Client.request("Connection: keep-alive"), 426),
                (Client.request(without: "Sec-WebSocket-Key"), 400), (Client.request("Sec-WebSocket-Key: dGhl"), 400),
                (Client.request("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=!"), 400),
            ] {
                let reply = try client.request(request)
                #expect(reply.status == status)
                #expect((reply.header("Sec-WebSocket-Version") == "13") == (status == 426))
                #expect(reply.header("Connection") == (status == 426 ? "Upgrade" : nil))
            }
            #expect(try client.request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        }

        @Test func `a refused handshake says that its connection closes where it does`() throws {
            let server = try TestServer()
            let asking = try server.client()
            let asked = try asking.request(Client.request("Connection: close"))
            #expect(asked.status == 426)
            #expect(asked.header("Connection") == "close, Upgrade")
            #expect(asking.isClosedByPeer())
            let client = try server.client()
            #expect(try client.request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            _ = server.onLoop { _, loop in loop.core.stopAccepting() }
            #expect(try client.request(Client.request(without: "Upgrade")).header("Connection") == "close, Upgrade")
            #expect(client.isClosedByPeer())
        }

        @Test func `frames that arrive together with the request are not lost`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Array(Client.request().utf8) + [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
            #expect(try client.readHead().status == 101)
            #expect(try client.text() == "hi")
        }

        @Test func `of many frames that arrive together a turn handles a few, and each is answered in order`() throws {
            let server = try TestServer()
            let client = try server.client()
            try client.openSocket()
            let count = 2000
            var bytes: [UInt8] = []
            for number in 0..<count {
                let text = Array("\(number)".utf8)
                bytes += [0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0]
                bytes += text
            }
            client.send(bytes)
            for number in 0..<count { try #require(try client.text() == "\(number)") }
            let most = try #require(server.onLoop { handler, _ in handler.mostMessagesOfTurn })
            let perTurn = WebSocketSession.Options().eventsPerTurn
            #expect(most <= 2 * perTurn, "those that waited, and as many new ones")
        }

        @Test func `large messages behind small ones arrive complete, and pings between them are answered in order`() throws {
            let server = try TestServer()
            let client = try server.client()
            try client.openSocket()
            let size = 60_000
            let text = String(repeating: "x", count: size)
            for number in 0..<3 as Range<UInt8> {
                // A ping with the number, "a", the large message, and a ping.
                var bytes: [UInt8] = [0x89, 0x81, 0, 0, 0, 0, number, 0x81, 0x81, 0, 0, 0, 0, 0x61]
                bytes += [0x81, 0x80 | 126, UInt8(size >> 8), UInt8(size & 0xFF), 0, 0, 0, 0]
                bytes += Array(text.utf8)
                bytes += [0x89, 0x80, 0, 0, 0, 0]
                client.send(bytes)
                let pong = try client.frame()
                #expect(pong.opcode == 10 && pong.payload == [number])
                #expect(try client.text() == "a")
                #expect(try client.text() == text)
                #expect(try client.frame().opcode == 10)
            }
        }

        @Test func `a message encoded once reaches the clients of both loops`() throws {
            let server = try TestServer(threads: 2)
            let clients = try (0..<50).map { _ in try server.client() }
            for client in clients { try client.openSocket() }
            for loop in 0..<2 { _ = server.onLoop(loop) { handler, _ in handler.sendToAll("news", framed: true) } }
            for client in clients { #expect(try client.text() == "news") }
        }

        @Test func `the client replies to the server's close frame, and the socket is closed`() throws {
            let server = try TestServer()
            let client = try server.client()
            try client.openSocket()
            client.sendFrame(8, [0x03, 0xE8])
            #expect(try client.closeCode() == 1000)
            #expect(client.isClosedByPeer())
            client.close()
            #expect(eventually { server.openCount == 0 })
            #expect(server.record.ended.load(ordering: .relaxed) == 1)
        }

        @Test func `a protocol error is sent as a close code before the connection ends`() throws {
            let server = try TestServer()
            for (bytes, code) in [([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007)] as [([UInt8], Int)]
            {
                let client = try server.client()
                try client.openSocket()
                client.send(bytes)
                #expect(try client.closeCode() == code)
                #expect(client.isClosedByPeer())
            }
            let client = try server.client()
            try client.openSocket()
            client.send([0x82, 0x80 | 127, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0])
            #expect(try client.closeCode() == 1009)
        }

        @Test func `a hang-up or reset of the peer is detected`() throws {
            let server = try TestServer()
            let (polite, rude) = (try server.client(), try server.client())
            try polite.openSocket()
            try rude.openSocket()
            #expect(server.sinkCount == 2)
            polite.close()
            rude.reset()
            #expect(eventually(seconds: 2) { server.sinkCount == 0 })
            #expect(eventually(seconds: 2) { server.openCount == 0 })
        }

        @Test func `a client that does not read is cut off with the configured code, and others are not affected`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in
                handler.socketOptions.outgoing.bytes = 65536
                handler.socketOptions.overflow = CloseStatus(CloseCode(rawValue: 4408), "too slow")
            }
            let (slow, quick) = (try server.client(), try server.client())
            slow.setReceiveBuffer(4096)
            try slow.openSocket()
            try quick.openSocket()
            let line = String(repeating: "x", count: 16000)
            var sent = 0
            while server.sinkCount == 2, sent < 2000 {
                _ = server.onLoop { handler, _ in handler.sendToAll(line, framed: true) }
                #expect(try quick.text() == line)
                sent += 1
            }
            #expect(sent < 2000)
            slow.setReceiveBuffer(1 << 20)
            // It receives the frames in flight completely, and then the close frame.
            var received = 0
            while true {
                let frame = try slow.frame()
                guard frame.opcode == 1 else {
                    #expect(frame.opcode == 8 && frame.payload.prefix(2) == [0x11, 0x38])
                    break
                }
                #expect(frame.payload.count == 16000)
                received += 1
            }
            #expect(received < sent)
            quick.sendText("still here")
            #expect(try quick.text() == "still here")
        }

        @Test func `an idle peer is pinged, and cut off if it does not reply`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in
                handler.socketOptions.session.pingMilliseconds = 100
                handler.socketOptions.session.pongMilliseconds = 600
            }
            let (alive, dead) = (try server.client(), try server.client())
            try alive.openSocket()
            try dead.openSocket()
            for _ in 0..<3 {
                #expect(try alive.frame().opcode == 9)
                alive.sendFrame(10)
            }
            #expect(dead.isClosedByPeer())
            #expect(server.record.ended.load(ordering: .relaxed) == 1)
        }

        @Test func `a stop sends 1001 and waits for the client's close frame`() throws {
            let server = try TestServer()
            let client = try server.client()
            try client.openSocket()
            _ = server.onLoop { handler, loop in
                loop.core.stopAccepting()
                handler.drain()
            }
            #expect(try client.closeCode() == 1001)
            client.sendFrame(8, [0x03, 0xE9])
            #expect(client.isClosedByPeer())
            let start = now()
            server.server.stop(within: 5)
            #expect(now() - start < 3)
        }

        @Test func `a stop ends at its deadline without a client's close frame, and leaks no connection`() throws {
            let server = try TestServer()
            let clients = try (0..<20).map { _ in try server.client() }
            for client in clients { try client.openSocket() }
            let start = now()
            server.server.stop(within: 0.2)
            #expect(now() - start < 3)
            for client in clients { #expect(client.isClosedByPeer()) }
        }
    }
}
