@testable import AuctionServer
import AuctionDomain
import AuctionService
import ExactJSON
import Testing

struct IdentityProviderTests {
    private let now = Timestamp(milliseconds: Int64(Claims.now) * 1000)

    private func provider() throws -> (IdentityProvider, TokenIssuer) {
        let issuer = try TokenIssuer.shared.get()
        return (try #require(try issuer.identity().provider), issuer)
    }

    @Test func `a provider's user can join and bid like a guest`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let fixture = try RoomFixture(try TestServer { $0.identity = identity })
        try fixture.openBidding()
        let alice = try issuer.guest("alice", "Alice")
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: alice).status == 201)
        let bid = try fixture.bid("100", by: alice)
        #expect(bid["bid.bidder"] == alice.person)
        #expect(try fixture.call("GET", "", by: alice).text("me.role") == "bidder")
        let renewal = try fixture.server.call("POST", "/v1/tokens/renew", by: alice)
        #expect(renewal.status == 403)
        #expect(renewal.code == "token.not_ours")
        let change = try fixture.server.call("PATCH", "/v1/me", ["nickname": "Alicia"], by: alice)
        #expect(change.status == 403)
        #expect(change.code == "nickname.not_ours")
    }

    @Test func `a room shows a user by the name of their latest token`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let fixture = try RoomFixture(try TestServer { $0.identity = identity })
        try fixture.call("POST", "/members", by: try issuer.guest("alice", "Alice"))
        try fixture.call("POST", "/messages", ["text": "Hello."], by: try issuer.guest("alice", "Alice Cooper"))
        let names = try fixture.call("GET", "/members").list("members").compactMap { $0.text("user.nickname") }
        #expect(names.contains("Alice Cooper"))
        #expect(!names.contains("Alice"))
    }

    @Test func `a user's id depends on the subject only, not on name or key`() throws {
        let (provider, issuer) = try provider()
        let first = try provider.principal(of: try issuer.token("ES256"), at: now)
        let renamed = try provider.principal(of: try issuer.token("EdDSA", claims: Claims.with("name", "\"A\"")), at: now)
        #expect(first.person.id == renamed.person.id)
        #expect(renamed.person.nickname == "A")
        #expect(first.tokenID == "one")
        let bob = try provider.principal(of: try issuer.token(claims: Claims.with("sub", "\"bob\"")), at: now)
        #expect(bob.person.id != first.person.id)
    }

    @Test func `user ids of guests and of different providers never collide`() throws {
        let id = IdentityProvider.user("alice", of: "https://a.example")
        #expect(id != IdentityProvider.user("alice", of: "https://b.example"))
        #expect(
            IdentityProvider.user("b c", of: "a") != IdentityProvider.user("c", of: "a b"),
            "the boundary between issuer and subject matters")
        // Guests' ids begin with the time, whose highest bit is zero until the year 6429.
        var guests = IdentifierSource(instant: Timestamp(milliseconds: 140_000_000_000_000), seed: 7)
        for index in 0..<1000 {
            let guest: UserID = guests.next()
            #expect(guest.bits >> 127 == 0)
            #expect(IdentityProvider.user(String(index), of: TokenIssuer.issuer).bits >> 127 == 1)
        }
    }

    @Test func `claims are accepted in every form that the standard allows`() throws {
        let (provider, issuer) = try provider()
        let right: [(String, String?)] = [
            ("aud", "[\"mail\",\"\(TokenIssuer.audience)\"]"), ("exp", "\(Claims.now + 1).5"), ("exp", "1.7672256e9"),
            ("nbf", String(Claims.now + 5)), ("iat", String(Claims.now + 5)), ("iat", nil), ("jti", nil), ("nbf", "0"),
            ("roles", "{\"a\":[[[[1]]]]}"), ("sub", "\"" + String(repeating: "x", count: 255) + "\""), ("sub", "\"爱丽丝\""),
        ]
        for (name, json) in right {
            let at = name == "exp" ? Timestamp(milliseconds: now.milliseconds - 1000) : now
            let token = try issuer.token(claims: Claims.with(name, json))
            #expect(throws: Never.self, "\(name) \(json ?? "absent")") { try provider.principal(of: token, at: at) }
        }
        let kinds = try ["jwt", "JWT", "at+jwt", "application/at+JWT"].map {
            try issuer.token(header: #"{"typ":"\#($0)","alg":"ES256","kid":"ES256","x5t":"AQ"}"#)
        }
        for token in kinds { #expect(throws: Never.self) { try provider.principal(of: token, at: now) } }
        #expect(throws: Never.self) {
            try provider.principal(of: try issuer.token("EdDSA", header: #"{"alg":"Ed25519","kid":"EdDSA"}"#), at: now)
        }
    }

    @Test func `a long name is truncated, and invisible characters are removed`() throws {
        let (provider, issuer) = try provider()
        func nickname(_ json: String) throws -> String {
            try provider.principal(of: try issuer.token(claims: Claims.with("name", json)), at: now).person.nickname
        }
        #expect(
            try nickname("\"" + String(repeating: "👩‍🚀", count: 50) + "\"") == String(repeating: "👩‍🚀", count: 13),
            "40 code points, as the contract counts")
        #expect(try nickname("\"A\\u0000l\\u001bi\\nce\"") == "Alice")
        #expect(try nickname("\"\\u202eA\\u200bli\\u2066ce\"") == "Alice")
    }

    @Test func `verified tokens are cached up to a limit, and never beyond their expiry`() throws {
        let (provider, issuer) = try provider()
        var identity = Identity()
        identity.provider = provider
        let verifier = TokenVerifier(signer: TokenSigner(secret: TestServer.secret), identity: identity)
        var cache = TokenCache(verifier: verifier)
        let token = try issuer.token()
        _ = try cache.principal(of: token[...], at: Now(wall: now, monotonic: 0))
        #expect(cache.count == 1)
        let last = now.advanced(byMilliseconds: 3_599_999)
        _ = try cache.principal(of: token[...], at: Now(wall: last, monotonic: 0))
        let over = Now(wall: last.advanced(byMilliseconds: 1), monotonic: 0)
        let problem = #expect(throws: Problem.self) { try cache.principal(of: token[...], at: over) }
        #expect(problem?.code == "token.expired")
        #expect(cache.count == 0)
        for index in 0...TokenCache.limit {
            let person = Person(id: UserID(bits: UInt128(index)), nickname: "G")
            let token = verifier.signer.sign(person, number: 1, at: now).token
            _ = try cache.principal(of: token[...], at: Now(wall: now, monotonic: 0))
            #expect(cache.count <= TokenCache.limit)
        }
        #expect(cache.count == 1)
    }

    @Test func `the cache keeps a token, and not the header that it is a part of`() throws {
        let signer = TokenSigner(secret: TestServer.secret)
        var cache = TokenCache(verifier: TokenVerifier(signer: signer, identity: Identity()))
        let token = signer.sign(Person(id: UserID(bits: 1), nickname: "G"), number: 1, at: now).token
        for spaces in [100, 200] {
            let header = "Bearer " + token + String(repeating: " ", count: spaces)
            let part = Substring(header.utf8.dropFirst("Bearer ".utf8.count).dropLast(spaces))
            #expect(try cache.principal(of: part, at: Now(wall: now, monotonic: 0)).person.id == UserID(bits: 1))
        }
        #expect(cache.count == 1)
        #expect(cache.textBytes == token.utf8.count)
    }

    @Test func `tokens of users who left are verified anew, and those of others stay`() throws {
        let signer = TokenSigner(secret: TestServer.secret)
        var verifier = TokenVerifier(signer: signer, identity: Identity())
        var cache = TokenCache(verifier: verifier)
        let instant = Now(wall: now, monotonic: 0)
        let tokens = (1...2).map { number in
            signer.sign(Person(id: UserID(bits: UInt128(number)), nickname: "G"), number: 1, at: now).token
        }
        for token in tokens { _ = try cache.principal(of: token[...], at: instant) }
        let (erased, before) = (ErasedUsers(), cache.generation)
        #expect(erased.insert([UserID(bits: 1)], at: now))
        verifier.left = erased.users
        cache.use(verifier, without: [UserID(bits: 1)])
        #expect(cache.count == 1 && cache.generation != before)
        #expect(throws: Problem.self) { try cache.principal(of: tokens[0][...], at: instant) }
        #expect(try cache.principal(of: tokens[1][...], at: instant).person.id == UserID(bits: 2))
    }

    @Test func `a server refuses to start if users of different sources could collide`() throws {
        let keys = try TokenIssuer.shared.get().keySet()
        #expect(throws: ServerError.self) { try IdentityProvider(keys: keys, issuer: "auction-room", audience: "a") }
        #expect(throws: ServerError.self) { try IdentityProvider(keys: keys, issuer: "", audience: "a") }
        #expect(throws: ServerError.self) { try IdentityProvider(keys: keys, issuer: "i", audience: "") }
        #expect(throws: ServerError.self) { try TestServer { $0.identity.acceptsGuests = false } }
        let shared = try IdentityProvider(keys: KeySet(secret: TestServer.secret), issuer: "i", audience: "a")
        #expect(throws: ServerError.self) { try TestServer { $0.identity.provider = shared } }
        let server = try TestServer()
        var withoutUsers = Identity()
        withoutUsers.acceptsGuests = false
        #expect(throws: ServerError.self) { try server.auctionServer.use(withoutUsers) }
        #expect(try server.call("POST", "/v1/guests", ["nickname": "Ann"]).status == 201, "a refused change has no effect")
    }
}
