import Dispatch
import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct Loops {
        @Test func `posted jobs run in order on the loop's thread`() throws {
            let server = try TestServer()
            let seen = Mutex<[Int]>([])
            let shared = Box(seen)
            for number in 0..<1000 { server.server.loops[0].post { shared.value.withLock { $0.append(number) } } }
            #expect(server.onLoop { _, loop in loop.isCurrent } == true)
            #expect(shared.value.withLock { $0 } == Array(0..<1000))
            #expect(!server.server.loops[0].isCurrent)
        }

        @Test func `timers run in order of their time, and a cancelled one never`() throws {
            let server = try TestServer()
            let seen = Box(Mutex<[Int]>([]))
            let done = DispatchSemaphore(value: 0)
            let start = now()
            _ = server.onLoop { _, loop in
                _ = loop.schedule(afterMilliseconds: 60) {
                    seen.value.withLock { $0.append(60) }
                    done.signal()
                }
                let never = loop.schedule(afterMilliseconds: 20) { seen.value.withLock { $0.append(20) } }
                _ = loop.schedule(afterMilliseconds: 30) { seen.value.withLock { $0.append(30) } }
                _ = loop.schedule(afterMilliseconds: 0) { seen.value.withLock { $0.append(0) } }
                loop.cancel(never)
                loop.cancel(never)
            }
            #expect(done.wait(timeout: .now() + 5) == .success)
            #expect(now() - start >= 0.06)
            #expect(seen.value.withLock { $0 } == [0, 30, 60])
        }

        @Test func `a turn with requests ends with one call, however many there were`() throws {
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

        @Test func `jobs posted to a loop that has ended are dropped with what they hold`() throws {
            final class Held: Sendable {}
            let server = try TestServer()
            let loop = server.server.loops[0]
            server.server.stop(within: 0)
            weak var dropped: Held?
            do {
                let held = Held()
                dropped = held
                loop.post { withExtendedLifetime(held) {} }
            }
            #expect(dropped == nil)
        }

        @Test func `many timers run in order, with most of them cancelled`() throws {
            let server = try TestServer()
            let seen = Box(Mutex<[Int]>([]))
            _ = server.onLoop { _, loop in
                for number in 0..<1000 {
                    let timer = loop.schedule(afterMilliseconds: (999 - number) / 100 * 3) {
                        seen.value.withLock { $0.append(number) }
                    }
                    if !number.isMultiple(of: 100) { loop.cancel(timer) }
                }
            }
            #expect(eventually { seen.value.withLock { $0.count } == 10 })
            #expect(seen.value.withLock { $0 } == [900, 800, 700, 600, 500, 400, 300, 200, 100, 0])
        }

        private final class Box<Value>: Sendable {
            let value: Mutex<Value>
            init(_ value: consuming sending Mutex<Value>) { self.value = value }
        }
    }
}
