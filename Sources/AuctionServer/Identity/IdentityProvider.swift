internal import AuctionDomain
internal import AuctionService
internal import Cryptography
internal import ExactJSON

/// The operator's identity provider: its keys and the claims its tokens must have (RFC 7519; pitfalls: RFC 8725).
package struct IdentityProvider: Sendable {
    static let subjectBytes = 255

    /// Keys that the provider signs tokens with.
    package private(set) var keys: KeySet
    /// Required value of the claim `iss`, compared byte for byte.
    package let issuer: String
    /// Required value or element of the claim `aud`.
    let audience: String
    /// Tolerated clock difference in seconds for `nbf` and `iat` in the future. `exp` has no tolerance.
    let skewSeconds: Int

    /// - Parameters:
    ///   - keys: nil: they are fetched.
    ///   - issuer: required value of the claim `iss`.
    ///   - audience: required value or element of the claim `aud`: the provider may issue tokens for other services.
    ///   - skewSeconds: tolerated clock difference in seconds.
    /// - Throws: `ServerError` if the issuer is the one this server uses for guests, or if either text is empty.
    package init(keys: KeySet?, issuer: String, audience: String, skewSeconds: Int = 5) throws(ServerError) {
        guard !issuer.isEmpty, !audience.isEmpty else { throw ServerError("the issuer and the audience of tokens are needed") }
        guard issuer != TokenSigner.issuer else {
            throw ServerError("the issuer of tokens cannot be \"\(issuer)\": this server's guests have that one")
        }
        self.keys = keys ?? .none
        self.issuer = issuer
        self.audience = audience
        self.skewSeconds = skewSeconds
    }

    /// The same provider with keys that were fetched.
    func using(_ keys: KeySet) -> IdentityProvider {
        var provider = self
        provider.keys = keys
        return provider
    }

    /// - Throws: why the token is rejected; a detail other than `unknown` only after the signature was verified.
    func principal(of token: String, at now: Timestamp) throws(TokenError) -> Principal {
        guard let signed = SignedToken(token), let key = keys.key(named: signed.keyID), key.algorithm.isNamed(signed.algorithm),
            key.verifies(signed.signature, of: signed.signedBytes)
        else { throw .unknown }
        var claims: JSONFields
        do throws(JSONError) { claims = try JSONFields(try JSONReader.read(signed.payload)) } catch { throw .unknown }
        return try principal(&claims, key, at: now)
    }

    private func principal(
        _ claims: inout JSONFields, _ key: VerificationKey, at now: Timestamp
    ) throws(TokenError) -> Principal {
        guard case .string(let iss) = claims.take("iss"), iss.hasSameBytes(as: issuer) else {
            throw .claim("iss", "is not the issuer of this server's tokens")
        }
        guard matchesAudience(claims.take("aud")) else { throw .claim("aud", "does not name this server") }
        guard let expires = try Self.date(claims.take("exp"), "exp") else { throw .claim("exp", "is missing") }
        guard expires > now else { throw .expired(expires) }
        let latest = now.advanced(byMilliseconds: Int64(skewSeconds) * 1000)
        if let begins = try Self.date(claims.take("nbf"), "nbf"), begins > latest { throw .claim("nbf", "is in the future") }
        let issued = try Self.date(claims.take("iat"), "iat")
        if let issued, issued > latest { throw .claim("iat", "is in the future") }
        guard case .string(let subject) = claims.take("sub"), (1...Self.subjectBytes).contains(subject.utf8.count) else {
            throw .claim("sub", "must be a text of 1 to \(Self.subjectBytes) bytes")
        }
        let person = Person(
            id: Self.user(subject, of: issuer), nickname: try Self.nickname(claims.take("name")))
        return Principal(
            person: person, expiresAt: expires, issuedAt: issued, source: .provider(key: key.fingerprint),
            tokenID: try Self.tokenID(claims.take("jti")))
    }

    /// The user id derived from a subject, stable over time. Ids of guests begin with a timestamp, whose highest bit is zero for
    /// the next four thousand years; ids of subjects have it set, so the two cannot collide.
    static func user(_ subject: String, of issuer: String) -> UserID {
        UserID(bits: SHA256.hash("\(issuer.utf8.count) \(issuer) \(subject)").leadingBits | 1 << 127)
    }

    /// Whether the id was derived from a subject.
    static func isOfSubject(_ user: UserID) -> Bool { user.bits >> 127 == 1 }

    private func matchesAudience(_ claim: JSONValue?) -> Bool {
        switch claim {
        case .string(let text): text.hasSameBytes(as: audience)
        case .array(let texts): texts.contains { $0.isString(audience) } && texts.allSatisfy { $0.isString(nil) }
        default: false
        }
    }

    /// Parses a NumericDate, seconds since 1970 with an optional fraction; nil if absent.
    static func date(_ claim: JSONValue?, _ name: String) throws(TokenError) -> Timestamp? {
        guard let claim else { return nil }
        // Dates beyond the year 9999 are rejected: other formats could not represent them.
        guard case .number(let literal) = claim, let seconds = Double(literal), (0...253_402_300_799).contains(seconds) else {
            throw .claim(name, "must be a number of seconds since 1970")
        }
        return Timestamp(milliseconds: Int64(seconds * 1000))  // proven: up to the year 9999
    }

    /// The user's display name, truncated and cleaned of characters a name must not have, so that unusual names in a directory do
    /// not lock users out. Refused if nothing displayable remains.
    private static func nickname(_ claim: JSONValue?) throws(TokenError) -> String {
        guard case .string(let name) = claim else { throw .claim("name", "must be a text") }
        guard let nickname = DisplayName.cleaned(name, limit: Person.nicknameLimit) else { throw .claim("name", "is blank") }
        return nickname
    }

    private static func tokenID(_ claim: JSONValue?) throws(TokenError) -> String? {
        guard let claim else { return nil }
        guard case .string(let text) = claim, text.utf8.count <= 255 else {
            throw .claim("jti", "must be a text of at most 255 bytes")
        }
        return text
    }
}

extension JSONValue {
    /// Whether the value is a string, and equal to `wanted` unless that is nil.
    fileprivate func isString(_ wanted: String?) -> Bool {
        guard case .string(let text) = self else { return false }
        return wanted.map { $0.hasSameBytes(as: text) } ?? true
    }
}
