internal import AuctionDomain

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
}
