internal import AuctionDomain
internal import AuctionService

/// The authenticated caller, identified by a valid token.
struct Principal: Sendable {
    /// Who signed the token.
    enum Source: Sendable {
        /// This service.
        case guests
        /// The operator's identity provider; `key` is the fingerprint of the signing key.
        case provider(key: UInt128)
    }

    let person: Person
    let expiresAt: Timestamp
    /// When the token was issued; nil if it has no `iat`.
    let issuedAt: Timestamp?
    let source: Source
    /// The token's `jti`, if it has one.
    let tokenID: String?

    /// When the token expires in service time, by the current clock readings.
    ///
    /// Guest tokens expire in service time, which excludes clock jumps; a provider's `exp` is wall-clock time.
    func end(at now: Now) -> Timestamp {
        switch source {
        case .guests:
            expiresAt.advanced(byMilliseconds: now.jumps.skipped(from: issuedAt ?? expiresAt, to: now.wall))
        case .provider: now.wall.advanced(byMilliseconds: expiresAt.milliseconds(since: now.actual))
        }
    }

    func hasExpired(at now: Now) -> Bool { end(at: now) <= now.wall }
}
