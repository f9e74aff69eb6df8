import DequeModule
import EventLog

/// The idempotency keys of a room by owner, in the order they were added, and which owner has the most. Every operation takes
/// constant time, except `remove` of a key that is not the owner's oldest.
struct KeyShares: Sendable {
    private struct Share {
        var keys: Deque<UInt128> = []
        /// The owner's index in its level.
        var index = 0
    }

    private var shares: [KeyOwner: Share] = [:]
    /// The owners by number of keys: those in `levels[n]` have n. The last level is never empty, except the first; empty before the first key.
    private var levels: [[KeyOwner]] = []

    /// Number of keys of the owner with the most keys.
    var largest: Int { max(0, levels.count - 1) }

    func count(of owner: KeyOwner) -> Int { shares[owner]?.keys.count ?? 0 }

    mutating func add(_ key: UInt128, of owner: KeyOwner) {
        shares[owner, default: Share()].keys.append(key)
        let count = count(of: owner)
        leave(level: count - 1, owner)
        enter(level: count, owner)
    }

    mutating func remove(_ key: UInt128, of owner: KeyOwner) {
        guard let place = shares[owner]?.keys.firstIndex(of: key) else { return }
        shares[owner]?.keys.remove(at: place)
        keyRemoved(owner)
    }

    /// Removes and returns the owner's oldest key.
    mutating func removeOldest(of owner: KeyOwner) -> UInt128? {
        guard let key = shares[owner]?.keys.popFirst() else { return nil }
        keyRemoved(owner)
        return key
    }

    /// Removes and returns the oldest key of an owner with the most keys.
    mutating func removeOldestOfLargest() -> UInt128? { levels.last?.last.flatMap { removeOldest(of: $0) } }

    /// Updates the levels after one key of the owner was removed.
    private mutating func keyRemoved(_ owner: KeyOwner) {
        let count = count(of: owner)
        leave(level: count + 1, owner)
        enter(level: count, owner)
        if count == 0 { shares[owner] = nil }
        while levels.count > 1, levels.last?.isEmpty == true { levels.removeLast() }
    }

    private mutating func enter(level: Int, _ owner: KeyOwner) {
        guard level > 0 else { return }
        while levels.count <= level { levels.append([]) }
        shares[owner]?.index = levels[level].count
        levels[level].append(owner)
    }

    /// Fills the gap with the last owner of the level.
    private mutating func leave(level: Int, _ owner: KeyOwner) {
        guard level > 0, let index = shares[owner]?.index, let last = levels[level].popLast(), last != owner else { return }
        levels[level][index] = last
        shares[last]?.index = index
    }
}
