import EventLog

/// The delay before an append that the log deferred is retried. Random, so that nodes that conflicted do not conflict again.
struct Jitter: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The delay in milliseconds.
    mutating func delay(after deferral: AppendVerdict.Deferral) -> Int64 {
        let range: ClosedRange<Int64> =
            switch deferral {
            // About the duration of a transaction.
            case .locked: 1...8
            // Until the node has read the log's clock again; it is wrong only after the machine was suspended.
            case .stamp: 20...60
            case .early: 2...10
            // Until the expired deadlines have been extended.
            case .outage: 100...300
            }
        return range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
