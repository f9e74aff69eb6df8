internal import AuctionDomain
internal import AuctionService

/// Somebody who has shown a valid token.
struct Principal: Sendable {
    /// Who signed the token.
    enum Source: Sendable {
        /// This service.
        case guests
        /// The operator's identity provider, with the key of that fingerprint.
        case provider(key: UInt128)
    }

    let person: Person
    let expiresAt: Timestamp
    /// When the token was made; nil where it does not say.
    let issuedAt: Timestamp?
    let source: Source
    /// The token's own name, if it has one.
    let tokenID: String?

    /// Until when in the service's time the token counts, as far as the clocks show now.
    ///
    /// Tokens of guests live in the service's time, in which nothing ages by a jump; a provider's `exp` means the wall clock.
    func end(at now: Now) -> Timestamp {
        switch source {
        case .guests:
            expiresAt.advanced(byMilliseconds: now.jumps.skipped(from: issuedAt ?? expiresAt, to: now.wall))
        case .provider: now.wall.advanced(byMilliseconds: expiresAt.milliseconds(since: now.actual))
        }
    }

    func hasExpired(at now: Now) -> Bool { end(at: now) <= now.wall }
}
