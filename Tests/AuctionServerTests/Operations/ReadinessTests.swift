import AuctionDomain
@testable import AuctionServer
import EventLog
import Logging
import MicroHTTP
import Synchronization
import Testing

struct ReadinessTests {
    @Test(arguments: [true, false], [true, false])
    func `whatever is not ready is named`(_ isLogWritable: Bool, _ isRecovered: Bool) {
        for isDraining in [false, true] {
            let readiness = Readiness(isLogWritable: isLogWritable, isRecovered: isRecovered, isDraining: isDraining)
            let expected = [isLogWritable ? nil : "log", isRecovered ? nil : "recovering", isDraining ? "draining" : nil]
            #expect(readiness.waitingFor.map(\.rawValue) == expected.compactMap { $0 })
            #expect(readiness.response.status == (readiness.waitingFor.isEmpty ? 200 : 503))
        }
    }

    @Test func `a server that is not ready says what it waits for`() {
        let response = Readiness(isLogWritable: false, isRecovered: true, isDraining: true).response
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"status":"not ready","waitingFor":["log","draining"]}"#)
        #expect(response.headers.contains { $0.name == "Retry-After" })
    }

    @Test func `while rooms are loaded probes are answered, and everybody else is asked to wait`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        var options = ServerOptions()
        options.http.port = 0
        let server = try AuctionServer(
            options: options, log: log, secret: House.secret, rulebook: try RoomRulebook.product(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let port = server.port
        let seen = Mutex<[String]>([])
        log.duringStart.withLock { look in
            look = {
                for path in ["/healthz", "/readyz", "/v1/rooms"] {
                    let said = Result { () throws in try Self.get(path, port) }
                    let text = if case .success(let text) = said { text } else { "\(said)" }
                    seen.withLock { $0.append(text) }
                }
            }
        }
        try server.start()
        defer { server.stop(within: 0) }
        let ready = try Self.get("/readyz", port)
        #expect(
            seen.withLock { $0 } == [
                #"200 {"status":"ok"}"#, #"503 {"status":"not ready","waitingFor":["recovering"]}"#, "503 service.unavailable",
            ])
        #expect(ready == #"200 {"status":"ready"}"#)
    }

    @Test func `a stop that is announced is told on every loop and to new connections, and everything is served`() throws {
        let house = try House { $0.http.threads = 2 }
        let kept = try (0..<4).map { _ in try house.connect() }
        func ask(_ connection: HTTPConnection, _ method: String, _ path: String) throws -> HTTPAnswer {
            let body = method == "POST" ? Array(#"{"nickname":"Late"}"#.utf8) : nil
            let request = house.request(method, path, body)
            try connection.send(request)
            return try house.receive(on: connection, to: request)
        }
        for connection in kept { #expect(try ask(connection, "GET", "/readyz").status == 200) }
        house.server.announceStop()
        for connection in kept {
            let answer = try ask(connection, "GET", "/readyz")
            #expect(answer.status == 503)
            #expect(answer.bodyText == #"{"status":"not ready","waitingFor":["draining"]}"#)
            #expect(answer.header("Connection") == "close")
        }
        for _ in 0..<4 {
            let answer = try ask(house.connect(), "POST", "/v1/guests")
            #expect(answer.status == 201)
            #expect(answer.header("Connection") == "close")
        }
        house.stop(within: 5)
        #expect(throws: (any Error).self) { _ = try house.connect() }
    }

    private static func get(_ path: String, _ port: UInt16) throws -> String {
        let connection = try HTTPConnection(port: port)
        try connection.send(HTTPRequest(method: "GET", path: path))
        let answer = try connection.receive()
        return "\(answer.status) \(answer.code ?? answer.bodyText)"
    }
}
