import IPAddresses
import Glibc
@testable import MicroHTTP
import Synchronization
import Testing

/// Which connection is evicted for a new one, and the limits per address.
struct AdmissionTests {
    private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let hold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let watch = "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let halfABody = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"
    /// Another loopback address.
    private static let other: UInt32 = 0x7F00_0002

    @Test func `connections without a request head are evicted before idle ones, and the oldest first`() throws {
        let server = try TestServer { $0.limits.connections = 4 }
        let idle = try server.client()
        #expect(try idle.request(Self.hello).status == 200)
        let headless = try (0..<2).map { _ in try server.client() }
        // A partial head counts as no head.
        headless[1].send("GET /hello HTTP/1.1\r\nHos")
        let busy = try server.client()
        busy.send(Self.hold)
        #expect(eventually { server.suspendedCount == 1 })
        let first = try server.client()
        #expect(try first.request(Self.hello).status == 200)
        #expect(headless[0].isClosedByPeer())
        #expect(try idle.request(Self.hello).status == 200)
        let second = try server.client()
        #expect(try second.request(Self.hello).status == 200)
        #expect(headless[1].isClosedByPeer())
        // The connection that has been idle longest is evicted next.
        #expect(try idle.request(Self.hello).status == 200)
        let third = try server.client()
        #expect(try third.request(Self.hello).status == 200)
        #expect(first.isClosedByPeer())
        _ = server.onLoop { handler, _ in handler.respondToSuspended("done") }
        #expect(try busy.reply().body == "done")
    }

    @Test func `connections without a request head have a limit of their own, below the limit of all connections`() throws {
        let server = try TestServer { $0.limits.silentConnections = 3 }
        let idle = try server.client()
        #expect(try idle.request(Self.hello).status == 200)
        let headless = try (0..<5).map { _ in try server.client() }
        #expect(headless[0].isClosedByPeer())
        #expect(headless[1].isClosedByPeer())
        #expect(eventually { server.openCount == 4 })
        for client in headless[2...] { #expect(try client.request(Self.hello).status == 200) }
        #expect(try idle.request(Self.hello).status == 200)
    }

    @Test func `a connection above the limit per address gets 503, and other addresses are not affected`() throws {
        let server = try TestServer { $0.limits.connectionsPerAddress = 2 }
        let busy = try (0..<2).map { _ in try server.client() }
        for client in busy { client.send(Self.hold) }
        #expect(eventually { server.suspendedCount == 2 })
        let refused = try server.client()
        let reply = try refused.request(Self.hello)
        #expect(reply.status == 503)
        #expect(reply.body.hasPrefix("connection.too_many"))
        #expect(reply.body.contains("limit-connections-per-address"))
        #expect(refused.isClosedByPeer())
        #expect(try server.client(from: Self.other).request(Self.hello).status == 200)
        busy[0].close()
        #expect(eventually { server.openCount == 2 })
        #expect(try server.client().request(Self.hello).status == 503)
        _ = server.onLoop { handler, _ in handler.respondToSuspended("done") }
        #expect(try busy[1].reply().body == "done")
        #expect(eventually { (try? server.client().request(Self.hello).status) == 200 })
    }

    @Test func `an address whose connections are refused often is closed without a response for the rest of the second`() throws
    {
        let server = try TestServer {
            $0.limits.connectionsPerAddress = 1
            $0.limits.displacedPerAddress = 5
        }
        let busy = try server.client()
        busy.send(Self.hold)
        #expect(eventually { server.suspendedCount == 1 })
        func isRefusedWithoutResponse() -> Bool { (try? server.client().request(Self.hello)) == nil }
        var responses = 0
        while !isRefusedWithoutResponse(), responses < 10_000 { responses += 1 }
        #expect((5..<10_000).contains(responses), "a second is long enough for five")
        // Other addresses are not affected, and in the next second the address gets responses again.
        #expect(try server.client(from: Self.other).request(Self.hello).status == 200)
        #expect(eventually { !isRefusedWithoutResponse() })
        #expect(try server.client(from: Self.other).request(Self.hello).status == 200)
    }

    @Test func `idle connections that make room for others of their address do not count as refused`() throws {
        let server = try TestServer {
            $0.limits.connectionsPerAddress = 3
            $0.limits.displacedPerAddress = 5
        }
        let clients = try (0..<200).map { _ in
            let client = try server.client()
            #expect(try client.request(Self.hello).status == 200)
            return client
        }
        #expect(clients.count == 200)
    }

    @Test func `an address that keeps opening connections without a request is closed without a response`() throws {
        let server = try TestServer {
            $0.limits.connectionsPerAddress = 3
            $0.limits.displacedPerAddress = 5
        }
        // Without that the newest connection would always stay, in the place of an older one.
        #expect(
            eventually {
                let headless = (0..<50).compactMap { _ in try? server.client() }
                return headless.last?.isClosedByPeer() == true
            })
        #expect(try server.client(from: Self.other).request(Self.hello).status == 200)
        // In the next second at the latest.
        #expect(eventually { (try? server.client().request(Self.hello).status) == 200 })
    }

