/// Pauses after failures, each twice as long as the one before.
struct VoiceBackOff: Sendable {
    private var failures = 0
    private var until: Int64 = .min

    /// Whether the last try has succeeded.
    var isWell: Bool { failures == 0 }

    func allows(at monotonic: Int64) -> Bool { monotonic >= until }

    mutating func succeeded() { (failures, until) = (0, .min) }

    mutating func failed(at monotonic: Int64, _ pauses: ClosedRange<Int64>, jitter: Double) {
        let usual = min(pauses.lowerBound << Int64(min(failures, 16)), pauses.upperBound)
        let share = 0.5 + 0.5 * min(max(jitter, 0), 1)
        until = monotonic + Int64(Double(usual) * share)  // proven: at most a pause
        failures += 1
    }
}

/// How many calls were sent in the last second.
struct VoicePace: Sendable {
    private static let second: Int64 = 1_000_000_000
    private var calls: [Int64] = []
    private var comparisons: [Int64] = []

    mutating func allows(_ count: Int, at monotonic: Int64) -> Bool {
        calls.removeAll { monotonic - $0 >= Self.second }
        return calls.count < count
    }

    mutating func allowsComparison(_ count: Int, at monotonic: Int64) -> Bool {
        comparisons.removeAll { monotonic - $0 >= Self.second }
        return comparisons.count < count
    }

    mutating func take(isComparison: Bool, at monotonic: Int64) {
        calls.append(monotonic)
        if isComparison { comparisons.append(monotonic) }
    }
}
