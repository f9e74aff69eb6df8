import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Logging
import MicroHTTP
import Synchronization
import Testing

/// A public room and its host in a server whose every step is one turn of its loop. Use it on the thread that made it.
struct SteppedRoom {
    let server: SteppedServer
    /// `/v1/rooms/room_…`
    let path: String
    /// The host's.
    let token: String
    let clock: TestClock
    private let log: InMemoryEventLog

    init(_ configure: (inout ServerOptions) -> Void = { _ in }) throws {
        var options = ServerOptions()
        options.limits.guestsPerMinute = 0
        options.limits.wrongCodesPerMinute = 0
        options.streams.perUser = 0
        configure(&options)
        (log, clock) = (InMemoryEventLog(), TestClock())
        let server = try Self.server(options, log, clock, seed: 1)
        func created(_ path: String, _ body: String, by token: String?) throws -> JSONValue {
            var response: Response?
            server.send(Self.request("POST", path, body, by: token)) { outcome in
                if case .answered(let answer) = outcome { response = answer }
            }
            while server.step() {}
            return try JSONReader.read(try #require(response).body)
        }
        let guest = try created("/v1/guests", #"{"nickname":"Ann"}"#, by: nil)
        let token = try #require(guest.text("token"))
        let room = try created("/v1/rooms", #"{"name":"Tonight"}"#, by: token)
        self.server = server
        self.token = token
        path = "/v1/rooms/" + (try #require(room.text("id")))
    }

    /// The room at a server that continues with the log of another one, which ends.
    init(after room: SteppedRoom) throws {
        room.server.finish()
        (log, clock, path, token) = (room.log, room.clock, room.path, room.token)
        server = try Self.server(ServerOptions(), log, clock, seed: 2)
        while server.step() {}
    }

    private static func server(
        _ options: ServerOptions, _ log: InMemoryEventLog, _ clock: TestClock, seed: UInt64
    ) throws -> SteppedServer {
        let source = Mutex(SeededGenerator(seed: seed))
        return try SteppedServer(
            options: options, log: log, secret: TestServer.secret,
            rulebook: try RoomRulebook.product(limits: RoomLimits(messagesPerSecond: 0)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock,
            seeds: { source.withLock { $0.word() } })
    }

    private static func request(_ method: String, _ path: String, _ body: String, by token: String?) -> DetachedLoop.Request {
        var headers: [(name: String, value: String)] = [("Host", "test")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if !body.isEmpty { headers.append(("Content-Type", "application/json")) }
        return DetachedLoop.Request(method: method, target: path, headers: headers, body: Array(body.utf8))
    }

    /// Hands in a request of the host to a path below the room's, or one without a token, and takes no step.
    func send(
        _ method: String, _ tail: String, _ body: String = "", isAnonymous: Bool = false,
        _ onOutcome: @escaping (DetachedLoop.Outcome) -> Void = { _ in }
    ) {
        server.send(Self.request(method, path + tail, body, by: isAnonymous ? nil : token), onOutcome)
    }

    /// The body of the response to such a request, after all steps that it takes.
    @discardableResult
    func call(_ method: String, _ tail: String, _ body: String = "") throws -> JSONValue {
        var response: Response?
        send(method, tail, body) { outcome in
            if case .answered(let answer) = outcome { response = answer }
        }
        while server.step() {}
        return try JSONReader.read(try #require(response).body)
    }

    /// Lets time pass, and does what is due meanwhile.
    func letClockRun(seconds: Double) {
        for _ in 0..<Int(seconds * 2) {
            clock.advance(seconds: 0.5)
            while server.step() {}
        }
    }

    /// Opens a stream of server-sent events from now on, without a token or as the host.
    func openStream(asHost: Bool = false) throws -> DetachedStream {
        var opened: DetachedStream?
        var headers: [(name: String, value: String)] = [("Host", "test"), ("Accept", "text/event-stream")]
        if asHost { headers.append(("Authorization", "Bearer \(token)")) }
        server.send(DetachedLoop.Request(method: "GET", target: path + "/events?after=latest", headers: headers)) { outcome in
            if case .streaming(let stream, _) = outcome { opened = stream }
        }
        while server.step() {}
        let stream = try #require(opened)
        _ = stream.take()
        return stream
    }
}
