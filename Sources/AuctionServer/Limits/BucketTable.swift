/// The token buckets of a rate limiter, at most so many.
///
/// A bucket that nothing was taken from for a whole period is full, and evicting it changes nothing. Where there is no such bucket
/// and the table is full, the least recently used one of those with a token left is evicted. One without a token is never evicted:
/// a client cannot get rid of a limit by filling the table with other keys. If all are without, new keys share one bucket.
/// A value: time comes in from outside. Every operation is a constant number of steps.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        let key: Key
        var tokens: Double
        var refilledAt: Int64
        var isSpent = false
        // Neighbours in the order in which buckets were last used; the slot itself where there is none.
        var older: Int
        var newer: Int
    }

    /// Buckets from the longest unused to the one used last.
    private struct Line {
        var oldest: Int?
        var newest: Int?
    }

    let count: Double
    let periodNanoseconds: Double
    private let limit: Int
    private var buckets: [Bucket] = []
    private var free: [Int] = []
    private var slots: [Key: Int] = [:]
    private var usable = Line()
    private var spent = Line()
    /// Of all keys that find no place.
    private var shared: (tokens: Double, refilledAt: Int64)

    /// - Parameters:
    ///   - count: tokens of a full bucket, and how many come back in a period.
    ///   - limit: buckets at most.
    init(count: Int, periodSeconds: Int, limit: Int) {
        self.count = Double(count)
        periodNanoseconds = Double(periodSeconds) * 1e9
        self.limit = limit
        shared = (Double(count), 0)
    }

    /// How many buckets are kept.
    var size: Int { slots.count }

    /// Takes tokens if there is one. More than there are leave a debt.
    /// - Returns: whether there was one, and what is left.
    mutating func take(_ key: Key, tokens: Int = 1, at now: Int64) -> (isAllowed: Bool, left: Double) {
        guard let slot = slots[key] ?? insert(key, at: now) else {
            let taken = Self.taken(tokens, from: refilled(shared.tokens, shared.refilledAt, now))
            shared = (taken.left, now)
            return taken
        }
        unlink(slot)
        let taken = Self.taken(tokens, from: refilled(buckets[slot].tokens, buckets[slot].refilledAt, now))
        buckets[slot].tokens = taken.left
        buckets[slot].refilledAt = now
        buckets[slot].isSpent = taken.left < 1
        link(slot)
        return taken
    }

    /// What a bucket has now, without taking from it.
    func tokens(of key: Key, at now: Int64) -> Double {
        guard let slot = slots[key] else { return count }
        return refilled(buckets[slot].tokens, buckets[slot].refilledAt, now)
    }

    private static func taken(_ count: Int, from tokens: Double) -> (isAllowed: Bool, left: Double) {
        tokens >= 1 ? (true, tokens - Double(count)) : (false, tokens)
    }

    private func refilled(_ tokens: Double, _ since: Int64, _ now: Int64) -> Double {
        min(count, tokens + max(0, Double(now) - Double(since)) * count / periodNanoseconds)
    }

    /// A place for a new bucket; nil where there is none.
    private mutating func insert(_ key: Key, at now: Int64) -> Int? {
        // Two at a time, so that a table that was flooded empties again.
        for _ in 0..<2 where !forgetFull(usable.oldest, now) { _ = forgetFull(spent.oldest, now) }
        if slots.count >= limit {
            guard let oldest = usable.oldest else { return nil }
            forget(oldest)
        }
        let slot = free.popLast() ?? buckets.count
        let bucket = Bucket(key: key, tokens: count, refilledAt: now, older: slot, newer: slot)
        if slot == buckets.count { buckets.append(bucket) } else { buckets[slot] = bucket }
        slots[key] = slot
        link(slot)
        return slot
    }

    private mutating func forgetFull(_ slot: Int?, _ now: Int64) -> Bool {
        guard let slot, Double(now) - Double(buckets[slot].refilledAt) >= periodNanoseconds else { return false }
        forget(slot)
        return true
    }

    private mutating func forget(_ slot: Int) {
        unlink(slot)
        slots[buckets[slot].key] = nil
        free.append(slot)
    }

    /// Puts a bucket last in its line.
    private mutating func link(_ slot: Int) {
        let isSpent = buckets[slot].isSpent
        var line = isSpent ? spent : usable
        buckets[slot].older = line.newest ?? slot
        buckets[slot].newer = slot
        if let newest = line.newest { buckets[newest].newer = slot } else { line.oldest = slot }
        line.newest = slot
        if isSpent { spent = line } else { usable = line }
    }

    private mutating func unlink(_ slot: Int) {
        let (older, newer, isSpent) = (buckets[slot].older, buckets[slot].newer, buckets[slot].isSpent)
        var line = isSpent ? spent : usable
        if older == slot {
            line.oldest = newer == slot ? nil : newer
        } else {
            buckets[older].newer = newer == slot ? older : newer
        }
        if newer == slot {
            line.newest = older == slot ? nil : older
        } else {
            buckets[newer].older = older == slot ? newer : older
        }
        if isSpent { spent = line } else { usable = line }
    }
}
