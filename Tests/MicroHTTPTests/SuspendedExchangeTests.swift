import Dispatch
import Glibc
@testable import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct SuspendedExchanges {
        private static let hold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let watch = "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n"

        @Test func `a suspended exchange gets its response later, and its connection stays open`() throws {
            let server = try TestServer()
            let client = try server.client()
            for round in 0..<3 {
                client.send(Self.hold)
                #expect(eventually { server.suspendedCount == 1 })
                _ = server.onLoop { handler, _ in handler.respondToSuspended("round \(round)") }
                #expect(try client.reply().body == "round \(round)")
                #expect(server.suspendedCount == 0)
            }
        }

        @Test func `an exchange keeps its headers until it has ended`() throws {
            final class Held: @unchecked Sendable { var exchange: Exchange? }
            let (server, held) = (try TestServer(), Held())
            let client = try server.client()
            client.send(Self.hold)
            #expect(eventually { server.suspendedCount == 1 })
            let kept = server.onLoop { handler, loop in
                guard let exchange = loop.exchange(handler.suspended[0]) else { return false }
                held.exchange = exchange
                return exchange.header("Host") == "a"
            }
            #expect(kept == true)
            _ = server.onLoop { handler, _ in handler.respondToSuspended("") }
            _ = try client.reply()
            #expect(eventually { server.onLoop { _, _ in held.exchange?.head.fields.isEmpty } == true })
            _ = server.onLoop { _, _ in held.exchange = nil }
        }

        @Test func `64 connections get responses from other threads`() throws {
            let server = try TestServer(threads: 2)
            let failures = Atomic<Int>(0)
            let port = server.port
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                do {
                    let client = try Client(port: port)
                    for round in 0..<10 {
                        let text = "\(number)-\(round)"
                        let head = "POST /posted HTTP/1.1\r\nHost: a\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
                        if try client.request(head + text).body != text { failures.add(1, ordering: .relaxed) }
                    }
                } catch {
                    failures.add(1, ordering: .relaxed)
                }
            }
            #expect(failures.load(ordering: .relaxed) == 0)
            #expect(server.record.handled.load(ordering: .relaxed) == 640)
        }

        @Test func `64 suspended connections get responses posted from other threads`() throws {
            let server = try TestServer()
            let clients = try (0..<64).map { _ in try server.client() }
            for client in clients { client.send(Self.hold) }
            #expect(eventually { server.suspendedCount == 64 })
            let ids = try #require(server.onLoop { handler, _ in handler.suspended })
            let loop = server.server.loops[0]
            DispatchQueue.concurrentPerform(iterations: ids.count) { index in
                loop.post { loop.exchange(ids[index])?.respond(Response(status: 200, contentType: "t/p", text: "\(index)")) }
            }
            #expect(Set(try clients.map { try $0.reply().body }) == Set((0..<64).map { "\($0)" }))
            #expect(server.onLoop { _, loop in ids.allSatisfy { loop.exchange($0) == nil } } == true)
        }

        @Test func `one shared response is sent to many suspended exchanges`() throws {
            let server = try TestServer(threads: 2)
            let clients = try (0..<100).map { _ in try server.client() }
            for client in clients { client.send(Self.hold) }
            #expect(eventually { suspended(server) == 100 })
            let shared = SharedResponse(Response(status: 200, contentType: "text/plain", text: "to all of you"))
            for index in 0..<2 {
                _ = server.onLoop(index) { handler, loop in
                    for id in handler.suspended { loop.exchange(id)?.respond(shared) }
                    handler.suspended = []
                }
            }
            for client in clients { #expect(try client.reply().body == "to all of you") }
            #expect(try clients[0].request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        }

        private func suspended(_ server: TestServer) -> Int {
            (0..<2).reduce(0) { $0 + (server.onLoop($1) { _, loop in loop.core.suspendedCount } ?? 0) }
        }

        @Test func `a client that closed only its sending side still gets its response`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.hold)
            #expect(eventually { server.suspendedCount == 1 })
            client.closeSending()
            _ = server.onLoop { handler, _ in handler.respondToSuspended("still here") }
            #expect(try client.reply().body == "still here")
        }

        @Test func `a watched exchange ends when the client closes its sending side`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.suspendedCount == 1 })
            client.closeSending()
            #expect(eventually { server.record.hangUps.load(ordering: .relaxed) == 1 })
            #expect(server.suspendedCount == 0)
            #expect(eventually { server.openCount == 0 })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("too late") }
            #expect(client.isClosedByPeer())
        }

        @Test func `a watched exchange reports no hang-up after its response`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.suspendedCount == 1 })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("answer") }
            #expect(try client.reply().body == "answer")
            client.close()
            #expect(eventually { server.openCount == 0 })
            #expect(server.record.hangUps.load(ordering: .relaxed) == 0)
        }

        @Test func `the connection of a watched exchange is also watched for its next exchange`() throws {
            let server = try TestServer()
            let client = try server.client()
            for round in 0..<3 {
                client.send(Self.watch)
                #expect(eventually { server.suspendedCount == 1 })
                _ = server.onLoop { handler, _ in handler.respondToSuspended("round \(round)") }
                #expect(try client.reply().body == "round \(round)")
            }
            // The sending side closes together with the request, before the exchange is suspended.
            client.send(Self.watch)
            client.closeSending()
            #expect(eventually { server.record.hangUps.load(ordering: .relaxed) == 1 })
            #expect(server.suspendedCount == 0)
            #expect(eventually { server.openCount == 0 })
        }

        @Test func `a stream that follows a watched exchange on the same connection detects the hang-up`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.suspendedCount == 1 })
            _ = server.onLoop { handler, _ in handler.respondToSuspended("first") }
            #expect(try client.reply().body == "first")
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.readHead().status == 200)
            #expect(eventually { server.sinkCount == 1 })
            client.close()
            #expect(eventually { server.sinkCount == 0 && server.openCount == 0 })
        }

        @Test func `a reset of a suspended connection frees it, watched or not`() throws {
            let server = try TestServer()
            for text in [Self.hold, Self.watch] {
                let client = try server.client()
                client.send(text)
                #expect(eventually { server.suspendedCount == 1 })
                client.reset()
                if text == Self.watch { #expect(eventually { server.suspendedCount == 0 }) }
                _ = server.onLoop { handler, _ in handler.respondToSuspended("nobody") }
                #expect(eventually { server.openCount == 0 })
            }
            #expect(server.record.hangUps.load(ordering: .relaxed) == 1)
            #expect(try server.client().request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }

        @Test func `a reset before a poll is suspended is reported as a hang-up`() throws {
            let server = try TestServer()
            let client = ResettingClient(try server.client())
            _ = server.onLoop { handler, _ in handler.beforeWatch = { client.reset() } }
            client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually(seconds: 2) { server.record.hangUps.load(ordering: .relaxed) == 1 })
            #expect(eventually { server.openCount == 0 && server.suspendedCount == 0 })
        }

        /// The loop resets the client while the test waits.
        private final class ResettingClient: @unchecked Sendable {
            private let client: Client
            /// The request may reach the loop before `send` has returned.
            private let access = Mutex(())
            init(_ client: Client) { self.client = client }
            func send(_ text: String) { access.withLock { _ in _ = client.send(text) } }
            func reset() { access.withLock { _ in client.reset() } }
        }

        @Test func `a reset in the middle of a body frees the connection`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nsome of it")
            #expect(eventually { server.openCount == 1 })
            client.reset()
            #expect(eventually { server.openCount == 0 })
            #expect(server.record.handled.load(ordering: .relaxed) == 0)
            #expect(try server.client().request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }
    }
}
