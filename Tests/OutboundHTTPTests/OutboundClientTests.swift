import OutboundHTTP
import Synchronization
import TestSupport
import Testing

struct OutboundClientTests {
    private let client: OutboundClient

    init() throws { client = try OutboundClient(name: "outbound-test") }

    @Test func `a response has its status, the headers that are kept, and its body`() throws {
        let server = try ScriptedServer { socket in
            let request = try socket.readRequest()
            let echo = "\(request.method) \(request.target) \(request.header("X-One") ?? "") \(request.header("Host") ?? "")"
            socket.send("HTTP/1.1 103 Early Hints\r\nDate: early\r\n\r\n")
            socket.send(
                httpResponse(
                    echo, status: "418 No", headers: "Retry-AFTER:  120 \r\nX-Other: y\r\nContent-Type: text/plain\r\n"))
        }
        defer { server.stop() }
        var request = OutboundRequest.get(server, "/a/../b?c=%20")
        request.headers = [.init("X-One", "1")]
        let response = try client.result(of: request).get()
        #expect(response.status == 418)
        #expect(response.headers == ["retry-after": "120"])
        #expect(String(decoding: response.body, as: UTF8.self) == "GET /a/../b?c=%20 1 127.0.0.1:\(server.port)")
        #expect(!response.wasCut && response.duration > .zero)
    }

    @Test(arguments: [0, 1, 3000, 1 << 20])
    func `a body is sent as it is`(_ count: Int) throws {
        let received = Mutex<[UInt8]?>(nil)
        let server = try ScriptedServer { socket in
            let request = try socket.readRequest()
            received.withLock { $0 = request.body }
            socket.send(httpResponse("\(request.method) \(request.header("Expect") ?? "at once")"))
        }
        defer { server.stop() }
        var request = OutboundRequest.get(server)
        request.method = .post
        request.body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let response = try client.result(of: request).get()
        #expect(String(decoding: response.body, as: UTF8.self) == "POST at once")
        #expect(received.withLock { $0 } == request.body)
    }

    @Test func `requests to one host share a connection`() throws {
        let server = try ScriptedServer { _ in httpResponse("x") }
        defer { server.stop() }
        for _ in 0..<3 { #expect(try client.result(of: .get(server)).get().status == 200) }
        #expect(server.connections == 1)
    }

    @Test func `a redirect is not followed`() throws {
        let paths = Mutex<[String]>([])
        let target = try ScriptedServer { _ in httpResponse("secret") }
        let server = try ScriptedServer { request in
            paths.withLock { $0.append(request.target) }
            return httpResponse("", status: "302 Found", headers: "Location: http://127.0.0.1:\(target.port)/secret\r\n")
        }
        defer { [target, server].forEach { $0.stop() } }
        let response = try client.result(of: .get(server)).get()
        #expect(response.status == 302 && response.body.isEmpty)
        #expect(target.connections == 0 && paths.withLock { $0 } == ["/"])
    }

    @Test func `a header of several lines is refused, and so is a body that is too long`() throws {
        let server = try ScriptedServer { _ in httpResponse("x") }
        defer { server.stop() }
        var request = OutboundRequest.get(server)
        for header in [("X", "a\r\nY: b"), ("X\r\nY", "a"), ("X:", "a"), ("", "a"), ("X", "a\0")] {
            request.headers = [.init(header.0, header.1)]
            #expect(client.failure(of: request) == .invalidRequest)
        }
        request.headers = []
        request.body = [UInt8](repeating: 0, count: OutboundLimits().requestBytes + 1)
        #expect(client.failure(of: request) == .invalidRequest)
        #expect(server.connections == 0)
    }

    @Test func `the end fails what is in flight, and later requests`() throws {
        let server = try ScriptedServer { socket in _ = try socket.read(1_000_000) }
        defer { server.stop() }
        let failures = Mutex<[OutboundFailure]>([])
        for _ in 0..<3 {
            try client.send(.get(server)) { result in
                if case .failure(let failure) = result { failures.withLock { $0.append(failure) } }
            }
        }
        #expect(eventually { server.connections > 0 })
        client.stop()
        #expect(failures.withLock { $0 } == [.stopped, .stopped, .stopped])
        #expect(client.failure(of: .get(server)) == .stopped)
        client.stop()
    }
}
