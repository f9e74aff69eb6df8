import Dispatch
import Glibc
import Logging
@testable import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct Loops {
        @Test func `posted jobs run in order on the loop's thread`() throws {
            let server = try TestServer()
            let received = Mutex<[Int]>([])
            let shared = Box(received)
            for number in 0..<1000 { server.server.loops[0].post { shared.value.withLock { $0.append(number) } } }
            #expect(server.onLoop { _, loop in loop.isCurrent } == true)
            #expect(shared.value.withLock { $0 } == Array(0..<1000))
            #expect(!server.server.loops[0].isCurrent)
        }

        @Test func `timers run in order of their due time, and a cancelled timer never runs`() throws {
            let server = try TestServer()
            let received = Box(Mutex<[Int]>([]))
            let done = DispatchSemaphore(value: 0)
            let start = now()
            _ = server.onLoop { _, loop in
                _ = loop.schedule(afterMilliseconds: 60) {
                    received.value.withLock { $0.append(60) }
                    done.signal()
                }
                let never = loop.schedule(afterMilliseconds: 20) { received.value.withLock { $0.append(20) } }
                _ = loop.schedule(afterMilliseconds: 30) { received.value.withLock { $0.append(30) } }
                _ = loop.schedule(afterMilliseconds: 0) { received.value.withLock { $0.append(0) } }
                loop.cancel(never)
                loop.cancel(never)
            }
            #expect(done.wait(timeout: .now() + 5) == .success)
            #expect(now() - start >= 0.06)
            #expect(received.value.withLock { $0 } == [0, 30, 60])
        }

        @Test func `a loop without connections wakes up to close a socket that lingers`() throws {
            let limits = HTTPLimits()
            let core = try LoopCore(
                index: 0, limits: limits, budget: ConnectionBudget(limits: limits, loopCount: 1),
                responses: ResponseBudget(limit: 0), logger: Logger(label: "test"))
            #expect(core.nextWake == UInt64.max)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            core.connections.linger(descriptor)
            _ = close(descriptor)
            #expect(core.connections.lingeringCount == 1)
            #expect(core.nextWake != UInt64.max)
            core.connections.closeLingering()
            #expect(core.nextWake == UInt64.max)
        }

        @Test func `turnEnded is called once per turn, however many requests the turn handled`() throws {
            let server = try TestServer()
            let clients = try (0..<50).map { _ in try server.client() }
            #expect(eventually { server.openCount == 50 })
            let gate = DispatchSemaphore(value: 0)
            server.server.loops[0].post { _ = gate.wait(timeout: .now() + 5) }
            for client in clients { client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n") }
            gate.signal()
            for client in clients { #expect(try client.reply().status == 200) }
            let turns = server.record.turns.load(ordering: .relaxed)
            #expect((1...10).contains(turns))
        }

        @Test func `jobs posted to a loop that has ended are released with the objects that they retain`() throws {
            final class Captured: Sendable {}
            let server = try TestServer()
            let loop = server.server.loops[0]
            server.server.stop(within: 0)
            weak var dropped: Captured?
            do {
                let captured = Captured()
                dropped = captured
                loop.post { withExtendedLifetime(captured) {} }
            }
            #expect(dropped == nil)
        }

        private final class Box<Value>: Sendable {
            let value: Mutex<Value>
            init(_ value: consuming sending Mutex<Value>) { self.value = value }
        }
    }
}
