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

    private static func get(_ path: String, _ port: UInt16) throws -> String {
        let connection = try HTTPConnection(port: port)
        try connection.send(HTTPRequest(method: "GET", path: path))
        let answer = try connection.receive()
        return "\(answer.status) \(answer.code ?? answer.bodyText)"
    }
}
