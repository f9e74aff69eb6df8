import Glibc
@testable import MicroHTTP
import Testing
import WebSocketFrames

extension MicroHTTPTests {
    /// Connections that streams have taken over from libmicrohttpd.
    @Suite struct TakenOverConnections {
        private static let get = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

        private func open(_ client: Client, _ request: String = get) throws {
            client.send(request)
            #expect(try client.readHead().status == 200)
        }

        private func closeAll(_ server: TestServer) {
            _ = server.onLoop { handler, _ in
                for sink in Array(handler.sinks.values) { sink.close(CloseStatus(.normal)) }
            }
        }

        /// Descriptors of this process that are connections to the server, its listening socket included.
        private func descriptors(of server: TestServer) -> Int {
            (0..<Int32(4096)).count { descriptor in
                var address = sockaddr_in()
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
                    unsafe getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
                }
                return result == 0 && UInt16(bigEndian: address.sin_port) == server.port
            }
        }

        @Test func `an open stream or WebSocket holds no connection of libmicrohttpd, and one descriptor`() throws {
            let server = try TestServer()
            let before = descriptors(of: server)
            let (client, socket) = (try server.client(), try server.client())
            try open(client)
            try socket.openSocket()
            #expect(eventually { server.daemonCount == 0 })
            #expect(server.openCount == 2)
            #expect(descriptors(of: server) == before + 2)
        }

        @Test func `a request that came together with the stream's is answered after its end`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(client, Self.get + Self.hello)
            _ = server.onLoop { handler, _ in handler.sendToAll("one", framed: false) }
            #expect(try client.chunk() == "one")
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(try client.reply().body == "hello")
        }

        @Test func `a request that is sent during the stream is answered after its end`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(client)
            #expect(eventually { server.daemonCount == 0 })
            client.send(Self.hello)
            _ = server.onLoop { handler, _ in handler.sendToAll("one", framed: false) }
            #expect(try client.chunk() == "one")
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(try client.reply().body == "hello")
        }

        @Test func `a request that asked for the close gets the whole stream, also if bytes follow it`() throws {
            let server = try TestServer()
            let client = try server.client()
            try open(client, "GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(eventually { server.daemonCount == 0 })
            // Unread bytes would reset the connection when it closes, and the reset discard what the client has not read.
            client.send(Self.hello)
            _ = server.onLoop { handler, _ in
                handler.sendToAll(String(repeating: "tea", count: 10000), framed: false)
                for sink in Array(handler.sinks.values) { sink.close(CloseStatus(.normal)) }
            }
            #expect(eventually { server.openCount == 0 })
            #expect(try client.chunk().utf8.count == 30000)
            #expect(try client.chunk() == "")
            #expect(client.isEndedByPeer())
        }

        @Test func `a stream requested behind a waiting poll does not affect the next connection with its descriptor`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /watch HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.suspendedCount == 1 })
            client.send(Self.get)
            _ = server.onLoop { handler, _ in handler.respondToSuspended("answered") }
            #expect(try client.reply().body == "answered")
            #expect(try client.readHead().status == 200)
            #expect(eventually { server.daemonCount == 0 })
            // Has the descriptor that the stream's connection had.
            let other = try server.client()
            #expect(try other.request(Self.hello).body == "hello")
            other.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.suspendedCount == 1 })
            client.reset()
            #expect(eventually { server.sinkCount == 0 })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("held") }
            #expect(try other.reply().body == "held")
            #expect(try other.request(Self.hello).body == "hello")
        }

        @Test func `streams count towards the limit per address until they end`() throws {
            let server = try TestServer { $0.limits.connectionsPerAddress = 2 }
            let (client, socket) = (try server.client(), try server.client())
            try open(client)
            try socket.openSocket()
            #expect(eventually { server.daemonCount == 0 })
            #expect(try server.client().request(Self.hello).status == 503)
            socket.close()
            #expect(eventually { server.openCount == 1 })
            #expect(try server.client().request(Self.hello).status == 200)
        }

        @Test func `a connection that is used again after a stream is idle, and not one without a request`() throws {
            let server = try TestServer { $0.limits.silentConnections = 1 }
            let client = try server.client()
            try open(client)
            #expect(eventually { server.daemonCount == 0 })
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(eventually { server.daemonCount == 1 })
            let silent = try (0..<2).map { _ in try server.client() }
            #expect(silent[0].isClosedByPeer())
            #expect(try client.request(Self.hello).body == "hello")
            // Its long polls are read after ordinary requests.
            #expect(server.onLoop { _, loop in loop.core.connections.all.allSatisfy { $0.daemon != nil } } == true)
        }

        @Test func `the end of a stream takes no place from a client that has sent nothing yet`() throws {
            let server = try TestServer { $0.limits.silentConnections = 1 }
            let client = try server.client()
            try open(client)
            #expect(eventually { server.daemonCount == 0 })
            let silent = try server.client()
            #expect(eventually { server.daemonCount == 1 })
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(eventually { server.daemonCount == 2 })
            #expect(try silent.request(Self.hello).body == "hello")
            #expect(try client.request(Self.hello).body == "hello")
        }

        @Test func `a connection is used again after a stream while its network has too many refused ones`() throws {
            let server = try TestServer {
                $0.limits.connectionsPerAddress = 1
                $0.limits.displacedPerAddress = 1
            }
            let client = try server.client()
            try open(client)
            #expect(eventually { server.daemonCount == 0 })
            #expect(try server.client().request(Self.hello).status == 503)
            client.send(Self.hello)
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(try client.reply().body == "hello")
        }

        @Test func `without another descriptor a stream stays with libmicrohttpd, and works`() throws {
            let server = try TestServer()
            // Duplicating fails from here on.
            let placeholder = server.onLoop { _, loop in
                defer { loop.core.streams.placeholder = -1 }
                return loop.core.streams.placeholder
            }
            let client = try server.client()
            try open(client)
            for piece in ["one", "two"] {
                _ = server.onLoop { handler, _ in handler.sendToAll(piece, framed: false) }
                #expect(try client.chunk() == piece)
            }
            #expect(server.daemonCount == 1)
            closeAll(server)
            #expect(try client.chunk() == "")
            #expect(try client.request(Self.hello).body == "hello")
            try open(client)
            client.close()
            #expect(eventually { server.openCount == 0 && server.sinkCount == 0 })
            _ = server.onLoop { _, loop in loop.core.streams.placeholder = placeholder ?? -1 }
        }

        @Test func `no way in which streams end leaves a descriptor open`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in handler.streamOptions.outgoing.bytes = 65536 }
            let before = descriptors(of: server)
            for _ in 0..<5 {
                let (closing, resetting, closed, slow) =
                    (try server.client(), try server.client(), try server.client(), try server.client())
                let (last, socket) = (try server.client(), try server.client())
                for client in [closing, resetting, closed, slow] { try open(client) }
                try open(last, "GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                try socket.openSocket()
                #expect(eventually { server.daemonCount == 0 })
                closing.close()
                resetting.reset()
                #expect(eventually { server.sinkCount == 4 })
                _ = server.onLoop { handler, _ in
                    handler.sendToAll(String(repeating: "x", count: 60000), framed: false)
                    for sink in Array(handler.sinks.values) { sink.close(CloseStatus(.normal)) }
                }
                for client in [closed, last, socket, slow] { client.close() }
            }
            #expect(eventually { descriptors(of: server) == before && server.openCount == 0 && server.daemonCount == 0 })
        }
    }
}
