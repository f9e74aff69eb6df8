@testable import AuctionServer
import Cryptography
import ExactJSON
import Foundation

/// One forged, damaged or misused token, and the problem code that it must get.
struct TokenAttack {
    let name: String
    let token: String
    var code = "token.invalid"
}

/// All attacks against one identity provider.
struct TokenAttacks {
    let issuer: TokenIssuer
    private let guest: String

    /// - Parameter guest: a guest token that this server signed.
    init(_ issuer: TokenIssuer, guest: String) {
        self.issuer = issuer
        self.guest = guest
    }

    func all() throws -> [TokenAttack] {
        try unsigned() + algorithmConfusions() + otherKeys() + headers() + corrupted() + claims() + guests()
    }

    private func attack(_ name: String, header: String, claims: String = Claims().text, _ signature: [UInt8] = [])
        -> TokenAttack
    {
        TokenAttack(
            name: name,
            token: Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8)) + "."
                + Base64URL.encode(signature))
    }

    /// Tokens whose header claims that no signature is needed.
    private func unsigned() throws -> [TokenAttack] {
        ["none", "None", "NONE", "nOnE", "", " none", "none "].flatMap { name in
            [
                attack("alg \"\(name)\"", header: #"{"alg":"\#(name)","typ":"JWT"}"#),
                attack("alg \"\(name)\" with a kid", header: #"{"alg":"\#(name)","kid":"ES256"}"#),
                attack("alg \"\(name)\" and a signature", header: #"{"alg":"\#(name)","kid":"ES256"}"#, [1]),
            ]
        } + [
            attack("no alg", header: #"{"kid":"ES256"}"#, [1]), attack("alg null", header: #"{"alg":null,"kid":"ES256"}"#, [1]),
            attack("alg in an array", header: #"{"alg":["ES256"],"kid":"ES256"}"#, [1]),
        ]
    }

    /// Algorithm confusion: the public key in every encoding used as an HMAC secret, and every algorithm but the key's own.
    func algorithmConfusions() throws -> [TokenAttack] {
        let key = try issuer.key("RS256")
        let pem = try issuer.publicPEM()
        let forms: [(String, [UInt8])] = [
            ("PEM", Array(pem.utf8)), ("PEM with a newline", Array((pem + "\n").utf8)),
            ("JWK", Array(key.written.utf8)), ("modulus", Base64URL.decode((key.text("n") ?? "").utf8) ?? []),
            ("modulus as text", Array((key.text("n") ?? "").utf8)), ("nothing", []),
        ]
        let secrets = forms.map { name, bytes in
            let header = #"{"alg":"HS256","kid":"RS256"}"#
            let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(Claims().text.utf8))
            let code = HMACSHA256(key: bytes).code(for: Array(signed.utf8))
            return TokenAttack(
                name: "HS256 with the public key as \(name)", token: signed + "." + Base64URL.encode(Array(code)))
        }
        let swapped = try TokenIssuer.algorithms.flatMap { signer in
            try ["RS256", "PS256", "RS384", "RS512", "PS512", "ES256", "ES384", "ES512", "EdDSA", "HS256", "HS512"]
                .filter { $0 != signer }
                .map { claimed in
                    TokenAttack(
                        name: "\(signer)'s key for \(claimed)",
                        token: try issuer.token(signer, header: #"{"alg":"\#(claimed)","kid":"\#(signer)"}"#))
                }
        }
        return secrets + swapped
    }

    /// Valid tokens signed with another party's key, or naming the wrong key.
    private func otherKeys() throws -> [TokenAttack] {
        let stranger = try TokenIssuer.stranger.get()
        let foreign = try TokenIssuer.algorithms.map {
            TokenAttack(name: "somebody else's \($0)", token: try stranger.token($0))
        }
        let kids = [
            "", "es256", "ES256 ", "ES256\\u0000", "../../../../dev/null", "/dev/null", "file:///etc/passwd",
            "ES256' OR '1'='1", "http://127.0.0.1/jwks.json", "RS256", "0",
        ]
        let misnamed = try kids.map {
            TokenAttack(name: "kid \"\($0)\"", token: try issuer.token(header: #"{"alg":"ES256","kid":"\#($0)"}"#))
        }
        return foreign + misnamed + [
            TokenAttack(name: "no kid among many keys", token: try issuer.token(header: #"{"alg":"ES256"}"#)),
            TokenAttack(name: "kid null", token: try issuer.token(header: #"{"alg":"ES256","kid":null}"#)),
            TokenAttack(name: "kid a number", token: try issuer.token(header: #"{"alg":"ES256","kid":1}"#)),
            TokenAttack(name: "another known key's kid", token: try issuer.token(header: #"{"alg":"ES256","kid":"ES384"}"#)),
        ]
    }

    /// Headers that embed a key or change the token's interpretation.
    private func headers() throws -> [TokenAttack] {
        let stranger = try TokenIssuer.stranger.get()
        let jwk = try stranger.key("ES256").written
        let brought = [
            ("jwk", jwk), ("jku", "\"https://evil.example/jwks.json\""), ("x5u", "\"https://evil.example/cert.pem\""),
            ("x5c", "[\"MIIB\"]"),
        ]
        return try brought.flatMap { name, json in
            try [#""kid":"ES256","#, ""].map { kid in
                TokenAttack(
                    name: "a key brought in \(name)\(kid.isEmpty ? "" : " beside a kid")",
                    token: try stranger.token(header: #"{"alg":"ES256",\#(kid)"\#(name)":\#(json)}"#))
            }
        }
            + [
                ("crit", #""crit":["exp"]"#), ("crit empty", #""crit":[]"#), ("crit b64", #""crit":["b64"],"b64":false"#),
                ("b64", #""b64":false"#), ("alg twice", #""alg":"none""#), ("kid twice", #""kid":"ES384""#),
                ("typ of a logout token", #""typ":"logout+jwt""#), ("typ of a proof", #""typ":"dpop+jwt""#),
                ("typ a number", #""typ":1"#),
            ].map { name, json in
                TokenAttack(name: name, token: try issuer.token(header: #"{"alg":"ES256","kid":"ES256",\#(json)}"#))
            } + [
                TokenAttack(name: "a header that is no object", token: try issuer.token(header: "[]")),
                TokenAttack(name: "a header that is no JSON", token: try issuer.token(header: "{")),
                TokenAttack(
                    name: "a header that is deep",
                    token: try issuer.token(header: #"{"alg":"ES256","kid":"ES256","x":[[[[[[]]]]]]}"#)),
            ]
    }

    /// Guest tokens presented as the provider's, and the other way round.
    private func guests() throws -> [TokenAttack] {
        let parts = guest.split(separator: ".").map(String.init)
        guard parts.count == 3 else { return [] }
        let signed = try issuer.token("HS256", header: #"{"alg":"HS256","typ":"JWT"}"#)
        return [
            TokenAttack(
                name: "a guest's claims under the provider's key",
                token: try issuer.token(
                    "HS256", header: #"{"alg":"HS256","kid":"HS256"}"#,
                    claims: Claims.with("iss", "\"auction-room\""))),
            TokenAttack(
                name: "the provider's claims under the server's header",
                token: parts[0] + "." + signed.split(separator: ".")[1] + "." + parts[2]),
            TokenAttack(name: "the provider's token as a guest's", token: signed),
            TokenAttack(
                name: "a guest's payload under a provider's header",
                token: Base64URL.encode(Array(#"{"alg":"HS256","kid":"HS256"}"#.utf8)) + "." + parts[1] + "." + parts[2]),
        ]
    }
}
