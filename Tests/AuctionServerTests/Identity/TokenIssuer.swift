@testable import AuctionServer
import AuctionDomain
import AuctionTestKit
import Cryptography
import ExactJSON
import Foundation
import TestSupport

/// A test identity provider: a key of every type, and tokens signed with them, valid or forged.
struct TokenIssuer {
    static let issuer = "https://id.example"
    static let audience = "auctions"

    /// Created once, because generating an RSA key is slow.
    static let shared = Result { try TokenIssuer() }
    /// An attacker's keys with the same names.
    static let stranger = Result { try TokenIssuer() }

    private let keys: [String: SigningKey]
    private let secretBytes = Array((UUID().uuidString + UUID().uuidString).utf8)

    /// The shared secret, as text and as encoded in a key set: no log or response may contain it.
    var secrets: [String] { [String(decoding: secretBytes, as: UTF8.self), Base64URL.encode(secretBytes)] }

    /// The supported algorithms, which are also the key ids here.
    static let algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "HS256"]

    init() throws {
        let kinds: [String: SigningKey.Kind] = [
            "RS256": .rsa(isPSS: false), "PS256": .rsa(isPSS: true), "ES256": .p256, "ES384": .p384, "EdDSA": .ed25519,
        ]
        keys = try kinds.mapValues { try SigningKey($0) }
    }

    /// A key as a JSON Web Key; the public half of an asymmetric one.
    func key(_ algorithm: String) throws -> JSONValue {
        var members: [(String, String)] = [("kid", algorithm), ("alg", algorithm), ("use", "sig")]
        switch algorithm {
        case "RS256", "PS256":
            let numbers = try signingKey(algorithm).rsaNumbers()
            members += [("kty", "RSA"), ("n", Base64URL.encode(numbers.modulus)), ("e", Base64URL.encode(numbers.exponent))]
        case "ES256": members += try point("P-256", algorithm)
        case "ES384": members += try point("P-384", algorithm)
        case "EdDSA":
            let key = try signingKey(algorithm).publicBytes()
            members += [("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(key))]
        default: members += [("kty", "oct"), ("k", Base64URL.encode(secretBytes))]
        }
        return .object(members.map { JSONMember(name: $0.0, value: .string($0.1)) })
    }

    private func point(_ curve: String, _ algorithm: String) throws -> [(String, String)] {
        let both = try signingKey(algorithm).publicBytes()
        let (x, y) = (both.prefix(both.count / 2), both.suffix(both.count / 2))
        return [("kty", "EC"), ("crv", curve), ("x", Base64URL.encode(Array(x))), ("y", Base64URL.encode(Array(y)))]
    }

    func keySet(_ algorithms: [String] = algorithms) throws -> KeySet {
        try KeySet(jwks: Array(jwks(algorithms).utf8))
    }

    func jwks(_ algorithms: [String] = algorithms) throws -> String {
        JSONValue.object([JSONMember(name: "keys", value: .array(try algorithms.map(key)))]).written
    }

    /// The identity options for a server that trusts this issuer.
    func identity(guests: Bool = true, _ algorithms: [String] = algorithms) throws -> Identity {
        var identity = Identity()
        identity.acceptsGuests = guests
        identity.provider = try IdentityProvider(
            keys: keySet(algorithms), issuer: Self.issuer, audience: Self.audience)
        return identity
    }

    func sign(_ bytes: [UInt8], _ algorithm: String) throws -> [UInt8] {
        if algorithm == "HS256" { return Array(HMACSHA256(key: secretBytes).code(for: bytes)) }
        return try signingKey(algorithm).sign(bytes)
    }

    /// The public RS256 key in PEM, as an attacker may obtain it from a certificate.
    func publicPEM() throws -> String {
        let text = Data(try signingKey("RS256").publicInformation()).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----"
    }

    private func signingKey(_ algorithm: String) throws -> SigningKey {
        guard let key = keys[algorithm] else { throw SigningKey.Failure() }
        return key
    }

    /// A signed token with the given header and claims; the defaults are valid.
    func token(_ algorithm: String = "ES256", header: String? = nil, claims: String = Claims().text) throws -> String {
        let header = header ?? #"{"alg":"\#(algorithm)","kid":"\#(algorithm)","typ":"JWT"}"#
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return signed + "." + Base64URL.encode(try sign(Array(signed.utf8), algorithm))
    }

    func guest(_ subject: String, _ name: String, lifetime: Int = 3600, _ clock: TestClock? = nil) throws -> Guest {
        var claims = Claims()
        claims["sub"] = "\"\(subject)\""
        claims["name"] = "\"\(name)\""
        claims["exp"] = String(Claims.now + lifetime)
        let id = IdentityProvider.user(subject, of: Self.issuer)
        return Guest(id: id.description, nickname: name, token: try token(claims: claims.text))
    }
}

/// The claims of a token as JSON, in order.
struct Claims {
    /// Start time of the tests' clock, in seconds since 1970.
    static let now = 1_767_225_600

    private var members: [(name: String, json: String)] = [
        ("iss", "\"\(TokenIssuer.issuer)\""), ("sub", "\"alice\""), ("aud", "\"\(TokenIssuer.audience)\""),
        ("name", "\"Alice\""), ("iat", String(now)), ("exp", String(now + 3600)), ("jti", "\"one\""),
    ]

    /// The claim's JSON; nil removes the claim.
    subscript(name: String) -> String? {
        get { members.first { $0.name == name }?.json }
        set {
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                if let newValue { members.append((name, newValue)) }
                return
            }
            if let newValue { members[index].json = newValue } else { members.remove(at: index) }
        }
    }

    static func with(_ name: String, _ json: String?) -> String {
        var claims = Claims()
        claims[name] = json
        return claims.text
    }

    var text: String { "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}" }
}
