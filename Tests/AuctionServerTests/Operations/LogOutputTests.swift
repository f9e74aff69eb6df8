@testable import AuctionServer
import ExactJSON
import Logging
import Synchronization
import Testing

/// Keeps what is logged.
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
    @Test func `a line is one object, whatever is in it`() throws {
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

    @Test func `a transition says its room, and a request its id`() throws {
        let lines = Lines()
        let scene = try Scene(try House(logger: lines.logger(.debug)))
        try scene.openBidding()
        try scene.call("POST", "/bids", ["amount": "1"], by: scene.bidder, [("X-Request-Id", "order-66")])
        let objects = try lines.objects()
        let transition = try #require(objects.first { $0.text("message") == "transition" })
        #expect("/v1/rooms/" + (transition.text("room") ?? "") == scene.path)
        #expect(transition.text("to") == "listing")
        let request = try #require(objects.first { $0.text("requestId") == "order-66" })
        #expect(request.text("route") == "/v1/rooms/{id}/bids")
        #expect(request.text("room") == transition.text("room"))
    }

    @Test func `no secret is in the log at its most talkative`() throws {
        let lines = Lines()
        let metricsToken = "the-operator's-own-token"
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let house = try House(logger: lines.logger(.trace)) {
            $0.metricsToken = metricsToken
            $0.identity = identity
        }
        let alice = try issuer.guest("canary-subject", "Alice")
        let forged = try TokenIssuer.stranger.get().token()
        let scene = try Scene(house, visibility: "private")
        let code = try #require(try scene.room(as: scene.host).text("inviteCode"))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        try scene.bid("1", by: scene.rival)
        try scene.call("POST", "/bids", ["maximum": "987654.32"], by: scene.rival, [("Idempotency-Key", "canary-key")])
        try scene.call("POST", "/members", ["inviteCode": "wrong-code"], by: scene.stranger)
        try scene.call("POST", "/members", ["inviteCode": .string(code)], by: scene.stranger)
        try house.call("GET", "/v1/rooms?ticket=canary-ticket")
        try house.call("GET", scene.path + "/events?ticket=canary-ticket", by: scene.viewer)
        try house.call("POST", "/v1/rooms", raw: "{\"canary-body", by: scene.host)
        try house.call("GET", "/metrics", nil, by: nil, [("Authorization", "Bearer \(metricsToken)")])
        try house.call("POST", "/v1/tokens/renew", nil, by: nil, [("Authorization", "Bearer canary-token")])
        try house.call("POST", "/v1/rooms", ["name": "Another"], by: alice)
        try house.call("GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: forged))
        try house.call(
            "GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: issuer.token(claims: Claims.with("aud", nil))))
        var revoking = identity
        revoking.revocations = try Revocations("sub canary-subject", issuer: TokenIssuer.issuer)
        try house.server.use(revoking)
        try eventually("the revocation counts") { try house.call("GET", "/v1/rooms", by: alice).code == "token.revoked" }
        let metrics = try house.call("GET", "/metrics", nil, by: nil, [("Authorization", "Bearer \(metricsToken)")]).bodyText
        try scene.call("POST", "/auction/end", by: scene.host)
        let text = lines.text
        #expect(text.contains("transition") && text.contains("refused"), "there is a log to look at")
        let people = [scene.host, scene.owner, scene.bidder, scene.rival, scene.viewer, scene.stranger]
        for secret in people.map(\.token) + issuer.secrets + [
            alice.token, forged, code, metricsToken, String(decoding: House.secret, as: UTF8.self), "canary", "wrong-code",
            "987654",
        ] {
            #expect(!text.contains(secret), "\(secret)")
            #expect(!metrics.contains(secret), "\(secret)")
        }
    }
}
