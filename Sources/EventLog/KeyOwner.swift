public import AuctionDomain

/// The user against whose share of a room's Idempotency-Keys a key counts.
public struct KeyOwner: Hashable, Sendable {
    public let bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    /// The low half of the user's identifier: random, or of a digest, so that no user can take another's.
    public init(_ user: UserID) { bits = UInt64(truncatingIfNeeded: user.bits) }

    /// For a key that was stored before owners were: it has one of its own, and is held to no share.
    public init(unknownFor key: UInt128) { bits = UInt64(truncatingIfNeeded: key) }
}

/// Keeps the newest keys of each owner, and no more than their share.
package struct NewestKeys {
    private let perOwner: Int
    private var taken: [KeyOwner: Int] = [:]

    package init(perOwner: Int) { self.perOwner = perOwner }

    /// Whether this key is among the newest of its owner. Call it once for each key, the newest first.
    package mutating func take(_ owner: KeyOwner) -> Bool {
        guard taken[owner, default: 0] < perOwner else { return false }
        taken[owner, default: 0] += 1
        return true
    }
}
