internal import AuctionService
internal import Synchronization

/// Token buckets: so many at once, refilled evenly. Shared by all loops.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    struct Verdict {
        let isAllowed: Bool
        let remaining: Int
        /// Until the next one is allowed.
        let waitNanoseconds: Int64

        /// The same for headers: whole seconds, after which it surely is.
        var retryAfterSeconds: Int { Int((waitNanoseconds + 999_999_999) / 1_000_000_000) }
    }

    private struct Bucket {
        var tokens: Double
        var refilledAt: Int64
    }

    /// Buckets beyond this many are forgotten: whoever is forgotten has a full one.
    private static var bucketLimit: Int { 65536 }

    /// How many at once and per `periodSeconds`; 0: no limit.
    let count: Int
    let periodSeconds: Int
    let name: String
    private let buckets = Mutex<[Key: Bucket]>([:])

    init(name: String, count: Int, periodSeconds: Int) {
        self.name = name
        self.count = count
        self.periodSeconds = periodSeconds
    }

    var isOff: Bool { count == 0 }

    func take(_ key: Key, at monotonic: Int64) -> Verdict {
        let perNanosecond = Double(count) / (Double(periodSeconds) * 1e9)
        return buckets.withLock { buckets in
            if buckets.count >= Self.bucketLimit, buckets[key] == nil { forgetFull(&buckets, perNanosecond, monotonic) }
            var bucket = buckets[key] ?? Bucket(tokens: Double(count), refilledAt: monotonic)
            bucket.tokens = min(Double(count), bucket.tokens + Double(max(0, monotonic - bucket.refilledAt)) * perNanosecond)
            bucket.refilledAt = monotonic
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            buckets[key] = bucket
            let missing = max(0, 1 - bucket.tokens)
            return Verdict(
                isAllowed: isAllowed, remaining: Int(bucket.tokens), waitNanoseconds: Int64(missing / perNanosecond))
        }
    }

    private func forgetFull(_ buckets: inout [Key: Bucket], _ perNanosecond: Double, _ monotonic: Int64) {
        buckets = buckets.filter { _, bucket in
            bucket.tokens + Double(monotonic - bucket.refilledAt) * perNanosecond < Double(count)
        }
        if buckets.count >= Self.bucketLimit { buckets.removeAll() }
    }

    /// The header fields of the IETF draft: the policy, and where the caller stands.
    func headers(_ verdict: Verdict) -> [(name: String, value: String)] {
        return [
            ("RateLimit-Policy", "\"\(name)\";q=\(count);w=\(periodSeconds)"),
            ("RateLimit", "\"\(name)\";r=\(verdict.remaining);t=\(verdict.retryAfterSeconds)"),
        ]
    }
}
