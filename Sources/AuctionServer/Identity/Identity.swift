/// Which tokens a server accepts; can be replaced while the server runs.
package struct Identity: Sendable {
    /// Whether anyone may become a guest, and tokens of guests are accepted.
    package var acceptsGuests = true
    /// The operator's identity provider; nil: there are only guests.
    package var provider: IdentityProvider?
    /// Tokens that are rejected before they expire.
    package var revocations = Revocations()

    package init() {}

    /// - Parameter signsInUsers: whether a backend signs its users in by a service token.
    /// - Throws: `ServerError` if neither guests nor others could sign in, or if the provider's secret is the server's own.
    func check(beside signer: TokenSigner, signsInUsers: Bool) throws(ServerError) {
        guard acceptsGuests || provider != nil || signsInUsers else {
            throw ServerError(
                "guests are off, and there are neither keys of an identity provider nor service tokens: no user could sign in")
        }
        guard provider?.keys.contains(signer.fingerprint) != true else {
            throw ServerError("the identity provider's secret is the one that guests' tokens are signed with: it needs its own")
        }
    }
}
