import Dispatch
import Glibc
import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct HeldExchanges {
        private static let hold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let watch = "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n"

        @Test func `a held exchange is answered later and its connection goes on`() throws {
            let server = try TestServer()
            let client = try server.client()
            for round in 0..<3 {
                client.send(Self.hold)
                #expect(eventually { server.heldCount == 1 })
                _ = server.onLoop { handler, _ in handler.answerHeld("round \(round)") }
                #expect(try client.reply().body == "round \(round)")
                #expect(server.heldCount == 0)
            }
        }

        @Test func `64 connections are answered from other threads`() throws {
            let server = try TestServer(threads: 2)
            let failures = Atomic<Int>(0)
            let port = server.port
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                do {
                    let client = try Client(port: port)
                    for round in 0..<10 {
                        let text = "\(number)-\(round)"
                        let head = "POST /elsewhere HTTP/1.1\r\nHost: a\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
                        if try client.request(head + text).body != text { failures.add(1, ordering: .relaxed) }
                    }
                } catch {
                    failures.add(1, ordering: .relaxed)
                }
            }
            #expect(failures.load(ordering: .relaxed) == 0)
            #expect(server.record.handled.load(ordering: .relaxed) == 640)
        }

        @Test func `64 connections waiting at once are answered from another thread`() throws {
            let server = try TestServer()
            let clients = try (0..<64).map { _ in try server.client() }
            for client in clients { client.send(Self.hold) }
            #expect(eventually { server.heldCount == 64 })
            let ids = try #require(server.onLoop { handler, _ in handler.held })
            let loop = server.server.loops[0]
            DispatchQueue.concurrentPerform(iterations: ids.count) { index in
                loop.post { loop.exchange(ids[index])?.respond(Response(status: 200, contentType: "t/p", text: "\(index)")) }
            }
            #expect(Set(try clients.map { try $0.reply().body }) == Set((0..<64).map { "\($0)" }))
            #expect(server.onLoop { _, loop in ids.allSatisfy { loop.exchange($0) == nil } } == true)
        }

        @Test func `one shared response answers many held exchanges`() throws {
            let server = try TestServer(threads: 2)
            let clients = try (0..<100).map { _ in try server.client() }
            for client in clients { client.send(Self.hold) }
            #expect(eventually { held(server) == 100 })
            let shared = SharedResponse(Response(status: 200, contentType: "text/plain", text: "to all of you"))
            for index in 0..<2 {
                _ = server.onLoop(index) { handler, loop in
                    for id in handler.held { loop.exchange(id)?.respond(shared) }
                    handler.held = []
                }
            }
            for client in clients { #expect(try client.reply().body == "to all of you") }
            #expect(try clients[0].request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        }

        private func held(_ server: TestServer) -> Int {
            (0..<2).reduce(0) { $0 + (server.onLoop($1) { _, loop in loop.heldExchanges } ?? 0) }
        }

        @Test func `a client that only closed its sending side still gets its answer`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.hold)
            #expect(eventually { server.heldCount == 1 })
            client.closeSending()
            _ = server.onLoop { handler, _ in handler.answerHeld("still here") }
            #expect(try client.reply().body == "still here")
        }

        @Test func `a watched exchange ends when the client closes its sending side`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.heldCount == 1 })
            client.closeSending()
            #expect(eventually { server.record.hangUps.load(ordering: .relaxed) == 1 })
            #expect(server.heldCount == 0)
            #expect(eventually { server.openCount == 0 })
            _ = server.onLoop { handler, _ in handler.answerHeld("too late") }
            #expect(client.isClosedByPeer())
        }

        @Test func `a watched exchange that is answered is watched no longer`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.heldCount == 1 })
            _ = server.onLoop { handler, _ in handler.answerHeld("answer") }
            #expect(try client.reply().body == "answer")
            client.close()
            #expect(eventually { server.openCount == 0 })
            #expect(server.record.hangUps.load(ordering: .relaxed) == 0)
        }

        @Test func `the connection of a watched exchange is watched for its next one too`() throws {
            let server = try TestServer()
            let client = try server.client()
            for round in 0..<3 {
                client.send(Self.watch)
                #expect(eventually { server.heldCount == 1 })
                _ = server.onLoop { handler, _ in handler.answerHeld("round \(round)") }
                #expect(try client.reply().body == "round \(round)")
            }
            // The end comes with the request, and so before anybody holds it.
            client.send(Self.watch)
            client.closeSending()
            #expect(eventually { server.record.hangUps.load(ordering: .relaxed) == 1 })
            #expect(server.heldCount == 0)
            #expect(eventually { server.openCount == 0 })
        }

        @Test func `a stream follows a watched exchange on its connection, and notices the hang-up`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(Self.watch)
            #expect(eventually { server.heldCount == 1 })
            _ = server.onLoop { handler, _ in handler.answerHeld("first") }
            #expect(try client.reply().body == "first")
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.readHead().status == 200)
            #expect(eventually { server.sinkCount == 1 })
            client.close()
            #expect(eventually { server.sinkCount == 0 && server.openCount == 0 })
        }

        @Test func `a reset while held is survived, watched or not`() throws {
            let server = try TestServer()
            for text in [Self.hold, Self.watch] {
                let client = try server.client()
                client.send(text)
                #expect(eventually { server.heldCount == 1 })
                client.reset()
                if text == Self.watch { #expect(eventually { server.heldCount == 0 }) }
                _ = server.onLoop { handler, _ in handler.answerHeld("nobody") }
                #expect(eventually { server.openCount == 0 })
            }
            #expect(server.record.hangUps.load(ordering: .relaxed) == 1)
            #expect(try server.client().request("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }

        @Test func `a reset in the middle of a body is survived`() throws {
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
