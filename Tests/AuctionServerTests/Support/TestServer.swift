import AuctionDomain
import AuctionServer
import AuctionTestKit
import AuctionService
import EventLog
import ExactJSON
import Logging
import MicroHTTP
import TestSupport
import Testing

/// A server in this process on a free port, with one client connection. Every response is checked against the contract.
final class TestServer {
    static let secret = Array("a secret that only these tests know, and keep".utf8)

    let auctionServer: AuctionServer
    let clock: TestClock
    private var connection: HTTPConnection?
    private var isRunning = false

    /// - Parameter systemClock: whether the server uses the real clock, for tests that depend on the event loops' timers.
    init(
        log: any EventLog = InMemoryEventLog(), clock: TestClock = TestClock(), systemClock: Bool = false,
        secret: [UInt8] = secret, logger: Logger? = nil,
        roomLimits: RoomLimits = RoomLimits(), _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws {
        var options = ServerOptions()
        options.http.port = 0
        options.limits.guestsPerMinute = 0
        options.limits.wrongCodesPerMinute = 0
        options.limits.bidsPerSecond = 0
        options.limits.commandsPerSecond = 0
        configure(&options)
        var silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        silent.logLevel = .critical
        self.clock = clock
        auctionServer = try AuctionServer(
            options: options, log: log, secret: secret, rulebook: try RoomRulebook.product(limits: roomLimits),
            logger: logger ?? silent,
            clock: systemClock ? SystemClock() : clock)
        try auctionServer.start()
        isRunning = true
    }

    deinit { stop() }

    func stop(within seconds: Double = 0) {
        guard isRunning else { return }
        isRunning = false
        connection?.close()
        auctionServer.stop(within: seconds)
    }

    /// - Parameter receiveBytes: size of the client's receive buffer, for tests that do not read responses.
    func connect(receiveBytes: Int32? = nil) throws -> HTTPConnection {
        try HTTPConnection(port: auctionServer.port, receiveBytes: receiveBytes)
    }

    /// Sends a request, waits for the response, and records an issue for each violation of the contract.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, by guest: Guest? = nil,
        _ headers: [(name: String, value: String)] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        try send(request(method, path, body.map { Array($0.written.utf8) }, by: guest, headers), at: location)
    }

    /// The same with any text as body.
    @discardableResult
    func call(
        _ method: String, _ path: String, raw body: String, by guest: Guest? = nil,
        _ headers: [(name: String, value: String)] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        try send(request(method, path, Array(body.utf8), by: guest, headers), at: location)
    }

    func request(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, by guest: Guest? = nil,
        _ headers: [(name: String, value: String)] = []
    ) -> HTTPRequest {
        var all = headers
        if let guest { all.append(("Authorization", "Bearer \(guest.token)")) }
        if body != nil, !headers.contains(where: { $0.name == "Content-Type" }) {
            all.append(("Content-Type", "application/json"))
        }
        return HTTPRequest(method: method, path: path, headers: all, body: body)
    }

    func send(_ request: HTTPRequest, at location: SourceLocation = #_sourceLocation) throws -> HTTPResponse {
        let connection = try self.connection ?? connect()
        self.connection = connection
        try connection.send(request)
        let response = try receive(on: connection, to: request, at: location)
        if response.header("Connection")?.lowercased() == "close" { self.connection = nil }
        return response
    }

    /// Receives the response to a request that the test sent on its own connection, and checks it against the contract.
    func receive(
        on connection: HTTPConnection, to request: HTTPRequest, at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        let response = try connection.receive(toHead: request.method == "HEAD")
        try ResponseRecorder.shared.record(request, response)
        for violation in try Contract.shared.get().violations(of: request, response) {
            Issue.record(
                "\(request.method) \(request.path) \(response.status): \(violation)\n\(response.bodyText)",
                sourceLocation: location
            )
        }
        return response
    }

    func guest(_ nickname: String) throws -> Guest {
        let response = try call("POST", "/v1/guests", ["nickname": .string(nickname)])
        return Guest(
            id: try #require(response.text("user.id")), nickname: nickname, token: try #require(response.text("token")))
    }
}

/// A user with a token.
struct Guest {
    let id: String
    let nickname: String
    let token: String

    var person: JSONValue { ["id": .string(id), "nickname": .string(nickname)] }
}

/// Polls a condition until it holds; records an issue if it does not in time.
func eventually(
    within seconds: Double = 20, _ what: String, at location: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) rethrows {
    guard try !TestSupport.eventually(seconds: seconds, condition) else { return }
    Issue.record("\(what): not within \(seconds) s", sourceLocation: location)
}
