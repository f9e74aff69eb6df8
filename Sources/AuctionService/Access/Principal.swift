package import AuctionDomain

/// What began when a user signed in with a provider; every token that is renewed goes on with it.
package struct SignInSession: Hashable, Sendable {
    /// The provider.
    package let issuer: String
    /// When the user signed in, to the second.
    package let begunAt: Timestamp

    package init(issuer: String, begunAt: Timestamp) { (self.issuer, self.begunAt) = (issuer, begunAt) }
}

/// The authenticated caller, identified by a valid token.
package struct Principal: Sendable {
    /// Who signed the token.
    package enum Source: Sendable {
        /// This service, for a guest.
        case guests
        /// This service, for a user of the operator's backend.
        case backend
        /// The operator's identity provider; `key` is the fingerprint of the signing key.
        case provider(key: UInt128)
        /// This service, to a user who signed in with a provider.
        case session(SignInSession)

        /// Of a user who signed in with a provider.
        package var session: SignInSession? {
            if case .session(let session) = self { session } else { nil }
        }

        /// Whether the user's nickname is changed here: that of a backend's user is the backend's.
        package var isNamedHere: Bool {
            switch self {
            case .guests, .session: true
            case .backend, .provider: false
            }
        }

        /// Whether this service has signed the token, and renews it.
        package var isOwn: Bool {
            if case .provider = self { false } else { true }
        }
    }

    /// The token's user.
    package let person: Person
    /// The token's expiry as it was written; see `end`.
    package let expiresAt: Timestamp
    /// When the token was issued; nil if it has no `iat`.
    package let issuedAt: Timestamp?
    /// Who signed the token.
    package let source: Source
    /// The token's `jti`, if it has one.
    package let tokenID: String?

    package init(person: Person, expiresAt: Timestamp, issuedAt: Timestamp?, source: Source, tokenID: String?) {
        self.person = person
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
        self.source = source
        self.tokenID = tokenID
    }

    /// When the token expires in service time, by the current clock readings.
    ///
    /// This service's tokens expire in service time, which excludes clock jumps; a provider's `exp` is wall-clock time.
    package func end(at now: Now) -> Timestamp {
        switch source {
        case .guests, .backend, .session:
            expiresAt.advanced(byMilliseconds: now.jumps.skipped(from: issuedAt ?? expiresAt, to: now.wall))
        case .provider: now.wall.advanced(byMilliseconds: expiresAt.milliseconds(since: now.actual))
        }
    }

    /// Whether the token has expired.
    package func hasExpired(at now: Now) -> Bool { end(at: now) <= now.wall }
}
