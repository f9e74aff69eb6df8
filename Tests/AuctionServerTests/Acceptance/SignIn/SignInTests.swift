@testable import AuctionServer
import AuctionTestKit
import ExactJSON
import HTTPContract
import Testing

/// `POST /v1/sessions`, with a provider on this machine.
struct SignInTests {
    private let provider: ProviderServer
    private let server: TestServer

    init() throws {
        let provider = try ProviderServer()
        let identity = try provider.identity(guests: false)
        self.provider = provider
        server = try TestServer { $0.identity = identity }
        eventually("the keys are fetched") { provider.fetches > 0 }
    }

    private func token(_ subject: String, id: String, _ algorithm: String = "ES256", _ changes: [(String, String?)] = []) throws
        -> String
    {
        try provider.token(subject, id: id, algorithm, at: server.clock, changes)
    }

    private func signIn(_ token: String, nonce: String? = nil, nickname: String? = nil, at server: TestServer? = nil) throws
        -> HTTPResponse
    {
        let members = [("idToken", token), ("nonce", nonce), ("nickname", nickname)]
        let body = members.compactMap { name, text in text.map { JSONMember(name: name, value: .string($0)) } }
        return try (server ?? self.server).call("POST", "/v1/sessions", .object(body))
    }

    private func guest(_ response: HTTPResponse) throws -> Guest {
        Guest(
            id: try #require(response.text("user.id")), nickname: try #require(response.text("user.nickname")),
            token: try #require(response.text("token")))
    }

    @Test func `an ID token is exchanged for a token of this service, also where guests are off`() throws {
        let response = try signIn(token("alice", id: "1"))
        #expect(response.status == 201 && response.text("user.nickname") == "Alice")
        #expect(response.text("expiresAt") == server.clock.text(in: 7 * 86_400))
        let alice = try guest(response)
        #expect(try server.call("GET", "/v1/me", by: alice).text("user.id") == alice.id)
        #expect(try server.call("POST", "/v1/rooms", ["name": "x"], by: alice).status == 201)
        let again = try guest(signIn(token("alice", id: "2", "RS256"), nickname: "Lis"))
        #expect(again.id == alice.id && again.nickname == "Lis" && again.token != alice.token)
        #expect(try guest(signIn(token("bob", id: "3"))).id != alice.id)
    }

    @Test func `a token is exchanged once`() throws {
        let token = try token("alice", id: "1")
        #expect(try signIn(token).status == 201)
        for _ in 0..<2 { #expect(try signIn(token).code == "id_token.used") }
        // Another token of the same id is the same one.
        #expect(try signIn(self.token("alice", id: "1", "RS256")).code == "id_token.used")
    }

    @Test func `a token is exchanged once at all nodes together`() throws {
        let identity = try provider.identity()
        let nodes = try TwoNodes { $0.identity = identity }
        eventually("all have keys") { provider.fetches >= 3 }
        let token = try provider.token("alice", id: "1", at: nodes.clock)
        let responses = try [nodes.nodeA, nodes.nodeB].map { try signIn(token, at: $0.server) }
        #expect(responses.map(\.status) == [201, 401])
        #expect(try nodes.nodeB.server.call("GET", "/v1/me", by: guest(responses[0])).status == 200)
    }

    @Test func `a wrong token is refused with what is wrong, in both languages`() throws {
        let cases: [(String, String?, String)] = [
            (try token("alice", id: "1", "ES256", [("aud", #""other""#)]), nil, "id_token.invalid"),
            (try token("alice", id: "1", "ES256", [("iss", #""https://other.example""#)]), nil, "id_token.invalid"),
            (try token("alice", id: "1", "ES256", [("exp", String(Claims.now))]), nil, "id_token.expired"),
            (try token("alice", id: "1"), "sent", "id_token.invalid"), ("a.b.c", nil, "id_token.invalid"),
        ]
        for (token, nonce, code) in cases {
            #expect(try signIn(token, nonce: nonce).code == code)
            let chinese = try server.call(
                "POST", "/v1/sessions", ["idToken": .string(token), "nonce": .string(nonce ?? "x")], by: nil,
                [("Accept-Language", "zh")])
            #expect(chinese.status == 401 && chinese.text("detail")?.contains("令牌") == true)
        }
        #expect(try signIn(cases[0].0).text("detail")?.contains(#"its claim "aud""#) == true)
        // None of them used the token up.
        #expect(try signIn(token("alice", id: "1"), nickname: "Ann").status == 201)
    }

    @Test func `a token without a name needs a nickname, and can be sent again with one`() throws {
        let token = try token("alice", id: "1", "ES256", [("name", #""alice@example.com""#)])
        let refused = try signIn(token)
        #expect(refused.status == 400 && refused.text("field") == "nickname")
        #expect(try signIn(token, nickname: "Alice").text("user.nickname") == "Alice")
    }

    @Test func `a provider's new key is fetched at once, and made-up ones cost a fetch a minute`() throws {
        #expect(try signIn(token("alice", id: "1")).status == 201, "the first keys are here")
        let before = provider.fetches
        provider.change { $0.algorithms = ["EdDSA"] }
        #expect(try signIn(token("alice", id: "2", "EdDSA")).status == 201)
        #expect(provider.fetches == before + 1)
        for id in 3..<6 {
            #expect(try signIn(token("alice", id: "\(id)", "ES256")).code == "id_token.invalid", "the key is gone")
        }
        #expect(provider.fetches == before + 1)
    }

    @Test func `the last keys stay in use while the provider is away`() throws {
        provider.change { $0.isAway = true }
        server.clock.advance(seconds: 4000)
        #expect(try signIn(token("alice", id: "1")).status == 201)
    }

    @Test func `a server that starts without the provider serves others, and signs users in once it is there`() throws {
        let away = try ProviderServer(away: true)
        let identity = try away.identity()
        let server = try TestServer { $0.identity = identity }
        #expect(try server.guest("Ann").nickname == "Ann")
        let refused = try signIn(away.token("alice", id: "1", at: server.clock), at: server)
        #expect(refused.status == 503 && refused.code == "session.provider_away")
        #expect(refused.header("Retry-After") == "60")
        away.change { $0.isAway = false }
        server.clock.advance(seconds: 61)
        #expect(try signIn(away.token("alice", id: "1", at: server.clock), at: server).status == 201)
    }

    @Test func `a provider that names another issuer signs no user in`() throws {
        let mixedUp = try ProviderServer()
        mixedUp.change { $0.name = "https://other.example" }
        let identity = try mixedUp.identity()
        let server = try TestServer { $0.identity = identity }
        let response = try signIn(mixedUp.token("alice", id: "1", at: server.clock), at: server)
        #expect(response.code == "session.provider_away" && mixedUp.fetches == 0)
    }

    @Test func `a session is renewed for as many days as the operator allows, and no token outlives it`() throws {
        var alice = try guest(signIn(token("alice", id: "1")))
        for _ in 0..<4 {
            server.clock.advance(seconds: 7 * 86_400 - 10)
            let renewed = try server.call("POST", "/v1/tokens/renew", by: alice)
            #expect(renewed.status == 200)
            alice = try guest(renewed)
        }
        server.clock.advance(seconds: 2 * 86_400)
        // 40 seconds before its end.
        let last = try server.call("POST", "/v1/tokens/renew", by: alice)
        #expect(last.text("expiresAt") == server.clock.text(in: 40))
        let paired = try server.call("PATCH", "/v1/me", ["nickname": "Lis"], by: guest(last))
        #expect(paired.text("expiresAt") == server.clock.text(in: 40) && paired.text("user.nickname") == "Lis")
        server.clock.advance(seconds: 40)
        #expect(try server.call("POST", "/v1/tokens/renew", by: guest(last)).code == "token.expired")
        #expect(try signIn(token("alice", id: "2")).status == 201)
    }

    @Test func `fewer days end a session that was longer, and without the provider its tokens are not valid`() throws {
        let alice = try guest(signIn(token("alice", id: "1")))
        var identity = try provider.identity()
        identity.signIn.sessionDays = 1
        try server.auctionServer.use(identity)
        server.clock.advance(seconds: 86_400)
        #expect(try server.call("GET", "/v1/me", by: alice).status == 200)
        #expect(try server.call("POST", "/v1/tokens/renew", by: alice).code == "session.ended")
        try server.auctionServer.use(Identity())
        #expect(try server.call("GET", "/v1/me", by: alice).code == "token.invalid")
    }

    @Test func `a token is not renewed while the provider's keys are not known`() throws {
        let alice = try guest(signIn(token("alice", id: "1")))
        provider.change { $0.isAway = true }
        let identity = try provider.identity()
        let restarted = try TestServer(clock: server.clock) { $0.identity = identity }
        #expect(try restarted.call("GET", "/v1/me", by: alice).status == 200)
        #expect(try restarted.call("POST", "/v1/tokens/renew", by: alice).code == "session.provider_away")
    }

    @Test func `a user who was revoked is not signed in, and keeps no token`() throws {
        let alice = try guest(signIn(token("alice", id: "1")))
        var identity = try provider.identity()
        identity.revocations = try Revocations("sub alice", issuers: [provider.name])
        try server.auctionServer.use(identity)
        #expect(try server.call("GET", "/v1/me", by: alice).code == "token.revoked")
        #expect(try signIn(token("alice", id: "2")).code == "token.revoked")
        #expect(try signIn(token("bob", id: "3")).status == 201)
    }

    @Test func `a user who has signed in takes along what they have as a guest`() throws {
        let identity = try provider.identity()
        let server = try TestServer { $0.identity = identity }
        let fetched = provider.fetches
        let guest = try server.guest("Ann")
        let room = try server.call("POST", "/v1/rooms", ["name": "x"], by: guest)
        eventually("the keys are fetched") { provider.fetches >= fetched }
        let alice = try self.guest(signIn(provider.token("alice", id: "1", at: server.clock), at: server))
        let linked = try server.call("POST", "/v1/me/link", ["guestToken": .string(guest.token)], by: alice)
        #expect(linked.status == 200 && linked.list("linked").count == 1)
        #expect(try server.call("GET", try #require(room.header("Location")), by: alice).text("host.id") == alice.id)
    }

    @Test(arguments: [false, true])
    func `an address that sends many wrong tokens, or many of an unknown key, is slowed down`(isUnknownKey: Bool) throws {
        let identity = try provider.identity()
        let server = try TestServer {
            $0.identity = identity
            $0.limits.commandsPerSecond = 1
        }
        let token = try isUnknownKey ? token("alice", id: "1", "EdDSA") : "a.b.c"
        let statuses = try (0..<40).map { _ in try signIn(token, at: server).status }
        #expect(statuses.contains(429) && statuses[0] == 401)
    }

    @Test(arguments: [
        #"{}"#, #"{"idToken":""}"#, #"{"idToken":7}"#, #"{"idToken":"a.b.c","nonce":""}"#,
        #"{"idToken":"a.b.c","nickname":" "}"#,
        #"{"idToken":"a.b.c","x":1}"#,
    ])
    func `a malformed body is refused`(_ body: String) throws {
        #expect(try server.call("POST", "/v1/sessions", raw: body).status == 400)
    }
}
