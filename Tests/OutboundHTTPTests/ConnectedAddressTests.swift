import OutboundHTTP
import Synchronization
import TestSupport
import Testing

struct ConnectedAddressTests {
    /// A client for which names have these addresses.
    private func client(_ names: [String: [String]]) throws -> OutboundClient {
        try OutboundClient(name: "outbound-test", resolve: { names[$0] ?? [] })
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0",
    ])
    func `a name whose address is not public is not connected to`(_ address: String) throws {
        let server = try ScriptedServer { _ in httpResponse("secret") }
        defer { server.stop() }
        let client = try client(["hooks.test": [address]])
        let failure = client.failure(of: OutboundRequest(.get, "https://hooks.test:\(server.port)/"))
        guard case .refused(.address) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(server.connections == 0)
    }

    @Test func `a name that has another address at the second request is not connected to`() throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { server.stop() }
        let asked = Mutex(0)
        let client = try OutboundClient(name: "outbound-test") { _ in
            asked.withLock { asked in
                asked += 1
                return [asked == 1 ? "127.0.0.1" : "127.0.0.2"]
            }
        }
        let exception = try #require(AddressException("127.0.0.1"))
        let request = OutboundRequest(.get, "http://hooks.test:\(server.port)/", policy: .publicAddresses(except: [exception]))
        #expect(try client.result(of: request).get().status == 200)
        #expect(client.failure(of: request) == .refused(.address(.loopback, of: "127.0.0.2")))
        #expect(server.connections == 1)
    }

    @Test func `of several addresses those that are allowed are tried`() throws {
        let server = try ScriptedServer { _ in httpResponse("x") }
        defer { server.stop() }
        let client = try client(["hooks.test": ["10.0.0.1", "127.0.0.1"]])
        let exception = try #require(AddressException("127.0.0.1"))
        let request = OutboundRequest(.get, "http://hooks.test:\(server.port)/", policy: .publicAddresses(except: [exception]))
        #expect(try client.result(of: request).get().status == 200)
    }

    @Test func `an open connection is not used by a request that could not have opened it`() throws {
        let paths = Mutex<[String]>([])
        let server = try ScriptedServer { request in
            paths.withLock { $0.append(request.target) }
            return httpResponse("x")
        }
        defer { server.stop() }
        let client = try client(["hooks.test": ["127.0.0.1"]])
        let (all, other) = (try #require(AddressException("127.0.0.0/8")), try #require(AddressException("10.0.0.0/8")))
        func request(_ path: String, except exception: AddressException) -> OutboundRequest {
            OutboundRequest(.get, "http://hooks.test:\(server.port)\(path)", policy: .publicAddresses(except: [exception]))
        }
        for _ in 0..<2 { #expect(try client.result(of: request("/allowed", except: all)).get().status == 200) }
        #expect(client.failure(of: request("/refused", except: other)) == .refused(.address(.loopback, of: "127.0.0.1")))
        #expect(paths.withLock { $0 } == ["/allowed", "/allowed"] && server.connections == 1)
    }

    @Test func `a URL that the policy refuses by its text is refused at once`() throws {
        let client = try client([:])
        let failure = client.failure(of: OutboundRequest(.get, "https://10.0.0.1/"))
        #expect(failure == .refused(.address(.privateUse, of: "10.0.0.1")))
        #expect(failure?.description == "The URL leads to 10.0.0.1, an address that is private")
    }
}
