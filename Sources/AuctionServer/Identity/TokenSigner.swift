internal import AuctionDomain
internal import Crypto
internal import EventLog
internal import ExactJSON
internal import Foundation
internal import Permissions

/// Makes and checks the service's own tokens: JWTs signed with HMAC-SHA256 and nothing else, whatever their header says.
struct TokenSigner: Sendable {
    static let lifetimeSeconds: Int64 = 7 * 24 * 3600
    private static let issuer = "auction-room"
    /// Every token of ours begins with exactly these bytes: there is no other algorithm to choose.
    private static let header = base64URL(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    private let key: SymmetricKey

    /// - Parameter secret: at least 32 random bytes.
    init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

    func sign(_ person: Person, at now: Timestamp) -> (token: String, expiresAt: Timestamp) {
        let issued = now.milliseconds / 1000
        let expires = issued + Self.lifetimeSeconds
        var json = JSONWriter()
        json.object { json in
            json.member("iss", Self.issuer)
            json.member("sub", person.id)
            json.member("name", person.nickname)
            json.member("iat", Int(issued))
            json.member("exp", Int(expires))
        }
        let signed = Self.header + "." + Self.base64URL(json.bytes)
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
        return (signed + "." + Self.base64URL(Array(code)), Timestamp(milliseconds: expires * 1000))
    }

    /// - Returns: nil for a token that is not ours, was changed, or is not a token at all.
    func verify(_ token: String) -> Principal? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header, let payload = Self.bytes(base64URL: parts[1]),
            let code = Self.bytes(base64URL: parts[2])
        else { return nil }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key) else { return nil }
        do {
            var claims = try JSONFields(try JSONReader.read(payload))
            guard try claims.string("iss") == Self.issuer, let user = UserID(try claims.string("sub")) else { return nil }
            let expires = try claims.int("exp")
            // Beyond the year 9999 is no instant that could be shown, and milliseconds of some would overflow.
            guard (0...253_402_300_799).contains(expires) else { return nil }
            return Principal(
                person: Person(id: user, nickname: try claims.string("name")),
                expiresAt: Timestamp(milliseconds: Int64(expires) * 1000))
        } catch {
            return nil
        }
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Strict: no padding, nothing outside the alphabet, and only the one spelling that `base64URL` would write.
    private static func bytes(base64URL text: Substring) -> [UInt8]? {
        var standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard), base64URL([UInt8](data)) == text else { return nil }
        return [UInt8](data)
    }
}

/// Somebody who has shown a valid token.
struct Principal: Sendable {
    let person: Person
    let expiresAt: Timestamp
}

/// Verified tokens of one event loop: checking a signature costs more than the rest of a request.
struct TokenCache {
    private static let limit = 16384
    private let signer: TokenSigner
    private var verified: [String: Principal] = [:]

    init(signer: TokenSigner) { self.signer = signer }

    /// - Throws: a 401 that says what is wrong with the token.
    mutating func principal(of token: String, at now: Timestamp) throws(Problem) -> Principal {
        if let principal = verified[token] {
            if principal.expiresAt > now { return principal }
            verified[token] = nil
        }
        guard let principal = signer.verify(token) else {
            throw .unauthorized("token.invalid", "The token is not valid here.", "令牌无效。")
        }
        guard principal.expiresAt > now else {
            throw .unauthorized(
                "token.expired", "The token expired at \(principal.expiresAt); make a new one.",
                "令牌已于 \(principal.expiresAt) 过期。")
        }
        if verified.count >= Self.limit { verified.removeAll(keepingCapacity: true) }
        verified[token] = principal
        return principal
    }
}
