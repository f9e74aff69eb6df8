@testable import AuctionServer
import AuctionTestKit
import ExactJSON
import HTTPContract
import Testing

/// The same user on another device.
struct PairingTests {
    private func code(of guest: Guest, at server: TestServer) throws -> String {
        try #require(try server.call("POST", "/v1/me/pairing", by: guest).text("code"))
    }

    private func redeem(_ code: String, at server: TestServer) throws -> HTTPResponse {
        try server.call("POST", "/v1/tokens/pair", ["code": .string(code)])
    }

    @Test func `a code gives another device a token of the same user, once`() throws {
        let server = try TestServer()
        let ann = try server.guest("Ann")
        let created = try server.call("POST", "/v1/me/pairing", by: ann)
        #expect(created.status == 201 && created.text("expiresAt") == server.clock.text(in: 300))
        let code = try #require(created.text("code"))
        #expect(code.utf8.count == 8 && code.allSatisfy { "ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains($0) })
        let paired = try redeem(" \(code.lowercased().prefix(4))-\(code.suffix(4))", at: server)
        #expect(paired.status == 200 && paired["user"] == ann.person)
        let token = try #require(paired.text("token"))
        #expect(token != ann.token)
        #expect(
            try server.call("GET", "/v1/me", by: Guest(id: ann.id, nickname: "Ann", token: token)).text("user.id") == ann.id)
        #expect(try redeem(code, at: server).code == "pairing.invalid")
    }

    @Test func `a code is valid for five minutes, and until the user makes another one`() throws {
        let server = try TestServer()
        let (ann, ben) = (try server.guest("Ann"), try server.guest("Ben"))
        let codes = try [code(of: ann, at: server), code(of: ann, at: server), code(of: ben, at: server)]
        #expect(Set(codes).count == 3)
        #expect(try redeem(codes[0], at: server).code == "pairing.invalid")
        server.clock.advance(seconds: 299)
        #expect(try redeem(codes[1], at: server).text("user.id") == ann.id)
        server.clock.advance(seconds: 1)
        #expect(try redeem(codes[2], at: server).code == "pairing.invalid")
        #expect(try redeem(code(of: ann, at: server), at: server).status == 200)
    }

    @Test func `a code of one node is redeemed at another, once`() throws {
        let nodes = try TwoNodes()
        let ann = nodes.nodeA.bidder
        let code = try code(of: ann, at: nodes.nodeA.server)
        let responses = try [nodes.nodeB, nodes.nodeA].map { try redeem(code, at: $0.server) }
        #expect(responses.map(\.status) == [200, 404] && responses[0].text("user.id") == ann.id)
    }

    @Test func `an address has five wrong tries in any minute`() throws {
        let server = try TestServer { $0.limits.wrongCodesPerMinute = 5 }
        let ann = try server.guest("Ann")
        let code = try code(of: ann, at: server)
        let wrong = ["AAAAAAAA", "", "AAAA", "00000000", "AAAAAAAB", "AAAAAAAC"]
        let statuses = try wrong.map { try redeem($0, at: server).status }
        #expect(statuses == [404, 400, 404, 404, 404, 404])
        let refused = try redeem(code, at: server)
        #expect(refused.code == "pairing.rate" && refused.header("Retry-After") == "60")
        server.clock.advance(seconds: 59)
        #expect(try redeem("AAAAAAAA", at: server).header("Retry-After") == "1")
        server.clock.advance(seconds: 1)
        #expect(try redeem(code, at: server).status == 200)
        server.clock.advance(seconds: 60)
        // What is right costs no try.
        for _ in 0..<8 { #expect(try redeem(self.code(of: ann, at: server), at: server).status == 200) }
    }

    @Test func `a user whose tokens were revoked meanwhile gets none`() throws {
        let server = try TestServer()
        let ann = try server.guest("Ann")
        let code = try code(of: ann, at: server)
        server.clock.advance(seconds: 1)
        var identity = Identity()
        identity.revocations = try Revocations("user \(ann.id) \(server.clock.text(in: 0))", issuers: [])
        try server.auctionServer.use(identity)
        #expect(try redeem(code, at: server).code == "token.revoked")
    }

    @Test func `a token of the identity provider makes no code, as the service cannot make another one`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let server = try TestServer { $0.identity = identity }
        #expect(try server.call("POST", "/v1/me/pairing", by: issuer.guest("alice", "Alice")).code == "token.not_ours")
    }

    @Test func `a backend's user goes on on another device, also where guests are not served`() throws {
        let fixture = try OperatorFixture { $0.identity.acceptsGuests = false }
        let ann = try fixture.backendUser("c-1", "Ann")
        let paired = try redeem(code(of: ann, at: fixture.server), at: fixture.server)
        #expect(paired.status == 200 && paired.text("user.id") == ann.id)
    }

    @Test func `a user who has signed in stays so on the other device, and no longer than on the first`() throws {
        let provider = try ProviderServer()
        let identity = try provider.identity(guests: false)
        let server = try TestServer { $0.identity = identity }
        eventually("the keys are fetched") { provider.fetches > 0 }
        let session = try server.call(
            "POST", "/v1/sessions", ["idToken": .string(try provider.token("alice", id: "1", at: server.clock))])
        let alice = Guest(
            id: try #require(session.text("user.id")), nickname: "Alice", token: try #require(session.text("token")))
        server.clock.advance(seconds: 86_400)
        let paired = try redeem(code(of: alice, at: server), at: server)
        #expect(paired.text("user.id") == alice.id && paired.text("expiresAt") == session.text("expiresAt"))
        let other = Guest(id: alice.id, nickname: "Alice", token: try #require(paired.text("token")))
        #expect(try server.call("POST", "/v1/tokens/renew", by: other).status == 200)
    }

    @Test func `codes are drawn evenly from letters and digits that do not look alike`() {
        var generator = SeededGenerator(seed: 7)
        var counts: [Character: Int] = [:]
        for _ in 0..<4000 {
            for letter in PairingCode(random: { generator.word() }).text { counts[letter, default: 0] += 1 }
        }
        #expect(counts.count == 31 && "IL01O".allSatisfy { counts[$0] == nil })
        // 32,000 letters, 1,032 of each.
        #expect(counts.values.allSatisfy { (850...1230).contains($0) })
    }
}
