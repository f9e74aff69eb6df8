internal import OutboundHTTP

/// Which tokens a server accepts; can be replaced while the server runs.
package struct Identity: Sendable {
    /// Whether anyone may become a guest, and tokens of guests are accepted.
    package var acceptsGuests = true
    /// The operator's identity provider; nil: there are only guests.
    package var provider: IdentityProvider?
    /// Where the keys of `provider` are fetched; nil: they are given.
    package var keysURL: String?
    /// Providers whose ID tokens are exchanged for tokens of this service.
    package var signIn = SignInOptions()
    /// Tokens that are rejected before they expire.
    package var revocations = Revocations()

    package init() {}

    /// Whether keys may be fetched at an address: by `https`, or by `http` on this machine.
    package static func mayFetchKeys(at url: String) -> Bool { (try? AddressPolicy.operatorsSystems.check(url)) != nil }

    /// - Parameter signsInUsers: whether a backend signs its users in by a service token.
    /// - Throws: `ServerError` if neither guests nor others could sign in, or if the provider's secret is the server's own.
    func check(beside signer: TokenSigner, signsInUsers: Bool) throws(ServerError) {
        guard acceptsGuests || provider != nil || !signIn.providers.isEmpty || signsInUsers else {
            throw ServerError(
                "guests are off, and there are neither keys of an identity provider nor service tokens: no user could sign in")
        }
        try signIn.check()
        if let keysURL, !Self.mayFetchKeys(at: keysURL) {
            throw ServerError("the keys' address must be by https, or by http on this machine")
        }
        guard provider?.keys.contains(signer.fingerprint) != true else {
            throw ServerError("the identity provider's secret is the one that guests' tokens are signed with: it needs its own")
        }
    }
}
