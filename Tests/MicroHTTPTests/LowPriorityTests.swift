import Dispatch
import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    /// Connections that sent a long poll last are read a few per turn, after all others.
    @Suite struct LowPriority {
        private static let watch = "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let count = 200

        /// A server whose clients all have had a response to a long poll.
        private func served() throws -> (TestServer, [Client]) {
            let server = try TestServer()
            let clients = try (0..<Self.count).map { _ in try server.client() }
            for client in clients { client.send(Self.watch) }
            #expect(eventually { server.suspendedCount == Self.count })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("first") }
            for client in clients { #expect(try client.reply().body == "first") }
            return (server, clients)
        }

        /// Has the loop wait until everything that `send` sends is in its sockets.
        private func together(_ server: TestServer, _ send: () throws -> Void) rethrows {
            let gate = DispatchSemaphore(value: 0)
            server.server.loops[0].post { _ = gate.wait(timeout: .now() + 5) }
            try send()
            gate.signal()
        }

        @Test func `a request is handled before hundreds of repeated long polls that arrived earlier`() throws {
            let (server, clients) = try served()
            let other = try server.client()
            #expect(eventually { server.openCount == Self.count + 1 })
            together(server) {
                for client in clients { client.send(Self.watch) }
                other.send(Self.hello)
            }
            #expect(try other.reply().body == "hello")
            #expect(server.record.handledAtHello.load(ordering: .relaxed) < Self.count + 50)
            // The polls follow.
            #expect(eventually { server.suspendedCount == Self.count })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("second") }
            for client in clients { #expect(try client.reply().body == "second") }
        }

        @Test func `a new connection is accepted and handled before repeated long polls that arrived earlier`() throws {
            let (server, clients) = try served()
            var other: Client?
            try together(server) {
                for client in clients { client.send(Self.watch) }
                other = try server.client()
                other?.send(Self.hello)
            }
            #expect(try other?.reply().body == "hello")
            #expect(server.record.handledAtHello.load(ordering: .relaxed) < Self.count + 100)
            #expect(eventually { server.suspendedCount == Self.count })
        }

        @Test func `a new connection behind a burst of others is accepted before repeated long polls are handled`() throws {
            let (server, clients) = try served()
            var burst: [Client] = []
            var other: Client?
            try together(server) {
                for client in clients { client.send(Self.watch) }
                burst = try (0..<132).map { _ in try server.client() }
                other = try server.client()
                other?.send(Self.hello)
            }
            #expect(try other?.reply().body == "hello")
            // If each run accepted 11 connections there would be twelve runs with four polls each.
            #expect(server.record.handledAtHello.load(ordering: .relaxed) < Self.count + 20)
            #expect(burst.count == 132)
        }

        @Test func `polls that arrive while earlier ones of their connection wait are not lost`() throws {
            let (server, clients) = try served()
            for round in 0..<3 {
                together(server) { for client in clients { client.send(Self.watch) } }
                for client in clients { client.send(Self.watch) }
                for half in 0..<2 {
                    #expect(eventually { server.suspendedCount == Self.count })
                    _ = server.onLoop { handler, _ in handler.respondToSuspended("\(round).\(half)") }
                    for client in clients { #expect(try client.reply().body == "\(round).\(half)") }
                }
            }
        }

        @Test func `connections that are reset while their polls wait are closed, and others take their descriptors`() throws {
            let (server, clients) = try served()
            together(server) {
                for (number, client) in clients.enumerated() {
                    client.send(Self.watch)
                    if number % 2 == 0 { client.reset() }
                }
            }
            #expect(eventually { server.openCount == Self.count / 2 && server.suspendedCount == Self.count / 2 })
            let others = try (0..<Self.count).map { _ in try server.client() }
            for other in others { #expect(try other.request(Self.hello).body == "hello") }
            _ = server.onLoop { handler, _ in handler.respondToSuspended("rest") }
            for (number, client) in clients.enumerated() where number % 2 == 1 { #expect(try client.reply().body == "rest") }
        }
    }
}
