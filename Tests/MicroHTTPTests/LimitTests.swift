import Foundation
import Glibc
@testable import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Limits {
        private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

        private func post(_ length: Int, _ body: String) -> String {
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)"
        }

        private func chunked(_ bytes: Int, chunk: Int = 1000) -> String {
            var text = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            var rest = bytes
            while rest > 0 {
                let size = min(rest, chunk)
                text += String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
                rest -= size
            }
            return text + "0\r\n\r\n"
        }

        @Test func `the defaults are those of the specification`() {
            let limits = HTTPLimits()
            #expect(limits.bodyBytes == 65536)
            #expect(limits.headerBytes == 4096)
            #expect(limits.requestSeconds == 10)
            #expect(limits.responseSeconds == 30)
            #expect(limits.sendBufferBytes == 65_536)
            #expect(limits.idleSeconds == 75)
            #expect(limits.connections == 16000)
        }

        @Test(arguments: [1024, 4096, 16384])
        func `a query with exactly the limit of parameters is accepted, one more is refused at once`(headerBytes: Int) throws {
            let server = try TestServer { $0.limits.headerBytes = headerBytes }
            var limits = HTTPLimits()
            limits.headerBytes = headerBytes
            let limit = limits.queryParameters
            func request(_ count: Int) -> String {
                "GET /hello?\(Array(repeating: "a=1", count: count).joined(separator: "&")) HTTP/1.1\r\nHost: a\r\n\r\n"
            }
            let client = try server.client()
            #expect(try client.request(request(limit)).status == 200)
            for count in [limit + 1, 3 * limit] {
                let client = try server.client()
                let refused = try client.request(request(count))
                #expect(refused.status == 414)
                #expect(refused.body.hasPrefix("request.target_too_long"))
                #expect(client.isClosedByPeer())
            }
        }

        @Test func `a body of exactly the limit is accepted, one byte more is refused at once`() throws {
            let server = try TestServer()
            let client = try server.client()
            let full = String(repeating: "x", count: 65536)
            let reply = try client.request(post(65536, full))
            #expect(reply.status == 201)
            #expect(reply.body == full)
            // Refused by its Content-Length: no byte of the body is sent.
            let refused = try client.request(post(65537, ""))
            #expect(refused.status == 413)
            #expect(refused.body.hasPrefix("request.too_large"))
            #expect(refused.header("Connection") == "close")
            #expect(client.isClosedByPeer())
        }

        @Test func `a chunked body of exactly the limit is accepted, one byte more is refused`() throws {
            let server = try TestServer { $0.limits.bodyBytes = 20_000 }
            let client = try server.client()
            #expect(try client.request(chunked(20_000)).body.utf8.count == 20_000)
            let refused = try client.request(chunked(20_001))
            #expect(refused.status == 413)
            #expect(refused.body.hasPrefix("request.too_large"))
            #expect(client.isClosedByPeer())
        }

        @Test func `a client that sends a far too large body can still read the refusal`() throws {
            let server = try TestServer { $0.limits.bodyBytes = 1000 }
            for text in [post(500_000, String(repeating: "x", count: 500_000)), chunked(500_000)] {
                let client = try server.client()
                client.send(text)
                #expect(try client.reply().status == 413)
            }
        }

        @Test func `connections never use up the descriptors of the process`() {
            let limits = HTTPLimits()
            for descriptors in [20, 200, 1024, 4096, 17_000, 20_000, .max] {
                let fitting = limits.fitting(descriptors: descriptors, threads: 2)
                #expect(fitting.connections >= 1)
                #expect(fitting.connections == 16_000 || fitting.connections < descriptors)
                if descriptors >= 200 { #expect(fitting.refusableConnections <= descriptors - min(640, descriptors / 4)) }
            }
            #expect(limits.fitting(descriptors: 20_000, threads: 2).connections == 16_000)
            #expect(limits.fitting(descriptors: 1024, threads: 2).connections == 704)
        }

        @Test func `an oversized head is refused`() throws {
            let server = try TestServer()
            let padding = String(repeating: "p", count: 5000)
            let reply = try server.client().request("GET /hello HTTP/1.1\r\nHost: a\r\nX-Padding: \(padding)\r\n\r\n")
            #expect(reply.status == 431)
            #expect(reply.body.hasPrefix("request.header_too_large"))
            let long = try server.client().request("GET /hello?\(padding) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(long.status == 414)
            let huge = try server.client()
            huge.send("GET /hello HTTP/1.1\r\nHost: a\r\nX-Padding: \(String(repeating: "p", count: 200_000))\r\n\r\n")
            #expect((try? huge.reply().status) ?? 431 == 431)
            #expect(huge.isClosedByPeer())
        }

        @Test func `a head of exactly the limit is accepted`() throws {
            let server = try TestServer()
            let start = "GET /hello HTTP/1.1\r\nHost: a\r\nX-Padding: "
            let padding = String(repeating: "p", count: 4096 - start.utf8.count - 4)
            #expect(try server.client().request("\(start)\(padding)\r\n\r\n").status == 200)
            #expect(try server.client().request("\(start)\(padding)p\r\n\r\n").status == 431)
        }

        @Test func `a head that arrives byte by byte is cut off at the absolute deadline`() throws {
            let server = try TestServer { $0.limits.requestSeconds = 0.3 }
            let client = try server.client()
            let start = now()
            client.send("GET /hello HTTP/1.1\r\n")
            #expect(eventually { !client.send("X") })
            #expect(now() - start < 2)
            #expect(eventually { server.openCount == 0 })
        }

        @Test func `a connection that sends nothing is cut off at the deadline of a head`() throws {
            let server = try TestServer { $0.limits.requestSeconds = 0.2 }
            let client = try server.client()
            #expect(client.isClosedByPeer())
        }

        @Test func `a body that arrives byte by byte gets 408 at its deadline`() throws {
            let server = try TestServer { $0.limits.requestSeconds = 0.3 }
            let client = try server.client()
            client.send(post(1000, ""))
            let start = now()
            #expect(eventually { !client.send("x") || server.openCount == 0 })
            #expect(now() - start < 2)
            let reply = try client.reply()
            #expect(reply.status == 408)
            #expect(reply.body.hasPrefix("request.timeout"))
            #expect(reply.header("Date")?.hasSuffix(" GMT") == true)
        }

        @Test func `a client that goes on with its body after the deadline is not reset before it has read the 408`() throws {
            let server = try TestServer { $0.limits.requestSeconds = 0.2 }
            let client = try server.client()
            client.send(post(1000, "x"))
            #expect(try client.reply().status == 408)
            for _ in 0..<3 {
                #expect(client.send("x"))
                _ = server.openCount
            }
            #expect(client.isEndedByPeer())
            #expect(eventually { server.openCount == 0 })
        }

        @Test func `a response that is read too slowly is cut off at an absolute deadline`() throws {
            let server = try TestServer {
                $0.limits.responseSeconds = 0.3
                $0.limits.bodyBytes = 16_000_000
            }
            let client = try server.client()
            client.setReceiveBuffer(4096)
            let body = String(repeating: "x", count: 8_000_000)
            client.send(post(body.utf8.count, body))
            let start = now()
            // Reads a byte now and then, so that the connection is never idle.
            #expect(
                eventually {
                    _ = try? client.read(1)
                    return server.openCount == 0
                })
            #expect(now() - start < 3)
            #expect(client.isClosedByPeer())
        }

        /// The whole response is in the kernel's buffer, so the connection counts as idle, but its client reads nothing.
        @Test func `an unread response in the kernel's buffer is cut off as well`() throws {
            let server = try TestServer {
                $0.limits.responseSeconds = 0.3
                $0.limits.bodyBytes = 1_000_000
            }
            let client = try server.client()
            client.setReceiveBuffer(1024)
            let body = String(repeating: "x", count: 100_000)
            client.send(post(body.utf8.count, body))
            let start = now()
            #expect(eventually { server.openCount == 0 })
            #expect(now() - start < 3)
            #expect(throws: Client.Failure.self) { try client.read(body.utf8.count) }
        }

        @Test func `a connection whose response was read stays open beyond the response deadline`() throws {
            let server = try TestServer { $0.limits.responseSeconds = 0.1 }
            let client = try server.client()
            #expect(try client.request(Self.hello).status == 200)
            // One whose response is not read is cut off, so the deadline of the response before it is over as well.
            let other = try server.client()
            other.setReceiveBuffer(4096)
            other.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.openCount == 2 })
            #expect(eventually { server.openCount == 1 })
            #expect(try client.request(Self.hello).status == 200)
        }

        /// By default Linux grows the send buffer to megabytes for each connection.
        @Test func `the kernel buffers no more than the limit for a slow reader`() throws {
            let server = try TestServer { $0.limits.bodyBytes = 16_000_000 }
            let client = try server.client()
            client.setReceiveBuffer(4096)
            let body = String(repeating: "x", count: 4_000_000)
            client.send(post(body.utf8.count, body))
            #expect(eventually { kernelQueuedBytes(for: server.port) > 50_000 })
            // In every turn the loop writes what the kernel accepts, and each of these requests takes at least one.
            let other = try server.client()
            for _ in 0..<50 { #expect(try other.request(Self.hello).status == 200) }
            #expect(kernelQueuedBytes(for: server.port) < 500_000)
        }

        /// The longest send queue in bytes of all connections to a port, from `/proc/net/tcp`.
        private func kernelQueuedBytes(for port: UInt16) -> Int {
            let file = FileHandle(forReadingAtPath: "/proc/net/tcp")
            let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
            let queues = table.split(separator: "\n").compactMap { line -> Int? in
                let fields = line.split(separator: " ")
                guard fields.count > 4, fields[1].hasSuffix(":" + String(port, radix: 16, uppercase: true).leftPadded),
                    fields[3] == "01"
                else { return nil }
                return Int(fields[4].prefix(8), radix: 16)
            }
            return queues.max() ?? 0
        }

        @Test func `a connection that is idle too long is closed`() throws {
            let server = try TestServer {
                $0.limits.idleSeconds = 0.1
                $0.limits.requestSeconds = 0.2
            }
            let client = try server.client()
            #expect(try client.request(Self.hello).status == 200)
            #expect(client.isClosedByPeer())
            #expect(eventually { server.openCount == 0 })
        }

        @Test func `above the limit the connection that has been idle longest is evicted`() throws {
            let server = try TestServer { $0.limits.connections = 3 }
            let clients = try (0..<3).map { _ in try server.client() }
            for client in clients { #expect(try client.request(Self.hello).status == 200) }
            #expect(try clients[0].request(Self.hello).status == 200)
            let newClient = try server.client()
            #expect(try newClient.request(Self.hello).status == 200)
            #expect(clients[1].isClosedByPeer())
            #expect(try clients[0].request(Self.hello).status == 200)
            #expect(try clients[2].request(Self.hello).status == 200)
        }

        @Test func `above the limit without an idle connection a request gets 503`() throws {
            let server = try TestServer { $0.limits.connections = 2 }
            let busy = try (0..<2).map { _ in try server.client() }
            for client in busy { client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(eventually { server.suspendedCount == 2 })
            let newClient = try server.client()
            let reply = try newClient.request(Self.hello)
            #expect(reply.status == 503)
            #expect(reply.body.hasPrefix("server.busy"))
            #expect(newClient.isClosedByPeer())
            _ = server.onLoop { handler, _ in handler.respondToSuspended("free") }
            for client in busy { #expect(try client.reply().body == "free") }
            #expect(try server.client().request(Self.hello).status == 200)
        }

        @Test func `far above the limit connections without a request head are evicted, and a request still gets 503`() throws {
            let server = try TestServer {
                $0.limits.connections = 1
                $0.limits.displacedPerAddress = 0
            }
            let holder = try server.client()
            holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.suspendedCount == 1 })
            let headless = try (0..<100).map { _ in try server.client() }
            #expect(try server.client().request(Self.hello).status == 503)
            for client in headless { #expect(client.isClosedByPeer()) }
            #expect(eventually { server.openCount == 1 })
            #expect(server.suspendedCount == 1)
        }
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}
