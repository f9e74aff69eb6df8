@testable import MicroHTTP
import Synchronization
import Testing
import WebSocketFrames

/// Pending response bytes: counted once per buffer, and bounded by cutting off the connections with most of them.
struct ResponseBudgetTests {
    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    private func pendingByteCount(_ server: TestServer) -> Int {
        server.onLoop { _, loop in loop.core.responses.pendingBytes } ?? -1
    }

    /// A client that reads almost nothing.
    private func slow(_ server: TestServer, _ path: String) throws -> Client {
        let client = try server.client()
        client.setReceiveBuffer(32768)
        client.send(Self.get(path))
        return client
    }

    @Test func `a buffer shared by many responses is sent in full to each client, and counts once`() throws {
        let server = try TestServer { $0.limits.responseSeconds = 60 }
        let readers = try (0..<10).map { _ in try slow(server, "/shared") }
        #expect(eventually { server.record.handled.load(ordering: .relaxed) == 10 })
        #expect((1_000_000..<1_001_000).contains(pendingByteCount(server)))
        let reply = try readers[3].reply()
        #expect(reply.status == 200)
        #expect(reply.body.utf8.count == 1_000_003)
        #expect(reply.body.hasPrefix("AAAA") && reply.body.hasSuffix("AAAend"))
        #expect(reply.header("Content-Length") == "1000003")
        // Also on a connection that closes after the response.
        let last = try server.client()
        last.send("GET /shared HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try last.reply().body.hasSuffix("AAAend"))
        #expect(last.isClosedByPeer())
        _ = server.onLoop { handler, _ in handler.prefix = nil }
        #expect(pendingByteCount(server) > 0)
        for reader in readers { reader.close() }
        #expect(eventually { pendingByteCount(server) == 0 })
    }

    @Test func `a large body of a single response counts until it is sent`() throws {
        let server = try TestServer()
        let reader = try slow(server, "/large")
        #expect(eventually { pendingByteCount(server) == 1_000_000 })
        #expect(try reader.reply().body.utf8.count == 1_000_000)
        #expect(eventually { pendingByteCount(server) == 0 })
    }

    @Test func `above the limit slow readers are cut off until the pending bytes are within it`() throws {
        let server = try TestServer {
            $0.limits.responseSeconds = 60
            $0.responses = ResponseBudget(limit: 2_500_000)
        }
        let readers = try (0..<6).map { _ in try slow(server, "/large") }
        #expect(eventually { server.record.handled.load(ordering: .relaxed) == 6 })
        #expect(eventually { pendingByteCount(server) == 2_000_000 })
        #expect(eventually { server.openCount == 2 })
        // Small responses are still sent.
        let other = try server.client()
        #expect(try other.request(Self.get("/hello")).status == 200)
        withExtendedLifetime(readers) {}
    }

    @Test func `above the limit the streams with most pending bytes are cut off, a WebSocket with its close code`() throws {
        let server = try TestServer { $0.responses = ResponseBudget(limit: 1_500_000) }
        _ = server.onLoop { handler, _ in
            handler.socketOptions.outgoing.bytes = 8_000_000
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
        #expect(pendingByteCount(server) < 200_000)
        #expect(quick.sendText("still here"))
        #expect(try quick.text() == "still here")
        var last = try slow.frame()
        while last.opcode == 1 { last = try slow.frame() }
        #expect(last.opcode == 8)
        #expect(Int(last.payload[0]) << 8 | Int(last.payload[1]) == 4408)
    }
}
