internal import AuctionDomain
internal import AuctionService
internal import Cryptography
internal import EventLog
internal import ExactJSON
internal import Permissions

/// Issues and verifies the service's own tokens: JWTs signed with HMAC-SHA256 only, whatever their header claims.
struct TokenSigner: Sendable {
    static let lifetimeSeconds: Int64 = 7 * 24 * 3600
    /// Value of `iss`; an identity provider must not use it.
    static let issuer = "auction-room"
    /// Encoded header of every own token; compared byte for byte, so that no other algorithm can be chosen.
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    private let key: HMACSHA256
    /// What the log names codes for another device by.
    let pairingKeys: PairingKeys
    /// Identifies the secret without revealing it.
    let fingerprint: UInt128

    /// - Parameter secret: at least 32 random bytes.
    init(secret: [UInt8]) {
        key = HMACSHA256(key: secret)
        pairingKeys = PairingKeys(secret: secret)
        fingerprint = VerificationKey(id: nil, .hs256, .secret(key), bytes: secret).fingerprint
    }

    /// - Parameters:
    ///   - number: Random: no two tokens are alike, also if they are issued within one second.
    ///   - seconds: How long the token is valid; nil: as a guest's.
    ///   - session: Of a user who has signed in with a provider; nil: another one.
    ///   - end: When the token expires at the latest.
    func sign(
        _ person: Person, number: UInt64, at now: Timestamp, seconds: Int? = nil, session: SignInSession? = nil,
        until end: Timestamp? = nil
    ) -> (token: String, expiresAt: Timestamp) {
        let issued = now.milliseconds / 1000
        let life = seconds.map { Int64($0) } ?? Self.lifetimeSeconds
        let expires = min(issued + life, end.map { $0.milliseconds / 1000 } ?? .max)
        var json = JSONWriter()
        json.object { json in
            json.member("iss", Self.issuer)
            json.member("sub", person.id)
            json.member("name", person.nickname)
            json.member("iat", Int(issued))
            json.member("exp", Int(expires))
            json.member("jti", String(number, radix: 36))
            if let session {
                json.member("idp", session.issuer)
                json.member("auth_time", Int(session.begunAt.milliseconds / 1000))
            }
        }
        let signed = Self.header + "." + Base64URL.encode(json.bytes)
        let code = key.code(for: Array(signed.utf8))
        return (signed + "." + Base64URL.encode(Array(code)), Timestamp(milliseconds: expires * 1000))
    }

    /// - Returns: nil if the token was not issued by this service, was modified, or is malformed.
    func verify(_ token: String) -> Principal? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header, let payload = Base64URL.decode(parts[1].utf8),
            let code = Base64URL.decode(parts[2].utf8)
        else { return nil }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard key.isValid(code, for: signed) else { return nil }
        do {
            var claims = try JSONFields(try JSONReader.read(payload))
            guard try claims.string("iss") == Self.issuer, let user = UserID(try claims.string("sub")) else { return nil }
            let (expires, issued) = (try claims.int("exp"), try claims.int("iat"))
            // Dates beyond the year 9999 cannot be formatted, and converting them to milliseconds could overflow.
            let instants = 0...253_402_300_799
            guard instants.contains(expires), instants.contains(issued) else { return nil }
            var source: Principal.Source = IdentityProvider.isOfSubject(user) ? .backend : .guests
            if let issuer = try claims.optionalString("idp") {
                let begun = try claims.int("auth_time")
                guard instants.contains(begun) else { return nil }
                source = .session(SignInSession(issuer: issuer, begunAt: Timestamp(milliseconds: Int64(begun) * 1000)))
            }
            // Tokens issued before display names had rules stay valid and can be renewed; their names are cleaned for display.
            let nickname = DisplayName.cleaned(try claims.string("name"), limit: Person.nicknameLimit) ?? "Guest"
            return Principal(
                person: Person(id: user, nickname: nickname),
                expiresAt: Timestamp(milliseconds: Int64(expires) * 1000),
                issuedAt: Timestamp(milliseconds: Int64(issued) * 1000), source: source, tokenID: nil)
        } catch {
            return nil
        }
    }
}
