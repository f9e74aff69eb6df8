import AuctionDomain
@testable import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Logging
import Synchronization
import Testing

/// Collects log lines.
private final class Lines: Sendable {
    private let all = Mutex<[[UInt8]]>([])

    func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in
            JSONLogHandler(clock: { 1_795_248_000_125 }) { line in self.all.withLock { $0.append(line) } }
        }
        logger.logLevel = level
        return logger
    }

    var text: String { all.withLock { String(decoding: $0.joined(), as: UTF8.self) } }

    func objects() throws -> [JSONValue] { try all.withLock { lines in try lines.map { try JSONReader.read($0.dropLast()) } } }
}

struct LogOutputTests {
    @Test func `each log line is one JSON object, with any content escaped`() throws {
        let lines = Lines()
        var logger = lines.logger(.info)
        logger[metadataKey: "node"] = "one"
        logger.info("two\nlines \"quoted\"", metadata: ["room": "room_1", "list": ["a", "b"], "time": "never"])
        logger.debug("not at this level")
        #expect(lines.text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(
            try lines.objects() == [
                [
                    "time": "2026-11-21T08:00:00.125Z", "level": "info", "message": "two\nlines \"quoted\"",
                    "list": ["a", "b"], "node": "one", "room": "room_1",
                ]
            ])
    }

    @Test func `a transition is logged with its room, and a request with its id`() throws {
        let lines = Lines()
        let fixture = try RoomFixture(try TestServer(logger: lines.logger(.debug)))
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "1"], by: fixture.bidder, [("X-Request-Id", "order-66")])
        let objects = try lines.objects()
        let transition = try #require(objects.first { $0.text("message") == "transition" })
        #expect("/v1/rooms/" + (transition.text("room") ?? "") == fixture.path)
        #expect(transition.text("to") == "listing")
        let request = try #require(objects.first { $0.text("requestId") == "order-66" })
        #expect(request.text("route") == "/v1/rooms/{id}/bids")
        #expect(request.text("room") == transition.text("room"))
    }

    @Test func `a request at debug has its status, duration, route, user and address`() throws {
        let lines = Lines()
        let fixture = try RoomFixture(try TestServer(logger: lines.logger(.debug)))
        func request(_ id: String, by guest: Guest?) throws -> JSONValue {
            try fixture.call("GET", "/members", by: guest, [("X-Request-Id", id)])
            return try #require(
                try lines.objects().first { $0.text("requestId") == id && $0.text("message") == "request" })
        }
        let allowed = try request("order-1", by: fixture.bidder)
        #expect(allowed.text("status") == "200" && allowed.text("method") == "GET")
        #expect(allowed.text("route") == "/v1/rooms/{id}/members" && allowed.text("user") == fixture.bidder.id)
        #expect(allowed.text("address") == "127.0.0.1" && Int(allowed.text("microseconds") ?? "") != nil)
        let refused = try request("order-2", by: Guest(id: "", nickname: "", token: "x"))
        #expect(refused.text("status") == "401" && refused["user"] == nil)
    }

    @Test func `each refused login has a line at info, of many in a second the first ten`() throws {
        let lines = Lines()
        let server = try TestServer(logger: lines.logger(.info))
        func tries(_ count: Int) throws -> [JSONValue] {
            for _ in 0..<count { try server.call("GET", "/v1/me", by: Guest(id: "", nickname: "", token: "x")) }
            return try lines.objects().filter { $0.text("message") == "refused login" }
        }
        try server.call("GET", "/v1/me")
        let first = try tries(1)
        #expect(first.map { $0.text("code") } == ["token.invalid"], "one without a token is none")
        #expect(first.map { $0.text("address") } == ["127.0.0.1"])
        #expect(try tries(16).count == 10)
        server.clock.advance(seconds: 1)
        #expect(try tries(1).last?.text("notLogged") == "7")
    }

    @Test func `failed appends have one line a second, which says how many had none`() throws {
        let (lines, clock) = (Lines(), TestClock())
        let observer = ServerObserver(
            metrics: ServiceMetrics(rulebook: try .product()), logger: lines.logger(.info), clock: clock, onLogFailure: { _ in }
        )
        for _ in 0..<66 { observer.appendFailed(EventLogError(.full, "no space")) }
        #expect(try lines.objects().map { $0.text("notLogged") } == [nil])
        clock.suspend(milliseconds: 1000)
        for _ in 0..<2 { observer.appendFailed(EventLogError(.full, "no space")) }
        #expect(try lines.objects().map { $0.text("notLogged") } == [nil, "65"])
    }

    @Test func `at the most verbose level the log contains no secret`() throws {
        let lines = Lines()
        let metricsToken = "the-operator's-own-token"
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let server = try TestServer(logger: lines.logger(.trace)) {
            $0.metricsToken = metricsToken
            $0.identity = identity
        }
        let alice = try issuer.guest("canary-subject", "Alice")
        let forged = try TokenIssuer.stranger.get().token()
        let fixture = try RoomFixture(server, visibility: "private")
        let code = try #require(try fixture.room(as: fixture.host).text("inviteCode"))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.bid("1", by: fixture.rival)
        try fixture.call("POST", "/bids", ["maximum": "987654.32"], by: fixture.rival, [("Idempotency-Key", "canary-key")])
        try fixture.call("POST", "/members", ["inviteCode": "wrong-code"], by: fixture.stranger)
        try fixture.call("POST", "/members", ["inviteCode": .string(code)], by: fixture.stranger)
        try server.call("GET", "/v1/rooms?ticket=canary-ticket")
        try server.call("GET", fixture.path + "/events?ticket=canary-ticket", by: fixture.viewer)
        try server.call("POST", "/v1/rooms", raw: "{\"canary-body", by: fixture.host)
        try server.call("GET", "/metrics", nil, by: nil, [("Authorization", "Bearer \(metricsToken)")])
        try server.call("POST", "/v1/tokens/renew", nil, by: nil, [("Authorization", "Bearer canary-token")])
        try server.call("POST", "/v1/rooms", ["name": "Another"], by: alice)
        try server.call("GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: forged))
        try server.call(
            "GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: issuer.token(claims: Claims.with("aud", nil))))
        var revoking = identity
        revoking.revocations = try Revocations("sub canary-subject", issuers: [TokenIssuer.issuer])
        try server.auctionServer.use(revoking)
        try eventually("the revocation is applied") { try server.call("GET", "/v1/rooms", by: alice).code == "token.revoked" }
        let metrics = try server.call("GET", "/metrics", nil, by: nil, [("Authorization", "Bearer \(metricsToken)")]).bodyText
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let text = lines.text
        #expect(text.contains("transition") && text.contains("refused"), "the log is not empty")
        let people = [fixture.host, fixture.owner, fixture.bidder, fixture.rival, fixture.viewer, fixture.stranger]
        for secret in people.map(\.token) + issuer.secrets + [
            alice.token, forged, code, metricsToken, String(decoding: TestServer.secret, as: UTF8.self), "canary", "wrong-code",
            "987654",
        ] {
            #expect(!text.contains(secret), "\(secret)")
            #expect(!metrics.contains(secret), "\(secret)")
        }
    }
}
