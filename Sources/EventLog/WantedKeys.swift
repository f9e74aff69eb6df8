package import AuctionDomain

/// Which keys of a room's stored responses to load: the newest of each owner, and of these the newest in all.
package struct WantedKeys: Hashable, Sendable {
    /// Only of responses stored at or after this time.
    package let since: Timestamp
    /// Maximum number of keys of one owner.
    package let perOwner: Int
    /// Maximum number of keys in all.
    package let total: Int

    package init(since: Timestamp, perOwner: Int = .max, total: Int = .max) {
        (self.since, self.perOwner, self.total) = (since, perOwner, total)
    }

    /// No keys, which costs nothing to load.
    package static let none = WantedKeys(since: Timestamp(milliseconds: .max), total: 0)
}

/// Selects the wanted keys of a room.
package struct NewestKeys {
    private let wanted: WantedKeys
    private var taken: [KeyOwner: Int] = [:]
    private var count = 0

    package init(_ wanted: WantedKeys) { self.wanted = wanted }

    /// Whether no further key is wanted.
    package var isFull: Bool { count >= wanted.total }

    /// Whether the next key is wanted. Call it once per key, newest first.
    package mutating func take(_ owner: KeyOwner, at instant: Timestamp) -> Bool {
        guard instant >= wanted.since, !isFull, taken[owner, default: 0] < wanted.perOwner else { return false }
        taken[owner, default: 0] += 1
        count += 1
        return true
    }
}
