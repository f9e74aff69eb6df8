import Dispatch
import Foundation
import Glibc
import Logging
@testable import MicroHTTP
import Synchronization
import Testing

extension MicroHTTPTests {
    @Suite struct Server {
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let hold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"

        @Test(arguments: [1, 2])
        func `a port in use throws addressInUse`(threads: Int) throws {
            let server = try TestServer(threads: threads)
            let port = server.port
            for others in [1, 2] {
                let error = #expect(throws: HTTPServerError.self) {
                    _ = try TestServer(threads: others) { $0.port = port }
                }
                #expect(error?.code == .addressInUse)
                #expect(error?.description.contains("127.0.0.1 port \(port) is in use") == true)
            }
        }

        @Test func `an address that is not this machine's throws invalidAddress`() {
            for host in ["192.0.2.1", "no such host"] {
                let error = #expect(throws: HTTPServerError.self) { _ = try TestServer { $0.host = host } }
                #expect(error?.code == .invalidAddress)
            }
        }

        @Test func `limits out of range throw invalidConfiguration`() {
            let error = #expect(throws: HTTPServerError.self) { _ = try TestServer(threads: 0) }
            #expect(error?.code == .invalidConfiguration)
        }

        @Test func `a version of libmicrohttpd that was not checked is refused, with those that were`() throws {
            for version in ["0.9.75", "1.0.0", "1.0.1"] { try LibraryVersion.check(version) }
            for version in ["0.9.76", "1.0.10", "1.0", ""] {
                let error = #expect(throws: HTTPServerError.self) { try LibraryVersion.check(version) }
                #expect(error?.code == .unknownLibrary)
                #expect(error?.description.hasPrefix("libmicrohttpd \(version) was found, and") == true)
                #expect(error?.description.contains("only with 0.9.75, 1.0.0, 1.0.1,") == true)
            }
        }

        @Test func `a server can be started only once`() throws {
            let server = try TestServer()
            let error = #expect(throws: HTTPServerError.self) { try server.server.start() }
            #expect(error?.code == .alreadyStarted)
        }

