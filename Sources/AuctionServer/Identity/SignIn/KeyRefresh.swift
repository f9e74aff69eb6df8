/// When the keys of one provider are fetched. Times are nanoseconds of the monotonic clock.
struct KeyRefresh {
    /// Keys are fetched again after this.
    static let interval: Int64 = 3600 * 1_000_000_000
    /// Two attempts for unknown keys are at least this far apart, because anyone can make such tokens up; and so is one after a failure.
    static let spacing: Int64 = 60 * 1_000_000_000

    enum Answer: Hashable { case begin, join, tooSoon }

    private var begunAt: Int64?
    /// When the last attempt for an unknown key began.
    private var askedAt: Int64?
    private var succeededAt: Int64?
    private var isInProgress = false

    /// Whether it is time to fetch; then an attempt begins.
    mutating func isDue(at now: Int64) -> Bool {
        if let succeededAt, now - succeededAt < Self.interval { return false }
        if let begunAt, now - begunAt < Self.spacing { return false }
        return begin(at: now) == .begin
    }

    /// A token names a key that is not known.
    mutating func ask(at now: Int64) -> Answer {
        guard !isInProgress else { return .join }
        if let askedAt, now - askedAt < Self.spacing { return .tooSoon }
        askedAt = now
        return begin(at: now)
    }

    private mutating func begin(at now: Int64) -> Answer {
        guard !isInProgress else { return .join }
        (begunAt, isInProgress) = (now, true)
        return .begin
    }

    /// The attempt is over.
    mutating func ended(hasKeys: Bool, at now: Int64) {
        isInProgress = false
        if hasKeys { succeededAt = now }
    }
}
