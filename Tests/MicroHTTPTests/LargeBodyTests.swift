@testable import MicroHTTP
import Synchronization
import Testing

/// Bodies that are larger than the regular limit, where the handler allows them.
struct LargeBodyTests {
    private static func head(_ count: Int, user: String? = "ann", path: String = "/file") -> String {
        let owner = user.map { "X-User: \($0)\r\n" } ?? ""
        return "POST \(path) HTTP/1.1\r\nHost: a\r\n\(owner)Content-Length: \(count)\r\n\r\n"
    }

    private static func chunked(_ count: Int, user: String = "ann") -> String {
        let chunk = "2710\r\n\(String(repeating: "x", count: 10_000))\r\n"
        return "POST /file HTTP/1.1\r\nHost: a\r\nX-User: \(user)\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: chunk, count: count / 10_000) + "0\r\n\r\n"
    }

    @Test func `a route may take a larger body, up to its own limit`() throws {
        let server = try TestServer()
        let client = try server.client()
        let full = String(repeating: "x", count: 200_000)
        #expect(try client.request(Self.head(200_000) + full).body == full)
        #expect(try client.request(Self.chunked(200_000)).body.utf8.count == 200_000)
        let refused = try client.request(Self.head(200_001))
        #expect(refused.status == 413)
        #expect(refused.body.contains("200000 bytes"))
        #expect(client.isClosedByPeer())
        let chunks = try server.client()
        chunks.send(Self.chunked(210_000))
        #expect(try chunks.reply().status == 413)
        #expect(try server.client().request(Self.head(100_000, path: "/echo")).status == 413)
    }

    @Test func `a client that sends all of a body that is too large before it reads has the response`() throws {
        let server = try TestServer()
        for path in ["/file", "/echo"] {
            let client = try server.client()
            client.send(Self.head(12_000_000, path: path))
            #expect(client.send([UInt8](repeating: 120, count: 12_000_000)))
            #expect(try client.reply().status == 413)
            #expect(client.isEndedByPeer())
        }
        let endless = try server.client()
        endless.send(Self.head(40_000_000))
        #expect(!endless.send([UInt8](repeating: 120, count: 40_000_000)))
    }

    @Test func `a caller who may not send a large body is refused before it is read`() throws {
        let server = try TestServer()
        let client = try server.client()
        let refused = try client.request(Self.head(100_000, user: nil))
        #expect(refused.status == 401)
        #expect(refused.body == "no user")
        #expect(client.isClosedByPeer())
        #expect(server.record.handled.load(ordering: .relaxed) == 0)
    }

    private func reserved(_ server: TestServer) -> Int? {
        server.onLoop { _, loop in loop.core.admission.budget.largeBodies.reservedBytes }
    }

    /// 127.0.0.1 and the addresses behind it.
    private func client(_ server: TestServer, from address: Int) throws -> Client {
        try server.client(from: 0x7F00_0001 + UInt32(address))
    }

    private func slowClient(_ server: TestServer, user: String, from address: Int = 0) throws -> Client {
        let client = try client(server, from: address)
        client.send(Self.head(200_000, user: user) + String(repeating: "x", count: 100_000))
        return client
    }

    @Test(arguments: [("ann", 1), ("ben", 0)])
    func `a user and an address may each have a quarter of the bytes of large bodies in reception`(
        user: String, address: Int
    ) throws {
        let server = try TestServer { $0.limits.largeBodiesBytes = 1_000_000 }
        let slow = try slowClient(server, user: "ann")
        #expect(eventually { reserved(server) == 134_464 })
        #expect(try client(server, from: address).request(Self.head(130_000, user: user)).status == 503)
        let body = String(repeating: "x", count: 130_000)
        #expect(try client(server, from: 1).request(Self.head(130_000, user: "ben") + body).status == 201)
        slow.send(String(repeating: "x", count: 100_000))
        #expect(try slow.reply().status == 201)
        #expect(eventually { reserved(server) == 0 })
        #expect(try client(server, from: address).request(Self.head(130_000, user: user) + body).status == 201)
    }

    @Test func `large bodies in reception are bounded in all`() throws {
        let server = try TestServer { $0.limits.largeBodiesBytes = 400_000 }
        var slow = try ["ann", "ben"].enumerated().map { try slowClient(server, user: $1, from: $0) }
        #expect(eventually { reserved(server) == 268_928 })
        let body = String(repeating: "x", count: 140_000)
        #expect(try client(server, from: 2).request(Self.head(140_000, user: "cat")).status == 503)
        // Chunked, so refused once the bytes are there.
        #expect(try client(server, from: 2).request(Self.chunked(200_000, user: "cat")).status == 503)
        slow.removeLast()
        #expect(
            eventually { (try? client(server, from: 2).request(Self.head(140_000, user: "cat") + body).status) == 201 })
    }

    @Test func `large bodies that are announced and not sent take nothing from others`() throws {
        let server = try TestServer { $0.limits.largeBodiesBytes = 500_000 }
        let silent = try (0..<20).map { number in
            let client = try server.client()
            client.send(Self.head(200_000, user: "user\(number)"))
            return client
        }
        #expect(eventually { server.onLoop { _, loop in loop.core.exchanges.openCount } == 20 })
        #expect(try server.client().request(Self.head(200_000) + String(repeating: "x", count: 200_000)).status == 201)
        #expect(silent.count == 20)
    }

    @Test func `what was reserved is released however the request ends`() throws {
        let server = try TestServer {
            $0.limits.requestSeconds = 0.2
            $0.limits.largeBodySeconds = 0.4
        }
        #expect(try server.client().request(Self.chunked(210_000)).status == 413)
        let late = try slowClient(server, user: "ann")
        #expect(try late.reply().status == 408)
        do {
            let gone = try slowClient(server, user: "ben")
            #expect(eventually { (reserved(server) ?? 0) > 0 || !gone.send("x") })
        }
        #expect(eventually { reserved(server) == 0 })
    }

    @Test func `a large body has its own deadline`() throws {
        let server = try TestServer {
            $0.limits.requestSeconds = 0.2
            $0.limits.largeBodySeconds = 0.6
        }
        let client = try server.client()
        let start = now()
        client.send(Self.head(100_000))
        let reply = try client.reply()
        #expect(reply.status == 408)
        #expect(reply.body.contains("0.6 seconds"))
        #expect(now() - start > 0.5)
    }
}
