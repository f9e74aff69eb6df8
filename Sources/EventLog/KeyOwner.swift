package import AuctionDomain

/// The user whose quota of Idempotency-Keys in a room a key counts against.
package struct KeyOwner: Hashable, Sendable {
    /// Half of the user's identifier, or of the key if the owner is unknown.
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// Uses the low half of the user's identifier, which is random or part of a digest, so that no user can choose another's.
    package init(_ user: UserID) { bits = UInt64(truncatingIfNeeded: user.bits) }

    /// For a key that was stored without an owner: a distinct owner per key, so that no quota applies.
    package init(unknownFor key: UInt128) { bits = UInt64(truncatingIfNeeded: key) }
}
