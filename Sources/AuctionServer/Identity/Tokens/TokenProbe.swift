internal import AuctionService
package import AuctionDomain

/// Access to token verification without a server, for fuzzing.
package enum TokenProbe {
    /// The person a token identifies; nil if it was not signed with this secret.
    package static func person(in token: String, secret: [UInt8]) -> Person? {
        TokenSigner(secret: secret).verify(token)?.person
    }

    /// A token as the service issues it to a guest.
    package static func token(for person: Person, secret: [UInt8], at now: Timestamp) -> String {
        TokenSigner(secret: secret).sign(person, number: 1, at: now).token
    }
}
