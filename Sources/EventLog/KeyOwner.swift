package import AuctionDomain

/// The user whose quota of Idempotency-Keys in a room a key counts against.
package struct KeyOwner: Hashable, Sendable {
    /// Half of the user's identifier.
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// Uses the low half of the user's identifier, which is random or part of a digest, so that no user can choose another's.
    package init(_ user: UserID) { bits = UInt64(truncatingIfNeeded: user.bits) }
}
