@testable import AuctionServer
import AuctionDomain
import AuctionService
import AuctionTestKit
import ExactJSON
import Testing

/// Claims and signatures of ID tokens, without a network.
struct IDTokenTests {
    private static let other = "https://other.example"
    private let options: SignInOptions
    private let issuer: TokenIssuer

    init() throws {
        issuer = try TokenIssuer.shared.get()
        var options = SignInOptions()
        options.providers = [
            try SignInProvider(issuer: TokenIssuer.issuer, clients: ["page", "app"]),
            try SignInProvider(issuer: Self.other, clients: ["page"]),
        ]
        self.options = options
    }

    private func claims(_ changes: [(String, String?)] = []) -> String {
        var claims = Claims()
        claims["aud"] = #""page""#
        for (name, json) in changes { claims[name] = json }
        return claims.text
    }

    private func read(
        _ token: String, nonce: String? = nil, keys: [String] = TokenIssuer.algorithms
    ) throws -> Result<IDToken, IDToken.Refusal> {
        let set = keys.isEmpty ? nil : try issuer.keySet(keys)
        return Result { () throws(IDToken.Refusal) in
            try IDToken(token, nonce: nonce, options, at: TestClock().now().actual) { _ in set }
        }
    }

    private func refusal(_ changes: [(String, String?)], nonce: String? = nil) throws -> IDToken.Refusal? {
        if case .failure(let refusal) = try read(issuer.token(claims: claims(changes)), nonce: nonce) { refusal } else { nil }
    }

    @Test func `a token of a provider is a user, the same one as by a bearer token`() throws {
        let token = try read(issuer.token(claims: claims())).get()
        #expect(token.user == IdentityProvider.user("alice", of: TokenIssuer.issuer))
        #expect(token.issuer == TokenIssuer.issuer && token.name == "Alice" && token.tokenID == "one")
        #expect(token.expiresAt == Timestamp(milliseconds: Int64(Claims.now + 3600) * 1000))
    }

