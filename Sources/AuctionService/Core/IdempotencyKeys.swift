import AuctionDomain
import DequeModule
import EventLog

/// The keyed commands of one room: answered ones for 24 hours, running ones until their answer is durable.
struct IdempotencyKeys: Sendable {
    enum Finding {
        case fresh
        /// The answer stands in the log.
        case answered(position: Int64)
        /// The first one is still on its way; wait for its outcome.
        case running
        /// The key came with another body before.
        case reused
        /// The room keeps as many keys as it may.
        case full
    }

    static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000

    private struct Running {
        let fingerprint: UInt64
        var waiters: [CommandRequest] = []
    }

    private let limit: Int
    private var answered: [UInt128: StoredKey] = [:]
    private var byAge: Deque<StoredKey> = []
    private var running: [UInt128: Running] = [:]

    /// How many are remembered.
    var count: Int { answered.count }

    init(limit: Int, stored: [StoredKey] = []) {
        self.limit = limit
        for key in stored { remember(key) }
    }

    mutating func find(_ key: IdempotencyKey, at now: Now) -> Finding {
        expire(at: now)
        if let first = running[key.key] { return first.fingerprint == key.fingerprint ? .running : .reused }
        if let stored = answered[key.key] {
            return stored.fingerprint == key.fingerprint ? .answered(position: stored.position) : .reused
        }
        return answered.count + running.count < limit ? .fresh : .full
    }

    mutating func begin(_ key: IdempotencyKey) { running[key.key] = Running(fingerprint: key.fingerprint) }

    /// Takes in answers that other nodes gave, in order of position.
    mutating func learn(_ stored: [StoredKey]) { for key in stored { remember(key) } }

    /// Lets a repeat wait for the first one's outcome.
    mutating func wait(_ request: CommandRequest, for key: IdempotencyKey) {
        running[key.key]?.waiters.append(request)
    }

    /// The answer is durable; returns those who waited for it.
    mutating func finish(_ key: IdempotencyKey, at instant: Timestamp, position: Int64) -> [CommandRequest] {
        remember(StoredKey(key: key.key, fingerprint: key.fingerprint, at: instant, position: position))
        return running.removeValue(forKey: key.key)?.waiters ?? []
    }

    /// Nothing that runs will be written; returns all who waited, in the order of their keys.
    mutating func abandonAll() -> [CommandRequest] {
        defer { running = [:] }
        return running.keys.sorted().flatMap { running[$0]?.waiters ?? [] }
    }

    private mutating func remember(_ key: StoredKey) {
        answered[key.key] = key
        byAge.append(key)
    }

    private mutating func expire(at now: Now) {
        while let oldest = byAge.first, now.age(of: oldest.at) > Self.lifetimeMilliseconds {
            byAge.removeFirst()
            if answered[oldest.key] == oldest { answered[oldest.key] = nil }
        }
    }
}
