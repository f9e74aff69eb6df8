import OutboundHTTP
import Synchronization
import TestSupport
import Testing

struct HostileServerTests {
    private let client: OutboundClient

    init() throws { client = try OutboundClient(name: "outbound-test") }

    @Test func `of a body that does not end the first bytes are kept`() throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 500 No\r\nContent-Type: text/plain\r\n\r\n")
            while socket.send([UInt8](repeating: 0x61, count: 10_000)) {}
        }
        defer { server.stop() }
        var request = OutboundRequest.get(server)
        request.responseLimit = 500
        let response = try client.result(of: request).get()
        #expect(response.status == 500 && response.wasCut)
        #expect(response.body == [UInt8](repeating: 0x61, count: 500))
        // The bound of the client holds whatever a request asks for.
        request.responseLimit = .max
        #expect(try client.result(of: request).get().body.count == OutboundLimits().responseBytes)
    }

    @Test func `a body of exactly the bound is whole`() throws {
        let server = try ScriptedServer { _ in httpResponse("12345") }
        defer { server.stop() }
        var request = OutboundRequest.get(server)
        for (limit, wasCut) in [(5, false), (4, true), (0, true)] {
            request.responseLimit = limit
            let response = try client.result(of: request).get()
            #expect(response.body == Array("12345".utf8.prefix(limit)) && response.wasCut == wasCut)
        }
    }

    @Test(arguments: ["X: yyyyyyyyyyyyyyyyyyyy\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"])
    func `a head that does not end is not read to the end`(_ line: String) throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            if !line.hasPrefix("HTTP") { socket.send("HTTP/1.1 200 OK\r\n") }
            while socket.send(String(repeating: line, count: 100)) {}
        }
        defer { server.stop() }
        guard case .response = client.failure(of: .get(server)) else {
            Issue.record("the head was accepted")
            return
        }
    }

    @Test func `the time is that of the whole response, however slowly it arrives`() throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            var isOpen = true
            while isOpen {
                isOpen = socket.send("x")
                // A slow peer, not a wait for something: the pace of the bytes is what is tested.
                _ = eventually(seconds: 0.01) { false }
            }
        }
        defer { server.stop() }
        var request = OutboundRequest.get(server)
        request.timeout = .milliseconds(300)
        let start = now()
        #expect(client.failure(of: request) == .timeout)
        #expect(now() - start >= 0.29)
    }

    @Test func `a server that does not respond holds up no other request`() throws {
        let mayRespond = Mutex(false)
        let silent = try ScriptedServer { socket in
            _ = try socket.readRequest()
            _ = eventually(seconds: 100) { mayRespond.withLock { $0 } }
            socket.send(httpResponse("late"))
        }
        let server = try ScriptedServer { _ in httpResponse("x") }
        defer { [silent, server].forEach { $0.stop() } }
        var limits = OutboundLimits()
        limits.totalTime = .seconds(120)
        let client = try OutboundClient(name: "outbound-test", limits: limits)
        let late = Mutex<Int?>(nil)
        try client.send(.get(silent)) { result in
            if case .success(let response) = result { late.withLock { $0 = response.body.count } }
        }
        #expect(eventually { silent.connections == 1 })
        for _ in 0..<20 { #expect(try client.result(of: .get(server)).get().status == 200) }
        #expect(late.withLock { $0 } == nil)
        mayRespond.withLock { $0 = true }
        #expect(eventually { late.withLock { $0 } == 4 })
    }

    @Test func `no server, no response, and no HTTP are failures of their own`() throws {
        let gone = try ScriptedServer { _ in }
        gone.stop()
        #expect(eventually { (try? BlockingSocket(port: gone.port)) == nil })
        let mute = try ScriptedServer { socket in _ = try socket.readRequest() }
        let odd = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("SSH-2.0-x\r\n\r\n")
        }
        let short = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        defer { [mute, odd, short].forEach { $0.stop() } }
        for server in [gone, mute] {
            guard case .connection = client.failure(of: .get(server)) else {
                Issue.record("no failure of the connection")
                continue
            }
        }
        for server in [odd, short] {
            guard case .response = client.failure(of: .get(server)) else {
                Issue.record("no failure of the response")
                continue
            }
        }
    }

    @Test func `a server without TLS is refused by https`() throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readLine()
            socket.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        defer { server.stop() }
        let failure = client.failure(
            of: OutboundRequest(.get, "https://127.0.0.1:\(server.port)/", policy: .operatorsSystems))
        guard case .tls = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a name that does not exist is said`() {
        #expect(client.failure(of: OutboundRequest(.get, "https://no-such-host.invalid/")) == .nameNotFound)
    }
}
