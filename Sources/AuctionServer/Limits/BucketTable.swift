/// The token buckets of a rate limiter, at most `limit` of them.
///
/// A bucket that was unused for the time of refilling it whole is full, unless it was in debt; evicting a full one changes nothing. If there
/// is none and the table is full, the least recently used bucket with at least one token is evicted. A bucket without a token is never evicted: a client cannot escape
/// a limit by filling the table with other keys. If all buckets are empty, new keys share one bucket. A value type: time is passed
/// in. Every operation takes constant time.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        let key: Key
        var tokens: Double
        var refilledAt: Int64
        var isSpent = false
        // Neighbours in the LRU list; the slot itself at either end.
        var older: Int
        var newer: Int
    }

    /// Both ends of a doubly linked list in order of last use.
    private struct LRUList {
        var oldest: Int?
        var newest: Int?
    }

    private let capacity: Double
    private let tokensPerNanosecond: Double
    private let fillNanoseconds: Double
    private let limit: Int
    private var buckets: [Bucket] = []
    private var free: [Int] = []
    private var slots: [Key: Int] = [:]
    private var usable = LRUList()
    private var spent = LRUList()
    /// Bucket shared by all keys that have none of their own.
    private var shared: (tokens: Double, refilledAt: Int64)

    /// - Parameters:
    ///   - count: tokens refilled per period.
    ///   - burst: capacity of a bucket; `count` if that is more.
    ///   - limit: maximum number of buckets.
    init(count: Int, burst: Int = 0, periodSeconds: Int, limit: Int) {
        capacity = Double(max(count, burst))
        tokensPerNanosecond = Double(count) / (Double(periodSeconds) * 1e9)
        fillNanoseconds = count == 0 ? 0 : capacity / tokensPerNanosecond
        self.limit = limit
        shared = (capacity, 0)
    }

    /// Number of buckets.
    var size: Int { slots.count }

    /// Takes tokens if at least one is left; taking more than are left makes the balance negative.
    /// - Returns: whether the request is allowed, and the remaining tokens.
    mutating func take(_ key: Key, tokens: Int = 1, at now: Int64) -> (isAllowed: Bool, left: Double) {
        guard let slot = slots[key] ?? insert(key, at: now) else {
            let taken = Self.taken(tokens, from: refilled(shared.tokens, shared.refilledAt, now))
            shared = (taken.left, now)
            return taken
        }
        unlink(slot)
        let taken = Self.taken(tokens, from: refilled(buckets[slot].tokens, buckets[slot].refilledAt, now))
        update(slot, taken.left, at: now)
        link(slot)
        return taken
    }

    /// Current tokens of a key, without taking any.
    func tokens(of key: Key, at now: Int64) -> Double {
        guard let slot = slots[key] else { return capacity }
        return refilled(buckets[slot].tokens, buckets[slot].refilledAt, now)
    }

    private static func taken(_ count: Int, from tokens: Double) -> (isAllowed: Bool, left: Double) {
        tokens >= 1 ? (true, tokens - Double(count)) : (false, tokens)
    }

    private func refilled(_ tokens: Double, _ since: Int64, _ now: Int64) -> Double {
        min(capacity, tokens + max(0, Double(now) - Double(since)) * tokensPerNanosecond)
    }

    /// Slot of a new bucket; nil if the table is full of empty buckets.
    private mutating func insert(_ key: Key, at now: Int64) -> Int? {
        // Up to two evictions per insertion, so that the table shrinks again after a flood.
        for _ in 0..<2 where !evictIfFull(usable.oldest, now) { _ = evictIfFull(spent.oldest, now) }
        if slots.count >= limit {
            guard let oldest = usable.oldest else { return nil }
            evict(oldest)
        }
        let slot = free.popLast() ?? buckets.count
        let bucket = Bucket(key: key, tokens: capacity, refilledAt: now, older: slot, newer: slot)
        if slot == buckets.count { buckets.append(bucket) } else { buckets[slot] = bucket }
        slots[key] = slot
        link(slot)
        return slot
    }

    private mutating func evictIfFull(_ slot: Int?, _ now: Int64) -> Bool {
        guard let slot, Double(now) - Double(buckets[slot].refilledAt) >= fillNanoseconds else { return false }
        let tokens = refilled(buckets[slot].tokens, buckets[slot].refilledAt, now)
        guard tokens < capacity else {
            evict(slot)
            return true
        }
        // It was in debt. Counted as used now, so that the next call sees another bucket.
        unlink(slot)
        update(slot, tokens, at: now)
        link(slot)
        return false
    }

    private mutating func update(_ slot: Int, _ tokens: Double, at now: Int64) {
        buckets[slot].tokens = tokens
        buckets[slot].refilledAt = now
        buckets[slot].isSpent = tokens < 1
    }

    private mutating func evict(_ slot: Int) {
        unlink(slot)
        slots[buckets[slot].key] = nil
        free.append(slot)
    }

    /// Appends a bucket to its list as most recently used.
    private mutating func link(_ slot: Int) {
        let isSpent = buckets[slot].isSpent
        var list = isSpent ? spent : usable
        buckets[slot].older = list.newest ?? slot
        buckets[slot].newer = slot
        if let newest = list.newest { buckets[newest].newer = slot } else { list.oldest = slot }
        list.newest = slot
        if isSpent { spent = list } else { usable = list }
    }

    private mutating func unlink(_ slot: Int) {
        let (older, newer, isSpent) = (buckets[slot].older, buckets[slot].newer, buckets[slot].isSpent)
        var list = isSpent ? spent : usable
        if older == slot {
            list.oldest = newer == slot ? nil : newer
        } else {
            buckets[older].newer = newer == slot ? older : newer
        }
        if newer == slot {
            list.newest = older == slot ? nil : older
        } else {
            buckets[newer].older = older == slot ? newer : older
        }
        if isSpent { spent = list } else { usable = list }
    }
}
