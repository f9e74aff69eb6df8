import AuctionDomain
@testable import AuctionServer
import AuctionTestKit
import EventLog
import HTTPContract
import Logging
import MicroHTTP
import Synchronization
import Testing

struct ReadinessTests {
    @Test(arguments: [true, false], [true, false])
    func `every component that is not ready is named`(_ isLogWritable: Bool, _ isRecovered: Bool) {
        for isDraining in [false, true] {
            let readiness = Readiness(isLogWritable: isLogWritable, isRecovered: isRecovered, isDraining: isDraining)
            let expected = [isLogWritable ? nil : "log", isRecovered ? nil : "recovering", isDraining ? "draining" : nil]
            #expect(readiness.waitingFor.map(\.rawValue) == expected.compactMap { $0 })
            #expect(readiness.response.status == (readiness.waitingFor.isEmpty ? 200 : 503))
        }
    }

    @Test func `a server that is not ready lists what it waits for`() {
        let response = Readiness(isLogWritable: false, isRecovered: true, isDraining: true).response
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"status":"not ready","waitingFor":["log","draining"]}"#)
        #expect(response.headers.contains { $0.name == "Retry-After" })
    }

    @Test func `load balancers may ask with OPTIONS`() throws {
        let server = try TestServer()
        for (path, status) in [("/healthz", "ok"), ("/readyz", "ready"), ("/", "ready"), ("*", "ready")] {
            let connection = try server.connect()
            defer { connection.close() }
            try connection.send(HTTPRequest(method: "OPTIONS", path: path, headers: [], body: nil))
            let response = try connection.receive()
            #expect(response.status == 200)
            #expect(response.text("status") == status)
        }
        // A page of another origin gets no more than before.
        let connection = try server.connect()
        defer { connection.close() }
        let headers = [("Origin", "https://elsewhere.example"), ("Access-Control-Request-Method", "POST")]
        try connection.send(HTTPRequest(method: "OPTIONS", path: "/", headers: headers, body: nil))
        let response = try connection.receive()
        #expect(response.status == 403)
        #expect(response.header("Access-Control-Allow-Origin") == nil)
        try connection.send(HTTPRequest(method: "OPTIONS", path: "/v1/rooms", headers: [], body: nil))
        #expect(try connection.receive().status == 405)
    }

    @Test func `while rooms are being loaded, probes get responses and other requests get 503`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        var options = ServerOptions()
        options.http.port = 0
        let auctionServer = try AuctionServer(
            options: options, log: log, secret: TestServer.secret, rulebook: try RoomRulebook.product(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let port = auctionServer.port
        let responses = Mutex<[String]>([])
        log.onOpenRooms.withLock { hook in
            hook = {
                for path in ["/healthz", "/readyz", "/v1/rooms"] {
                    let result = Result { () throws in try Self.get(path, port) }
                    let text = if case .success(let text) = result { text } else { "\(result)" }
                    responses.withLock { $0.append(text) }
                }
            }
        }
        try auctionServer.start()
        defer { auctionServer.stop(within: 0) }
        let ready = try Self.get("/readyz", port)
        #expect(
            responses.withLock { $0 } == [
                #"200 {"status":"ok"}"#, #"503 {"status":"not ready","waitingFor":["recovering"]}"#, "503 service.unavailable",
            ])
        #expect(ready == #"200 {"status":"ready"}"#)
    }

    @Test func `an announced stop is reported on every loop and new connection, and requests are still served`() throws {
        let server = try TestServer { $0.http.threads = 2 }
        let kept = try (0..<4).map { _ in try server.connect() }
        func send(_ connection: HTTPConnection, _ method: String, _ path: String) throws -> HTTPResponse {
            let body = method == "POST" ? Array(#"{"nickname":"Late"}"#.utf8) : nil
            let request = server.request(method, path, body)
            try connection.send(request)
            return try server.receive(on: connection, to: request)
        }
        for connection in kept { #expect(try send(connection, "GET", "/readyz").status == 200) }
        server.auctionServer.announceStop()
        for connection in kept {
            let response = try send(connection, "GET", "/readyz")
            #expect(response.status == 503)
            #expect(response.bodyText == #"{"status":"not ready","waitingFor":["draining"]}"#)
            #expect(response.header("Connection") == "close")
        }
        for _ in 0..<4 {
            let response = try send(server.connect(), "POST", "/v1/guests")
            #expect(response.status == 201)
            #expect(response.header("Connection") == "close")
        }
        server.stop(within: 5)
        #expect(throws: (any Error).self) { _ = try server.connect() }
    }

    private static func get(_ path: String, _ port: UInt16) throws -> String {
        let connection = try HTTPConnection(port: port)
        try connection.send(HTTPRequest(method: "GET", path: path))
        let response = try connection.receive()
        return "\(response.status) \(response.code ?? response.bodyText)"
    }
}
