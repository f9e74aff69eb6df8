internal import AuctionDomain
internal import AuctionService
internal import Cryptography
internal import EventLog
internal import ExactJSON

/// What an ID token says of a user, after everything was verified (OpenID Connect Core 1.0, section 3.1.3.7).
struct IDToken: Sendable {
    /// Tolerated difference of the clocks, for what must not be in the future. `exp` has no tolerance.
    static let skewMilliseconds: Int64 = 60_000

    let issuer: String
    let user: UserID
    /// The name to show, unless the user gives one; nil if the token has none that is not an address.
    let name: String?
    let expiresAt: Timestamp
    /// The claim `jti`, if it has one.
    let tokenID: String?
    /// Names the token among all: a token is exchanged once.
    let useKey: String

    /// Why a token is refused.
    enum Refusal: Error, Hashable, Sendable {
        /// No token, or not signed by a known key of a known provider. The cases are not distinguished.
        case unknown
        /// The provider may have a new key: its set has none of the name that the token gives, or the token gives none and no key fits.
        case unknownKey(issuer: String)
        /// No keys of the provider have been fetched yet.
        case noKeys(issuer: String)
        /// Signed by the provider, but a claim is wrong: its name, and what is wrong with it.
        case claim(String, String)
        case expired(Timestamp)
    }

    /// The others are weaker, or a secret that two have (RFC 8725, section 3.1).
    private static let algorithms: Set<VerificationKey.Algorithm> = [.rs256, .ps256, .es256, .edDSA]

    /// Verifies a token.
    /// - Parameters:
    ///   - nonce: What the client has sent to the provider for this token; nil if it sent none.
    ///   - keys: The keys of a provider; nil if none have been fetched.
    init(
        _ token: String, nonce: String?, _ options: SignInOptions, at now: Timestamp, keys: (String) -> KeySet?
    ) throws(Refusal) {
        guard let signed = SignedToken(token), !signed.isAccessToken else { throw .unknown }
        var claims: JSONFields
        do throws(JSONError) { claims = try JSONFields(try JSONReader.read(signed.payload)) } catch { throw .unknown }
        // Not verified yet: it only chooses the keys, and what is signed with others is refused. So a token that one provider has signed
        // in the name of another is unknown.
        guard case .string(let issuer) = claims.take("iss"), let provider = options.provider(issuer) else { throw .unknown }
        guard let set = keys(issuer) else { throw .noKeys(issuer: issuer) }
        guard let key = set.key(named: signed.keyID) else {
            throw signed.keyID == nil ? .unknown : .unknownKey(issuer: issuer)
        }
        guard Self.algorithms.contains(key.algorithm), key.algorithm.isNamed(signed.algorithm) else { throw .unknown }
        guard key.verifies(signed.signature, of: signed.signedBytes) else {
            // Of a provider that does not name its keys this is how a new one shows.
            throw signed.keyID == nil ? .unknownKey(issuer: issuer) : .unknown
        }
        self.issuer = issuer
        try Self.checkAudience(&claims, provider.clients)
        try Self.checkNonce(claims.take("nonce"), nonce)
        expiresAt = try Self.checkTimes(&claims, at: now)
        guard case .string(let subject) = claims.take("sub"), (1...IdentityProvider.subjectBytes).contains(subject.utf8.count)
        else {
            throw .claim("sub", "must be a text of 1 to \(IdentityProvider.subjectBytes) bytes")
        }
        user = IdentityProvider.user(subject, of: issuer)
        name = Self.name(&claims)
        tokenID = try Self.tokenID(claims.take("jti"))
        // The signature is left out of what is hashed, as some have several forms.
        useKey =
            (tokenID.map { SHA256.hash("\(issuer.utf8.count) \(issuer) \($0)") } ?? SHA256.hash(data: signed.signedBytes))
            .hexadecimal
    }

    /// All audiences are the operator's programs; the party that asked for the token is one of them, and named if there are several.
    private static func checkAudience(_ claims: inout JSONFields, _ clients: [String]) throws(Refusal) {
        func isOurs(_ value: JSONValue) -> Bool {
            if case .string(let text) = value { clients.contains { $0.hasSameBytes(as: text) } } else { false }
        }
        var audiences: [JSONValue] = []
        switch claims.take("aud") {
        case .array(let several): audiences = several
        case let one?: audiences = [one]
        case nil: break
        }
        guard !audiences.isEmpty, audiences.allSatisfy(isOurs) else {
            throw .claim("aud", "names a program that is not the operator's")
        }
        let party = claims.take("azp")
        guard party.map(isOurs) ?? (audiences.count == 1) else {
            throw .claim("azp", "does not name a program of the operator's")
        }
    }

    /// A client that has sent a nonce to the provider finds it in the token, or the token was made for another request.
    private static func checkNonce(_ claim: JSONValue?, _ nonce: String?) throws(Refusal) {
        guard let nonce else { return }
        guard case .string(let text) = claim, text.hasSameBytes(as: nonce) else {
            throw .claim("nonce", "is not the one that was sent")
        }
    }

    /// - Returns: when the token expires.
    private static func checkTimes(_ claims: inout JSONFields, at now: Timestamp) throws(Refusal) -> Timestamp {
        func date(_ name: String) throws(Refusal) -> Timestamp? {
            do throws(TokenError) { return try IdentityProvider.date(claims.take(name), name) } catch {
                throw .claim(name, "must be a number of seconds since 1970")
            }
        }
        guard let expires = try date("exp") else { throw .claim("exp", "is missing") }
        guard expires > now else { throw .expired(expires) }
        let latest = now.advanced(byMilliseconds: skewMilliseconds)
        guard let issued = try date("iat") else { throw .claim("iat", "is missing") }
        guard issued <= latest else { throw .claim("iat", "is in the future") }
        if let begins = try date("nbf"), begins > latest { throw .claim("nbf", "is in the future") }
        return expires
    }

    /// The claim `name`, else `preferred_username`; never an e-mail address, which some providers give as either.
    private static func name(_ claims: inout JSONFields) -> String? {
        for claim in [claims.take("name"), claims.take("preferred_username")] {
            guard case .string(let text) = claim, !isAddress(text),
                let name = DisplayName.cleaned(text, limit: Person.nicknameLimit)
            else { continue }
            return name
        }
        return nil
    }

    /// Whether it may be an e-mail address: something, an at sign, and a domain with a dot.
    private static func isAddress(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).contains { word in
            guard let at = word.lastIndex(of: "@") else { return false }
            return at > word.startIndex && word[at...].dropFirst().contains(".")
        }
    }

    private static func tokenID(_ claim: JSONValue?) throws(Refusal) -> String? {
        guard let claim else { return nil }
        guard case .string(let id) = claim, (1...255).contains(id.utf8.count) else {
            throw .claim("jti", "must be a text of 1 to 255 bytes")
        }
        return id
    }
}