        @Test func `a client that ends together with its requests is closed after the last response`() throws {
            let server = try TestServer()
            for requests in 1...3 {
                let client = try server.client()
                // The loop is busy, so that the kernel reports requests and end at once.
                let mayGoOn = DispatchSemaphore(value: 0)
                server.server.loops[0].post { mayGoOn.wait() }
                for _ in 0..<requests { client.send(Self.hello) }
                client.closeSending()
                mayGoOn.signal()
                for _ in 0..<requests { #expect(try client.reply().body == "hello") }
                #expect(client.isClosedByPeer())
            }
        }

        @Test func `a stop lets the handler respond to suspended exchanges`() throws {
            let server = try TestServer()
            let clients = try (0..<10).map { _ in try server.client() }
            let idle = try server.client()
            #expect(try idle.request(Self.hello).status == 200)
            for client in clients { client.send(Self.hold) }
            #expect(eventually { server.suspendedCount == 10 })
            let start = now()
            server.server.stop(within: 5)
            #expect(now() - start < 1)
            for client in clients {
                let reply = try client.reply()
                #expect(reply.body == "drained")
                #expect(reply.header("Connection") == "close")
                #expect(client.isClosedByPeer())
            }
            #expect(idle.isClosedByPeer())
            #expect(server.record.drained.load(ordering: .relaxed) == 1)
            server.server.stop(within: 5)
            #expect(throws: (any Error).self) { _ = try server.client() }
        }

        @Test func `a stop waits for responses until its deadline`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in handler.respondsToSuspendedOnDrain = false }
            let client = try server.client()
            client.send(Self.hold)
            #expect(eventually { server.suspendedCount == 1 })
            let stopped = Atomic<Bool>(false)
            let (loop, record) = (server.server.loops[0], server.record)
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) {
                server.server.stop(within: 5)
                stopped.store(true, ordering: .relaxed)
            }
            #expect(eventually { record.drained.load(ordering: .relaxed) == 1 })
            let isStopped = stopped.load(ordering: .relaxed)
            #expect(!isStopped)
            _ = server.onLoop { handler, _ in handler.respondToSuspended("in time") }
            #expect(try client.reply().body == "in time")
            #expect(group.wait(timeout: .now() + 5) == .success)
            #expect(loop.index == 0)
        }

        @Test func `a stop refuses exchanges without a response at its deadline`() throws {
            let server = try TestServer()
            _ = server.onLoop { handler, _ in handler.respondsToSuspendedOnDrain = false }
            let client = try server.client()
            client.send(Self.hold)
            let uploading = try server.client()
            uploading.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
            #expect(eventually { server.suspendedCount == 1 && server.openCount == 2 })
            server.server.stop(within: 0.1)
            let reply = try client.reply()
            #expect(reply.status == 503)
            #expect(reply.body.hasPrefix("server.stopping"))
            #expect(uploading.isClosedByPeer())
        }

        @Test func `a stop waits for a body that is being received`() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf ")
            #expect(eventually { server.openCount == 1 })
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { server.server.stop(within: 5) }
            #expect(eventually { server.record.drained.load(ordering: .relaxed) == 1 })
            client.send("whole")
            #expect(try client.reply().body == "half whole")
            #expect(group.wait(timeout: .now() + 5) == .success)
        }

        @Test func `a stop under load ends with requests in flight`() throws {
            for round in 0..<10 {
                let server = try TestServer(threads: 2)
                if round.isMultiple(of: 2) {
                    for index in 0..<2 { _ = server.onLoop(index) { handler, _ in handler.respondsToSuspendedOnDrain = false } }
                }
                let port = server.port
                let group = DispatchGroup()
                // Threads of their own: a dispatch queue starts few at a time while other tests block its threads.
                for _ in 0..<4 {
                    group.enter()
                    Thread.detachNewThread {
                        Self.rush(port)
                        group.leave()
                    }
                }
                #expect(eventually { server.record.handled.load(ordering: .relaxed) > 100 })
                server.server.stop(within: 0.01 * Double(round % 3))
                #expect(group.wait(timeout: .now() + 10) == .success)
            }
        }

        // Sends requests without reading responses until the server has stopped.
        private static func rush(_ port: UInt16) {
            let clients = (0..<16).compactMap { _ in try? Client(port: port) }
            let post = "POST /posted HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
            let kinds = [hello, hold, post]
            for turn in 0..<200 {
                for (number, client) in clients.enumerated() {
                    guard client.send(kinds[(number + turn) % 3]) else { return }
                }
            }
            // Connections that are closed now would take back the requests that a slow server has not read yet.
            for client in clients { _ = client.isClosedByPeer() }
        }

        @Test func `after stopAccepting a kept-alive connection gets one more response`() throws {
            let server = try TestServer()
            let client = try server.client()
            #expect(try client.request(Self.hello).header("Connection") == nil)
            _ = server.onLoop { _, loop in loop.core.stopAccepting() }
            #expect(throws: (any Error).self) { _ = try server.client() }
            #expect(try client.request(Self.hello).header("Connection") == "close")
            #expect(client.isClosedByPeer())
        }

        @Test func `stopAccepting accepts all connections that wait, and each gets its response`() throws {
            let server = try TestServer()
            // The loop is blocked while the clients connect and send, and stops accepting before it runs.
            let gate = DispatchSemaphore(value: 0)
            let loop = server.server.loops[0]
            loop.post {
                _ = gate.wait(timeout: .now() + 5)
                loop.core.stopAccepting()
            }
            let clients = try (0..<100).map { _ in try server.client() }
            for client in clients { client.send(Self.hello) }
            gate.signal()
            for client in clients {
                let reply = try client.reply()
                #expect(reply.body == "hello")
                #expect(reply.header("Connection") == "close")
            }
        }

        @Test func `stopping a server that was never started frees its port`() throws {
            var configuration = HTTPServerConfiguration()
            configuration.port = 0
            let record = TestHandler.Record()
            let server = try HTTPServer(configuration: configuration, logger: Logger(label: "test")) { loop in
                TestHandler(loop: loop, record: record)
            }
            server.stop(within: 1)
            let port = server.port
            _ = try TestServer { $0.port = port }
        }

        @Test func `300 connections that are ready at the same time are all served`() throws {
            let server = try TestServer()
            let clients = try (0..<300).map { _ in try server.client() }
            #expect(eventually { server.openCount == 300 })
            // The loop is blocked while all clients send, so that all connections are ready in the same turn.
            let gate = DispatchSemaphore(value: 0)
            server.server.loops[0].post { _ = gate.wait(timeout: .now() + 5) }
            for client in clients { client.send(Self.hello) }
            gate.signal()
            for client in clients { #expect(try client.reply().body == "hello") }
        }

        @Test func `10,000 connections open and close without a leaked descriptor`() throws {
            let server = try TestServer()
            for round in 0..<100 {
                let clients = try (0..<100).map { _ in try server.client() }
                for (number, client) in clients.enumerated() {
                    switch number % 4 {
                    case 0: #expect(try client.request(Self.hello).status == 200)
                    case 1: client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab")
                    case 2: client.send(round.isMultiple(of: 10) ? "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n" : "GET /he")
                    default: break
                    }
                    client.reset()
                }
            }
            #expect(eventually { server.openCount == 0 })
            #expect(server.suspendedCount == 0)
            #expect(sockets(onPort: server.port) == 1)
        }

        // Counted by port: other tests in this process open descriptors at the same time.
        private func sockets(onPort port: UInt16) -> Int {
            var count = 0
            for descriptor in 0..<Int32(4096) {
                var address = sockaddr_in()
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let named = unsafe withUnsafeMutableBytes(of: &address) { bytes in
                    unsafe getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
                }
                if named == 0, address.sin_family == sa_family_t(AF_INET), address.sin_port == port.bigEndian { count += 1 }
            }
            return count
        }
    }
}
