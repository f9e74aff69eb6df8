/// How long to wait before the next attempt: a random time up to a ceiling that doubles with every failure ("full jitter"), so that the
/// clients of a server that failed do not all come back at once.
/// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
struct Backoff: Sendable {
    private let base: Duration
    private let maximum: Duration
    private var random: RandomSequence
    /// Failures since the last success.
    private(set) var failures = 0

    /// - Parameters:
    ///   - base: the ceiling of the first delay.
    ///   - maximum: the largest ceiling.
    init(base: Duration, maximum: Duration, seed: UInt64) {
        self.base = base
        self.maximum = maximum
        random = RandomSequence(seed: seed)
    }

    /// The longest that the next delay may be.
    private var ceiling: Duration {
        // Beyond 30 doublings every base has reached the maximum.
        min(maximum, base * (1 << min(failures, 30)))
    }

    /// The next delay. What the service asked for is never undercut; the jitter comes on top, for the same reason.
    mutating func next(after retryAfter: Duration?) -> Duration {
        let jitter = random.duration(upTo: ceiling)
        failures += 1
        return (retryAfter ?? .zero) + jitter
    }

    mutating func reset() { failures = 0 }
}
