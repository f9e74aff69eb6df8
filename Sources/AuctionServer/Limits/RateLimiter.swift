internal import AuctionService
internal import EventLog
internal import Synchronization

/// How a response tells the caller of a rate limit, be it one of the server or a rule of the room.
enum RateLimit {
    /// The `RateLimit-Policy` and `RateLimit` headers of the IETF draft.
    /// - Parameters:
    ///   - count: number allowed per `periodSeconds`.
    ///   - waitSeconds: time until the next request is allowed.
    static func headers(
        of name: String, count: Int, periodSeconds: Int, remaining: Int, waitSeconds: Int
    ) -> [(name: String, value: String)] {
        [
            ("RateLimit-Policy", "\"\(name)\";q=\(count);w=\(periodSeconds)"),
            ("RateLimit", "\"\(name)\";r=\(remaining);t=\(waitSeconds)"),
        ]
    }
}

/// A token-bucket rate limiter with even refill, shared by all event loops.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    struct Verdict {
        let isAllowed: Bool
        let remaining: Int
        /// Time until the next request is allowed.
        let waitNanoseconds: Int64

        /// The wait in whole seconds, rounded up, for headers.
        var retryAfterSeconds: Int { Int(waitNanoseconds / 1_000_000_000) + (waitNanoseconds % 1_000_000_000 > 0 ? 1 : 0) }
    }

    /// Number of keys with a bucket of their own; `BucketTable` describes what happens beyond it.
    private static var keyLimit: Int { 65536 }

    /// Number allowed per `periodSeconds`; 0: no limit.
    let count: Int
    let periodSeconds: Int
    let name: String
    /// Number allowed at once after a pause, if that is more than `count`.
    private let burst: Int
    private let buckets: Mutex<BucketTable<Key>>

    /// - Parameter burst: number allowed at once after a pause; `count` if that is more.
    init(name: String, count: Int, burst: Int = 0, periodSeconds: Int) {
        self.name = name
        self.count = count
        self.periodSeconds = periodSeconds
        self.burst = burst
        buckets = Mutex(BucketTable(count: count, burst: burst, periodSeconds: periodSeconds, limit: Self.keyLimit))
    }

    var isOff: Bool { count == 0 }

    /// - Parameter tokens: cost of the request; it is allowed if at least one token is left.
    func take(_ key: Key, tokens: Int = 1, at monotonic: Int64) -> Verdict {
        let (isAllowed, left) = buckets.withLock { $0.take(key, tokens: tokens, at: monotonic) }
        return verdict(isAllowed: isAllowed, left: left)
    }

    /// The verdict of `take`, without taking a token.
    func peek(_ key: Key, at monotonic: Int64) -> Verdict {
        let left = buckets.withLock { $0.tokens(of: key, at: monotonic) }
        return verdict(isAllowed: left >= 1, left: left)
    }

    private func verdict(isAllowed: Bool, left: Double) -> Verdict {
        let wait = max(0, 1 - left) * Double(periodSeconds) * 1e9 / Double(max(count, 1))
        // A cost far above a small limit is waited for longer than a whole number of nanoseconds can say.
        let nanoseconds = Int64(exactly: wait.rounded(.up)) ?? .max  // proven: nil beyond the range
        return Verdict(isAllowed: isAllowed, remaining: Int(max(0, left)), waitNanoseconds: nanoseconds)
    }

    /// The `RateLimit-Policy` and `RateLimit` headers of the IETF draft. With a burst the quota is that, and the window the time in which it is
    /// refilled, so that no more remains than the quota says.
    func headers(_ verdict: Verdict) -> [(name: String, value: String)] {
        let quota = max(count, burst)
        let window = Int((Int64(quota) * Int64(periodSeconds) + Int64(count) - 1) / Int64(max(count, 1)))
        return RateLimit.headers(
            of: name, count: quota, periodSeconds: window, remaining: verdict.remaining, waitSeconds: verdict.retryAfterSeconds)
    }

    /// The refusal of a request that is not allowed.
    func problem(_ code: String, _ verdict: Verdict) -> Problem {
        var problem = Problem.tooManyRequests(code, retryAfterSeconds: verdict.retryAfterSeconds)
        problem.headers += headers(verdict).map { ResponseHeader(name: $0.name, value: $0.value) }
        return problem
    }
}
