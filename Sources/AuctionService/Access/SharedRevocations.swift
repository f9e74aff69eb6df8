package import AuctionDomain
internal import Cryptography
package import EventLog

/// Revocations by the operators of all nodes on a shared log. The log stores digests instead of user and token ids.
package struct SharedRevocations: Sendable, Equatable {
    /// Tokens issued before the timestamp are revoked, by digest; nil: all tokens.
    private let ends: [UInt128: Timestamp?]

    /// Nothing is revoked.
    package init() { ends = [:] }

    /// - Parameter revocations: At most one for each key.
    package init(_ revocations: some Sequence<Revocation>) {
        ends = Dictionary(revocations.map { ($0.key, $0.before) }, uniquingKeysWith: { _, last in last })
    }

    /// Whether the token is revoked.
    package func contain(_ principal: Principal) -> Bool {
        if ends.isEmpty { return false }
        if let id = principal.tokenID, ends[Self.key(ofToken: id)] != nil { return true }
        guard let end = ends[Self.key(of: principal.person.id)] else { return false }
        guard let end, let issued = principal.issuedAt else { return true }
        return issued < end
    }

    /// Why a token that was accepted is not valid any more: it has expired, or is revoked; nil while it is valid.
    package func tokenError(of principal: Principal, at now: Now) -> TokenError? {
        if principal.hasExpired(at: now) { return .expired(principal.expiresAt) }
        return contain(principal) ? .revoked : nil
    }

    /// The digest of a user, all of whose tokens are revoked.
    package static func key(of user: UserID) -> UInt128 { digest("user \(user)") }
    /// The digest of a token.
    /// - Parameter id: Its `jti`.
    package static func key(ofToken id: String) -> UInt128 { digest("jti \(id)") }

    private static func digest(_ text: String) -> UInt128 {
        SHA256.hash(text).leadingBits
    }
}
