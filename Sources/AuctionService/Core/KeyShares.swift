import DequeModule
import EventLog

/// Which Idempotency-Keys of a room are whose, in the order in which they came; and who holds most. Everything but `remove` of
/// another key than the owner's oldest takes constant time.
struct KeyShares: Sendable {
    private struct Share {
        var keys: Deque<UInt128> = []
        /// Where the owner stands in its level.
        var index = 0
    }

    private var shares: [KeyOwner: Share] = [:]
    /// The owners by how many keys they hold: those in `levels[n]` hold n. The last one is not empty, except the first.
    private var levels: [[KeyOwner]] = [[]]

    /// How many keys the owner with most of them holds.
    var largest: Int { levels.count - 1 }

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
        left(owner)
    }

    /// Removes the oldest key of an owner.
    mutating func removeOldest(of owner: KeyOwner) -> UInt128? {
        guard let key = shares[owner]?.keys.popFirst() else { return nil }
        left(owner)
        return key
    }

    /// Removes the oldest key of an owner who holds as many as any.
    mutating func removeOldestOfLargest() -> UInt128? { levels[largest].last.flatMap { removeOldest(of: $0) } }

    /// The owner holds one key less than before.
    private mutating func left(_ owner: KeyOwner) {
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

    /// The last one of the level takes the place that becomes free.
    private mutating func leave(level: Int, _ owner: KeyOwner) {
        guard level > 0, let index = shares[owner]?.index, let last = levels[level].popLast(), last != owner else { return }
        levels[level][index] = last
        shares[last]?.index = index
    }
}
