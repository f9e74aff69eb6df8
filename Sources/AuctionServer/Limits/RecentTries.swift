internal import AuctionService
internal import EventLog
internal import Synchronization

/// When tries of each key were, for the length of a period. A value: time is passed in.
///
/// For a few tries in a long period: a `BucketTable` refills meanwhile, and so allows nearly twice as many in the first period. If `limit` tries are
/// remembered, no key has another one before the oldest ends: tries with other keys do not lift the bound.
struct TryTable<Key: Hashable & Sendable>: Sendable {
    private struct Try {
        let key: Key
        let at: Int64
    }

    /// Most tries of a key in a period, …
    private let count: Int
    /// … in nanoseconds.
    private let period: Int64
    /// Most tries of all keys that are remembered.
    private let limit: Int
    /// The oldest first; those before `oldest` are forgotten.
    private var all: [Try] = []
    private var oldest = 0
    /// When those of each key were.
    private var times: [Key: [Int64]] = [:]

    init(count: Int, period: Int64, limit: Int) { (self.count, self.period, self.limit) = (count, period, limit) }

    /// Number of tries that are remembered.
    var size: Int { all.count - oldest }

    /// How many tries a key has left, and nanoseconds until it has one; 0 if it has.
    mutating func left(_ key: Key, at now: Int64) -> (tries: Int, wait: Int64) {
        forget(at: now)
        let own = times[key] ?? []
        if own.count >= count, let first = own.first { return (0, first + period - now) }
        if size >= limit, oldest < all.count { return (0, all[oldest].at + period - now) }
        return (count - own.count, 0)
    }

    /// Remembers a try of a key that has one left.
    mutating func add(_ key: Key, at now: Int64) {
        guard left(key, at: now).tries > 0 else { return }
        // Clocks of threads may differ by a little; the order stays that of the calls.
        let at = max(now, all.last?.at ?? now)
        all.append(Try(key: key, at: at))
        times[key, default: []].append(at)
    }

    private mutating func forget(at now: Int64) {
        while oldest < all.count, now - all[oldest].at >= period {
            let key = all[oldest].key
            oldest += 1
            times[key]?.removeFirst()
            if times[key]?.isEmpty == true { times[key] = nil }
        }
        guard oldest > all.count / 2 else { return }
        all.removeFirst(oldest)
        oldest = 0
    }
}

/// At most so many tries of a key in any period, shared by all event loops.
final class RecentTries<Key: Hashable & Sendable>: Sendable {
    /// Tries of all keys that are remembered.
    static var limit: Int { 65536 }

    private let name: String
    /// Tries in `periodSeconds`; 0: no limit.
    private let count: Int
    private let periodSeconds: Int
    private let table: Mutex<TryTable<Key>>

    init(name: String, count: Int, periodSeconds: Int) {
        (self.name, self.count, self.periodSeconds) = (name, count, periodSeconds)
        table = Mutex(TryTable(count: count, period: Int64(periodSeconds) * 1_000_000_000, limit: Self.limit))
    }

    /// Refuses a key that has no try left.
    func check(_ key: Key, _ code: String, at monotonic: Int64) throws(Problem) {
        guard count > 0 else { return }
        let (tries, wait) = table.withLock { $0.left(key, at: monotonic) }
        guard tries == 0 else { return }
        let seconds = Int((wait + 999_999_999) / 1_000_000_000)
        var problem = Problem.tooManyRequests(code, retryAfterSeconds: seconds)
        let headers = RateLimit.headers(
            of: name, count: count, periodSeconds: periodSeconds, remaining: 0, waitSeconds: seconds)
        problem.headers += headers.map { ResponseHeader(name: $0.name, value: $0.value) }
        throw problem
    }

    /// Counts a try.
    func add(_ key: Key, at monotonic: Int64) {
        guard count > 0 else { return }
        table.withLock { $0.add(key, at: monotonic) }
    }
}
