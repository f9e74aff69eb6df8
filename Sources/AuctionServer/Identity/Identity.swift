/// Whose tokens a server takes; nothing of it need be fixed while the server runs.
public struct Identity: Sendable {
    /// Whether anybody may become a guest, and guests' tokens count.
    public var acceptsGuests = true
    /// The operator's own; nil: there are guests only.
    public var provider: IdentityProvider?
    /// Tokens that count no more although their time is not over.
    public var revocations = Revocations()

    public init() {}

    /// - Throws: `ServerError` where nobody at all could be anybody, or everybody who knows one secret anybody.
    func check(beside signer: TokenSigner) throws(ServerError) {
        guard acceptsGuests || provider != nil else {
            throw ServerError("guests are off, and there are no keys of an identity provider: nobody could sign in")
        }
        guard provider?.keys.contains(signer.fingerprint) != true else {
            throw ServerError("the identity provider's secret is the one that guests' tokens are signed with: it needs its own")
        }
    }
}
