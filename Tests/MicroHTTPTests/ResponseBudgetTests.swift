@testable import MicroHTTP
import Synchronization
import Testing
import WebSocketFrames

/// What waits for readers: counted once per buffer, bounded, and taken from those that hold most.
struct ResponseBudgetTests {
    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    private func held(_ server: TestServer) -> Int { server.onLoop { _, loop in loop.core.responses.heldBytes } ?? -1 }

    /// A reader that takes next to nothing.
    private func slow(_ server: TestServer, _ path: String) throws -> Client {
        let client = try server.client()
        client.setReceiveBuffer(32768)
        client.send(Self.get(path))
        return client
    }

    @Test func `readers of one buffer are sent the whole of it and their own end, and it counts once`() throws {
        let server = try TestServer { $0.limits.answerSeconds = 60 }
        let readers = try (0..<10).map { _ in try slow(server, "/shared") }
        #expect(eventually { server.record.handled.load(ordering: .relaxed) == 10 })
        #expect((1_000_000..<1_001_000).contains(held(server)))
        let reply = try readers[3].reply()
        #expect(reply.status == 200)
        #expect(reply.body.utf8.count == 1_000_003)
        #expect(reply.body.hasPrefix("AAAA") && reply.body.hasSuffix("AAAend"))
        #expect(reply.header("Content-Length") == "1000003")
        // Also on a connection that closes with it.
        let last = try server.client()
        last.send("GET /shared HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try last.reply().body.hasSuffix("AAAend"))
        #expect(last.isClosedByPeer())
        _ = server.onLoop { handler, _ in handler.prefix = nil }
        #expect(held(server) > 0)
        for reader in readers { reader.close() }
        #expect(eventually { held(server) == 0 })
    }

    @Test func `a large body of one's own counts until it is taken`() throws {
        let server = try TestServer()
        let reader = try slow(server, "/large")
        #expect(eventually { held(server) == 1_000_000 })
        #expect(try reader.reply().body.utf8.count == 1_000_000)
        #expect(eventually { held(server) == 0 })
    }

    @Test func `beyond the limit slow readers of answers are cut off until what waits is within it`() throws {
        let server = try TestServer {
            $0.limits.answerSeconds = 60
            $0.responses = ResponseBudget(limit: 2_500_000)
        }
        let readers = try (0..<6).map { _ in try slow(server, "/large") }
        #expect(eventually { server.record.handled.load(ordering: .relaxed) == 6 })
        #expect(eventually { held(server) == 2_000_000 })
        #expect(eventually { server.openCount == 2 })
        // Small answers are given all the same.
        let other = try server.client()
        #expect(try other.request(Self.get("/hello")).status == 200)
        withExtendedLifetime(readers) {}
    }

    @Test func `beyond the limit the streams that hold most are cut off, a WebSocket with its close code`() throws {
        let server = try TestServer { $0.responses = ResponseBudget(limit: 1_500_000) }
        _ = server.onLoop { handler, _ in
            handler.socketOptions.outgoingLimit = 8_000_000
            handler.socketOptions.overflow = .init(.init(rawValue: 4408), "slow")
        }
        let slow = try server.client()
        slow.setReceiveBuffer(4096)
        try slow.openSocket()
        let quick = try server.client()
        try quick.openSocket()
        #expect(eventually { server.sinkCount == 2 })
        var sent = 0
        while server.sinkCount == 2, sent < 200 {
            _ = server.onLoop { handler, loop in
                let bytes = SharedBytes(ServerFrame.text(Array(repeating: 65, count: 60_000)), in: loop.core.responses)
                for sink in Array(handler.sinks.values) { sink.send(bytes) }
            }
            sent += 1
            #expect(try quick.text().utf8.count == 60_000)
        }
        #expect(eventually { server.sinkCount == 1 })
        #expect(held(server) < 200_000)
        #expect(quick.sendText("still here"))
        #expect(try quick.text() == "still here")
        var last = try slow.frame()
        while last.opcode == 1 { last = try slow.frame() }
        #expect(last.opcode == 8)
        #expect(Int(last.payload[0]) << 8 | Int(last.payload[1]) == 4408)
    }
}