    @Test func `at the limit per address a new connection evicts that address' own headless and idle ones`() throws {
        let server = try TestServer { $0.limits.connectionsPerAddress = 3 }
        let idle = try server.client()
        #expect(try idle.request(Self.hello).status == 200)
        let stranger = try server.client(from: Self.other)
        let headless = try (0..<2).map { _ in try server.client() }
        #expect(eventually { server.openCount == 4 })
        let next = try server.client()
        #expect(try next.request(Self.hello).status == 200)
        #expect(headless[0].isClosedByPeer())
        let another = try server.client()
        #expect(try another.request(Self.hello).status == 200)
        #expect(headless[1].isClosedByPeer())
        #expect(try server.client().request(Self.hello).status == 200)
        #expect(idle.isClosedByPeer())
        #expect(try stranger.request(Self.hello).status == 200)
    }

    @Test func `the last tenth of an address' connections is reserved for short requests`() throws {
        let server = try TestServer { $0.limits.connectionsPerAddress = 10 }
        let clients = try (0..<9).map { _ in try server.client() }
        for client in clients { #expect(try client.request(Self.hello).status == 200) }
        func capacity() -> String? {
            server.onLoop { _, loop in
                loop.core.connections.all.compactMap { $0.peer }.first.map { loop.core.admission.budget.isNearlyFull($0) }
            }
            .flatMap { $0 }.map { $0 ? "nearly full" : "available" }
        }
        #expect(capacity() == "available")
        let tenth = try server.client()
        #expect(try tenth.request(Self.hello).status == 200)
        #expect(capacity() == "nearly full")
    }

    @Test func `a shared address is exempt from the limit per address`() throws {
        let server = try TestServer {
            $0.limits.connectionsPerAddress = 1
            $0.limits.isSharedAddress = { $0 == IPAddress("127.0.0.1") }
        }
        let clients = try (0..<4).map { _ in try server.client() }
        for client in clients { client.send(Self.hold) }
        #expect(eventually { server.suspendedCount == 4 })
        let one = try server.client(from: Self.other)
        one.send(Self.hold)
        #expect(eventually { server.suspendedCount == 5 })
        #expect(try server.client(from: Self.other).request(Self.hello).status == 503)
    }

    @Test func `an address above its share loses partial requests, then polls, then streams, to other addresses`() throws {
        let server = try TestServer { $0.limits.connections = 4 }
        let streaming = try server.client()
        streaming.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try streaming.readHead().status == 200)
        let polling = try server.client()
        polling.send(Self.watch)
        #expect(eventually { server.suspendedCount == 1 })
        let dripping = try server.client()
        dripping.send(Self.halfABody)
        let busy = try server.client()
        busy.send(Self.hold)
        #expect(eventually { server.suspendedCount == 2 })
        let first = try server.client(from: 0x7F00_0101)
        #expect(try first.request(Self.hello).status == 200)
        #expect(dripping.isClosedByPeer())
        first.send(Self.hold)
        #expect(eventually { server.suspendedCount == 3 })
        let second = try server.client(from: 0x7F00_0102)
        #expect(try second.request(Self.hello).status == 200)
        #expect(polling.isClosedByPeer())
        #expect(eventually { server.record.hangUps.load(ordering: .relaxed) == 1 })
        second.send(Self.hold)
        #expect(eventually { server.suspendedCount == 3 })
        let third = try server.client(from: 0x7F00_0103)
        #expect(try third.request(Self.hello).status == 200)
        #expect(streaming.isClosedByPeer())
        third.send(Self.hold)
        #expect(eventually { server.suspendedCount == 4 })
        // A connection whose request is being handled is not evicted.
        #expect(try server.client(from: 0x7F00_0104).request(Self.hello).status == 503)
        _ = server.onLoop { handler, _ in handler.respondToSuspended("done") }
        for client in [busy, first, second, third] { #expect(try client.reply().body == "done") }
    }

    @Test func `a connection on another event loop is evicted too`() throws {
        let server = try TestServer(threads: 2) { $0.limits.connections = 12 }
        let polling = try (0..<12).map { _ in try server.client() }
        for client in polling { client.send(Self.watch) }
        #expect(eventually { open(server) == 12 && server.record.handled.load(ordering: .relaxed) == 12 })
        var others: [Client] = []
        for number in 0..<6 {
            let other = try server.client(from: 0x7F00_0100 + UInt32(number))
            #expect(try other.request(Self.hello).status == 200)
            other.send(Self.hold)
            others.append(other)
            #expect(eventually { open(server) == 12 && server.record.handled.load(ordering: .relaxed) == 14 + 2 * number })
        }
        #expect(server.record.hangUps.load(ordering: .relaxed) == 6)
        withExtendedLifetime(others) {}
    }

    private func open(_ server: TestServer) -> Int {
        (0..<2).reduce(0) { $0 + (server.onLoop($1) { _, loop in loop.core.connections.count } ?? 0) }
    }

    @Test func `with two addresses at an equal share, no connection is evicted for a third`() throws {
        let server = try TestServer { $0.limits.connections = 2 }
        let first = try server.client()
        let second = try server.client(from: Self.other)
        for client in [first, second] { client.send(Self.watch) }
        #expect(eventually { server.suspendedCount == 2 })
        #expect(try server.client(from: 0x7F00_0003).request(Self.hello).status == 503)
        #expect(server.suspendedCount == 2)
    }

    @Test func `the registry finds the network with most connections after random arrivals and departures`() {
        var generator = RandomBits(seed: 20_261_122)
        let registry = PeerRegistry(loopCount: 2)
        var open: [(peer: Peer, loop: Int)] = []
        for _ in 0..<20_000 {
            if open.isEmpty || Int.random(in: 0..<9, using: &generator) < 5, open.count < 200 {
                let key = ClientNetwork(
                    IPAddress(bits: UInt128(Int.random(in: 0..<12, using: &generator))), version6Prefix: 128)
                let loop = Int.random(in: 0...1, using: &generator)
                open.append((registry.enter(key, loop: loop), loop))
            } else {
                let gone = open.remove(at: Int.random(in: open.indices, using: &generator))
                registry.leave(gone.peer, loop: gone.loop)
            }
            let counts = Dictionary(grouping: open) { $0.peer.key }.mapValues(\.count)
            guard let heaviest = registry.heaviest(preferring: 1) else {
                #expect(open.isEmpty)
                continue
            }
            guard heaviest.count == counts.values.max(), counts[heaviest.peer.key] == heaviest.count,
                heaviest.networks == counts.count,
                open.contains(where: { $0.peer === heaviest.peer && $0.loop == heaviest.loop })
            else {
                Issue.record("\(heaviest.count) on loop \(heaviest.loop), but there are \(counts)")
                return
            }
        }
    }
}