    @Test func `four algorithms are accepted, and none that is weaker or rests on a secret`() throws {
        for algorithm in TokenIssuer.algorithms {
            let result = try read(issuer.token(algorithm, claims: claims()))
            let isAccepted = ["RS256", "PS256", "ES256", "EdDSA"].contains(algorithm)
            #expect(((try? result.get()) != nil) == isAccepted, "\(algorithm)")
            if case .failure(let refusal) = result { #expect(refusal == .unknown) }
        }
    }

    @Test func `a token without a good signature is unknown, whatever it says`() throws {
        let stranger = try TokenIssuer.stranger.get()
        let valid = try issuer.token(claims: claims())
        let parts = valid.split(separator: ".").map(String.init)
        let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        for token in [
            "", "a.b.c", try stranger.token(claims: claims()), "\(parts[0]).\(parts[1]).", "\(unsigned).\(parts[1]).",
            try issuer.token(header: #"{"alg":"RS256","kid":"ES256"}"#, claims: claims()),
            try issuer.token(header: #"{"alg":"ES256"}"#, claims: claims()),
            try issuer.token(header: #"{"alg":"ES256","kid":"ES256","typ":"at+jwt"}"#, claims: claims()),
            try issuer.token(header: #"{"alg":"ES256","kid":"ES256","typ":"logout+jwt"}"#, claims: claims()),
            try issuer.token(claims: claims([("iss", #""https://unknown.example""#)])),
            try issuer.token(claims: claims([("iss", nil)])), try issuer.token(claims: "[]"),
        ] {
            guard case .failure(.unknown) = try read(token) else {
                Issue.record("\(token)")
                continue
            }
        }
    }

    @Test func `a provider cannot speak for another one`() throws {
        let token = try issuer.token(claims: claims([("iss", "\"\(Self.other)\"")]))
        let (own, foreign) = (try issuer.keySet(), try TokenIssuer.stranger.get().keySet())
        #expect(throws: IDToken.Refusal.unknown) {
            try IDToken(token, nonce: nil, options, at: TestClock().now().actual) { $0 == TokenIssuer.issuer ? own : foreign }
        }
    }

    @Test func `keys that are not known are to be fetched`() throws {
        guard case .failure(.unknownKey(TokenIssuer.issuer)) = try read(issuer.token(claims: claims()), keys: ["RS256"]),
            case .failure(.noKeys(TokenIssuer.issuer)) = try read(issuer.token(claims: claims()), keys: [])
        else {
            Issue.record("not asked for")
            return
        }
    }

    @Test func `a new key of a provider that does not name its keys is to be fetched`() throws {
        let token = try issuer.token(header: #"{"alg":"ES256"}"#, claims: claims())
        let (new, old) = (try issuer.keySet(["ES256"]), try TokenIssuer.stranger.get().keySet(["ES256"]))
        let now = TestClock().now().actual
        #expect(throws: IDToken.Refusal.unknownKey(issuer: TokenIssuer.issuer)) {
            try IDToken(token, nonce: nil, options, at: now) { _ in old }
        }
        #expect(try IDToken(token, nonce: nil, options, at: now) { _ in new }.name == "Alice")
    }

    private static let wrongClaims: [(String, String?, String)] = [
        ("aud", #""other""#, "aud"), ("aud", #"["page","other"]"#, "aud"), ("aud", "[]", "aud"), ("aud", nil, "aud"),
        ("aud", "1", "aud"),
        ("aud", #"["page",1]"#, "aud"), ("aud", #"["page","app"]"#, "azp"), ("azp", #""other""#, "azp"), ("azp", "1", "azp"),
        ("exp", nil, "exp"), ("exp", #""soon""#, "exp"), ("exp", "1e300", "exp"), ("iat", nil, "iat"),
        ("iat", String(Claims.now + 61), "iat"),
        ("nbf", String(Claims.now + 61), "nbf"), ("nbf", "true", "nbf"),
        ("sub", nil, "sub"), ("sub", #""""#, "sub"), ("sub", "7", "sub"), ("jti", "7", "jti"), ("jti", #""""#, "jti"),
    ]

    @Test(arguments: wrongClaims)
    func `a wrong claim is refused, and named`(_ name: String, _ json: String?, _ named: String) throws {
        guard case .claim(named, let problem) = try refusal([(name, json)]) else {
            Issue.record("\(name) \(json ?? "nil")")
            return
        }
        #expect(!problem.isEmpty)
    }

    @Test func `claims within the rules are accepted`() throws {
        #expect(try refusal([("aud", #"["page","app"]"#), ("azp", #""app""#)]) == nil)
        #expect(try refusal([("aud", #"["page"]"#)]) == nil)
        #expect(try refusal([("azp", #""page""#)]) == nil)
        // Of the tolerance for clocks.
        #expect(try refusal([("iat", String(Claims.now + 59)), ("nbf", String(Claims.now + 59))]) == nil)
        #expect(try refusal([("jti", nil)]) == nil)
    }

    @Test func `a token that has expired is refused to the second`() throws {
        #expect(try refusal([("exp", String(Claims.now))]) == .expired(Timestamp(milliseconds: Int64(Claims.now) * 1000)))
        #expect(try refusal([("exp", String(Claims.now + 1))]) == nil)
    }

    @Test func `a nonce that was sent has to be in the token`() throws {
        #expect(try refusal([("nonce", #""n""#)], nonce: "n") == nil)
        #expect(try refusal([("nonce", #""n""#)]) == nil)
        for claim in [#""other""#, nil, "7"] {
            #expect(try refusal([("nonce", claim)], nonce: "n") == .claim("nonce", "is not the one that was sent"))
        }
    }

    private static let names: [(String?, String?, String?)] = [
        (#""Ann""#, #""ann7""#, "Ann"), (nil, #""ann7""#, "ann7"), (#"" ""#, #""ann7""#, "ann7"), ("7", #""ann7""#, "ann7"),
        (nil, nil, nil),
        (#""ann@example.com""#, #""ann7""#, "ann7"), (nil, #""ann@example.com""#, nil),
        (#""Ann <ann@mail.example.com>""#, nil, nil),
        (#""Ann @ home""#, nil, "Ann @ home"), (#""@ann""#, nil, "@ann"),
    ]

    @Test(arguments: names)
    func `the name is never an e-mail address`(_ name: String?, _ preferred: String?, _ shown: String?) throws {
        let token = try read(issuer.token(claims: claims([("name", name), ("preferred_username", preferred)]))).get()
        #expect(token.name == shown)
    }

    @Test func `a token is known by its id, or by what was signed, whatever form the signature has`() throws {
        func useKey(_ changes: [(String, String?)], _ algorithm: String = "ES256") throws -> String {
            try read(issuer.token(algorithm, claims: claims(changes))).get().useKey
        }
        #expect(try useKey([]) == useKey([("sub", #""bob""#)], "RS256"))
        #expect(try useKey([]) != useKey([("jti", #""two""#)]))
        // Each signature by ECDSA is another one.
        let tokens = try (0..<2).map { _ in try issuer.token(claims: claims([("jti", nil)])) }
        #expect(tokens[0] != tokens[1])
        #expect(try useKey([("jti", nil)]) == useKey([("jti", nil)]))
        #expect(try useKey([("jti", nil)]) != useKey([("jti", nil), ("sub", #""bob""#)]))
    }

    @Test(arguments: [
        "https://sso.example=page", "https://sso.example/realms/one=page,app", "http://localhost:8080=page",
        "http://127.0.0.1=a=b",
    ])
    func `an option names a provider and its client ids`(_ text: String) {
        #expect(SignInProvider(option: text) != nil)
    }

    @Test(arguments: [
        "", "https://sso.example", "https://sso.example=", "https://sso.example=page,", "https://sso.example=page,page",
        "sso.example=page",
        "http://sso.example=page", "https://sso.example?x=page", "https://user@sso.example=page", "ftp://sso.example=page",
    ])
    func `an option that names none is refused`(_ text: String) {
        #expect(SignInProvider(option: text) == nil)
    }

    @Test func `the provider describes itself below its name`() throws {
        for issuer in ["https://sso.example/realms/one", "https://sso.example/realms/one/"] {
            #expect(
                try SignInProvider(issuer: issuer, clients: ["page"]).metadataURL
                    == "https://sso.example/realms/one/.well-known/openid-configuration")
        }
    }

    @Test func `a description of another provider is refused, and so are keys at an address that is not secure`() throws {
        func metadata(_ text: String) throws -> String {
            try ProviderMetadata(Array(text.utf8), of: "https://sso.example").keysURL
        }
        #expect(
            try metadata(#"{"issuer":"https://sso.example","jwks_uri":"https://keys.example/k","x":[1]}"#)
                == "https://keys.example/k")
        for text in [
            "", "[]", #"{"issuer":"https://sso.example/","jwks_uri":"https://keys.example/k"}"#,
            #"{"jwks_uri":"https://keys.example/k"}"#,
            #"{"issuer":"https://sso.example"}"#, #"{"issuer":"https://sso.example","jwks_uri":"http://keys.example/k"}"#,
            #"{"issuer":"https://sso.example","jwks_uri":"file:///etc/passwd"}"#,
        ] {
            #expect(throws: ServerError.self, "\(text)") { try metadata(text) }
        }
    }

    @Test func `keys that are fetched hold no secret`() throws {
        #expect(throws: ServerError.self) { try KeySet(fetched: Array(issuer.jwks(["HS256", "ES256"]).utf8)) }
        #expect(try KeySet(fetched: Array(issuer.jwks(["ES256"]).utf8)).keys.count == 1)
    }
}
