import Synchronization
import TestSupport
import Testing

@testable import OutboundHTTP

struct RequestSlotsTests {
    @Test func `requests in flight are bounded in all and for each host`() {
        var slots = RequestSlots(total: 3, perHost: 2)
        #expect(["a", "a", "a", "b", "c"].map { slots.take(for: $0) } == [true, true, false, true, false])
        slots.release("a")
        #expect(["c", "a"].map { slots.take(for: $0) } == [true, false])
    }

    @Test func `hosts without requests are not kept`() {
        var slots = RequestSlots(total: 10, perHost: 2)
        for name in 0..<1000 {
            let isTaken = slots.take(for: "\(name)")
            #expect(isTaken)
            slots.release("\(name)")
        }
        #expect(slots.hosts == 0)
        // What was not taken is not given back.
        slots.release("a")
        #expect((0...10).map { slots.take(for: "\($0)") } == [Bool](repeating: true, count: 10) + [false])
    }

    @Test func `further requests are refused until one has ended`() throws {
        var limits = OutboundLimits()
        (limits.requests, limits.requestsPerHost, limits.totalTime) = (2, 1, .seconds(120))
        let client = try OutboundClient(name: "outbound-test", limits: limits, resolve: { _ in ["127.0.0.1"] })
        let mayRespond = Mutex(false)
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            _ = eventually { mayRespond.withLock { $0 } }
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { server.stop() }
        let exception = try #require(AddressException("127.0.0.1"))
        func request(_ host: String) -> OutboundRequest {
            OutboundRequest(.get, "http://\(host):\(server.port)/", policy: .publicAddresses(except: [exception]))
        }
        let ended = Mutex(0)
        for host in ["a.test", "b.test"] { try client.send(request(host)) { _ in ended.withLock { $0 += 1 } } }
        // The host's bound, and that of all.
        #expect(client.failure(of: request("a.test")) == .tooManyInFlight)
        #expect(client.failure(of: request("c.test")) == .tooManyInFlight)
        mayRespond.withLock { $0 = true }
        #expect(eventually { ended.withLock { $0 } == 2 })
        #expect(try client.result(of: request("c.test")).get().status == 200)
    }
}
