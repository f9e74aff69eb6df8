package import AuctionDomain

/// Why a token is rejected.
package enum TokenError: Error, Hashable, Sendable {
    /// Not a token, or not signed by a known key. The cases are not distinguished, so that guessing reveals nothing.
    case unknown
    /// Signed by the operator's provider, but a claim is wrong: the claim's name, and what is wrong with it.
    case claim(String, String)
    /// The token expired at this time.
    case expired(Timestamp)
    case revoked
    /// The token is valid, but its user is banned from all rooms: streams end, and where a user acts in a room they are refused.
    case banned
}
