package import AuctionDomain

/// Tokens without a server: what fuzzing feeds.
package enum TokenProbe {
    /// Who shows this token; nil if it is none of this secret's.
    package static func person(in token: String, secret: [UInt8]) -> Person? {
        TokenSigner(secret: secret).verify(token)?.person
    }

    /// A token as the service itself makes it.
    package static func token(for person: Person, secret: [UInt8], at now: Timestamp) -> String {
        TokenSigner(secret: secret).sign(person, at: now).token
    }
}
