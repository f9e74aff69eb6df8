import AuctionDomain
import DequeModule
import EventLog

/// The idempotency keys of one room: answered ones for 24 hours, running ones until their response is durable.
///
/// Each user has a quota; beyond it the user's own oldest answered key is evicted. When the room's limit is exceeded, the oldest
/// key of the user with the most keys is evicted. A repeat with an evicted key is decided as a new command; its stored response
/// is of no use any more, and the node whose append evicts it discards it. Eviction depends only on the responses and their order, so
/// nodes keep the same keys, also after a restart, as long as the room's limit is not reached.
struct IdempotencyKeys: Sendable {
    enum Finding {
        case fresh
        /// The stored response is in the log at this position.
        case answered(position: Int64)
        /// The first command is still in flight; wait for its outcome.
        case running
        /// The key was used with another request body.
        case reused
        /// The user has reached the maximum of keyed commands in flight.
        case full
    }

    static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000

    private struct Running {
        let fingerprint: UInt64
        var waiters: [CommandRequest] = []
    }

    /// A stored response; its key may have a newer one by now.
    private struct Entry {
        let key: UInt128
        let position: Int64
    }

    private let (perRoom, perUser): (Int, Int)
    /// Position in the log of the last known stored response; 0 for none.
    private(set) var lastPosition: Int64 = 0
    private var answered: [UInt128: StoredKey] = [:]
    private var shares = KeyShares()
    /// In order of position; entries may be void.
    private var byAge: Deque<Entry> = []
    private var running: [UInt128: Running] = [:]
    private var runningPerUser: [UserID: Int] = [:]

    /// Number of answered keys.
    var count: Int { answered.count }

    init(_ limits: ServiceLimits, stored: [StoredKey] = []) {
        (perRoom, perUser) = (limits.keysPerRoom, limits.keysPerUser)
        for key in stored { remember(key) }
    }

    mutating func find(_ key: IdempotencyKey, of user: UserID, at now: Now) -> Finding {
        expire(at: now)
        if let first = running[key.key] { return key.matches(first.fingerprint) ? .running : .reused }
        if let stored = answered[key.key] {
            return key.matches(stored.fingerprint) ? .answered(position: stored.position) : .reused
        }
        return runningPerUser[user, default: 0] < perUser ? .fresh : .full
    }

    mutating func begin(_ key: IdempotencyKey, of user: UserID) {
        running[key.key] = Running(fingerprint: key.fingerprint)
        runningPerUser[user, default: 0] += 1
    }

    /// Adds stored responses of other nodes, in order of position. Those nodes discard what is evicted for them.
    mutating func insert(_ stored: [StoredKey]) { for key in stored { remember(key) } }

    /// Queues a repeat until the first command's outcome is known.
    mutating func wait(_ request: CommandRequest, for key: IdempotencyKey) {
        running[key.key]?.waiters.append(request)
    }

    /// The response is durable; returns the repeats that waited for it.
    /// - Parameter evicted: The positions of the responses whose keys this one evicts are added to it.
    mutating func finish(
        _ key: IdempotencyKey, of user: UserID, at instant: Timestamp, position: Int64, evicted: inout [Int64]
    ) -> [CommandRequest] {
        let stored = StoredKey(
            key: key.key, fingerprint: key.fingerprint, owner: KeyOwner(user), at: instant, position: position)
        for other in remember(stored) { evicted.append(other.position) }
        guard let first = running.removeValue(forKey: key.key) else { return [] }
        let left = runningPerUser[user, default: 1] - 1
        runningPerUser[user] = left > 0 ? left : nil
        return first.waiters
    }

    /// No running command will be appended; returns all waiting repeats, ordered by key.
    mutating func abandonAll() -> [CommandRequest] {
        defer { (running, runningPerUser) = ([:], [:]) }
        return running.keys.sorted().flatMap { running[$0]?.waiters ?? [] }
    }

    /// Adds a key; returns those that it evicts.
    @discardableResult
    private mutating func remember(_ key: StoredKey) -> [StoredKey] {
        var evicted: [StoredKey] = []
        lastPosition = max(lastPosition, key.position)
        if let known = answered[key.key] { shares.remove(known.key, of: known.owner) }
        answered[key.key] = key
        byAge.append(Entry(key: key.key, position: key.position))
        shares.add(key.key, of: key.owner)
        if shares.count(of: key.owner) > perUser, let oldest = shares.removeOldest(of: key.owner),
            let stored = answered.removeValue(forKey: oldest)
        {
            evicted.append(stored)
        }
        if answered.count > perRoom, let stored = evictOne() { evicted.append(stored) }
        if byAge.count > 2 * answered.count + 16 { byAge.removeAll { answered[$0.key]?.position != $0.position } }
        return evicted
    }

    /// Evicts and returns the oldest key of a user with the most keys; if no user has more than one, the oldest of all.
    private mutating func evictOne() -> StoredKey? {
        if shares.largest > 1 {
            return shares.removeOldestOfLargest().flatMap { answered.removeValue(forKey: $0) }
        }
        while let oldest = byAge.popFirst() {
            if let evicted = evict(oldest) { return evicted }
        }
        return nil
    }

    private mutating func expire(at now: Now) {
        while let oldest = byAge.first {
            if let stored = stored(oldest), now.age(of: stored.at) <= Self.lifetimeMilliseconds { return }
            byAge.removeFirst()
            _ = evict(oldest)
        }
    }

    /// The stored response of an entry, unless it is void.
    private func stored(_ entry: Entry) -> StoredKey? {
        answered[entry.key].flatMap { $0.position == entry.position ? $0 : nil }
    }

    private mutating func evict(_ entry: Entry) -> StoredKey? {
        guard let stored = stored(entry) else { return nil }
        answered[stored.key] = nil
        shares.remove(stored.key, of: stored.owner)
        return stored
    }
}
