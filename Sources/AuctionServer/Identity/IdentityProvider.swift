internal import AuctionDomain
internal import Crypto
internal import ExactJSON

/// The operator's identity provider: its keys, and what its tokens must say (RFC 7519, and RFC 8725 about what goes wrong).
public struct IdentityProvider: Sendable {
    static let subjectBytes = 255

    public let keys: KeySet
    public let issuer: String
    let audience: String
    /// How far the clocks of provider and server may be apart, where a token would begin to count in the future, in seconds. A
    /// token never counts after its `exp`.
    let skewSeconds: Int

    /// - Parameters:
    ///   - issuer: what `iss` must be, exactly.
    ///   - audience: what `aud` must be or contain: the provider may make tokens for others.
    /// - Throws: `ServerError` if the issuer is what this server calls itself, or one of the two is empty.
    public init(keys: KeySet, issuer: String, audience: String, skewSeconds: Int = 5) throws(ServerError) {
        guard !issuer.isEmpty, !audience.isEmpty else { throw ServerError("the issuer and the audience of tokens are needed") }
        guard issuer != TokenSigner.issuer else {
            throw ServerError("the issuer of tokens cannot be \"\(issuer)\": this server's guests have that one")
        }
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
        self.skewSeconds = skewSeconds
    }

    /// - Throws: why the token does not count; more than that it is unknown only once its signature is right.
    func principal(of token: String, at now: Timestamp) throws(TokenDefect) -> Principal {
        guard let signed = SignedToken(token), let key = keys.key(named: signed.keyID), key.algorithm.isNamed(signed.algorithm),
            key.verifies(signed.signature, of: signed.signedBytes)
        else { throw .unknown }
        var claims: JSONFields
        do throws(JSONError) { claims = try JSONFields(try JSONReader.read(signed.payload)) } catch { throw .unknown }
        return try principal(&claims, key, at: now)
    }

    private func principal(
        _ claims: inout JSONFields, _ key: VerificationKey, at now: Timestamp
    ) throws(TokenDefect) -> Principal {
        guard case .string(let iss) = claims.take("iss"), iss.hasSameBytes(as: issuer) else {
            throw .claim("iss", "is not the issuer of this server's tokens")
        }
        guard isForUs(claims.take("aud")) else { throw .claim("aud", "does not name this server") }
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

    /// The user that a subject is here, always the same one. Guests' ids begin with the time, whose highest bit is zero for the next
    /// four thousand years; theirs begin with a one, so the two never meet.
    static func user(_ subject: String, of issuer: String) -> UserID {
        let digest = SHA256.hash(data: Array("\(issuer.utf8.count) \(issuer) \(subject)".utf8))
        let bits = digest.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return UserID(bits: bits | 1 << 127)
    }

    private func isForUs(_ claim: JSONValue?) -> Bool {
        switch claim {
        case .string(let text): text.hasSameBytes(as: audience)
        case .array(let texts): texts.contains { $0.isString(audience) } && texts.allSatisfy { $0.isString(nil) }
        default: false
        }
    }

    /// Seconds since 1970, of which there may be fractions; nil if absent.
    private static func date(_ claim: JSONValue?, _ name: String) throws(TokenDefect) -> Timestamp? {
        guard let claim else { return nil }
        // Up to the end of the year 9999: more is no date, and would not fit everywhere.
        guard case .number(let literal) = claim, let seconds = Double(literal), (0...253_402_300_799).contains(seconds) else {
            throw .claim(name, "must be a number of seconds since 1970")
        }
        return Timestamp(milliseconds: Int64(seconds * 1000))  // proven: up to the year 9999
    }

    /// What the provider calls a user, shortened and without what a name may not have: a directory's odd names are no reason to keep
    /// its users out. A name with nothing to show is refused as a missing one is.
    private static func nickname(_ claim: JSONValue?) throws(TokenDefect) -> String {
        guard case .string(let name) = claim else { throw .claim("name", "must be a text") }
        guard let nickname = DisplayName.cleaned(name, limit: Person.nicknameLimit) else { throw .claim("name", "is blank") }
        return nickname
    }

    private static func tokenID(_ claim: JSONValue?) throws(TokenDefect) -> String? {
        guard let claim else { return nil }
        guard case .string(let text) = claim, text.utf8.count <= 255 else {
            throw .claim("jti", "must be a text of at most 255 bytes")
        }
        return text
    }
}

extension JSONValue {
    /// Whether it is a string, and this one where one is named.
    fileprivate func isString(_ wanted: String?) -> Bool {
        guard case .string(let text) = self else { return false }
        return wanted.map { $0.hasSameBytes(as: text) } ?? true
    }
}
