import AuctionDomain
import EventLog

/// The delay before an append that the log deferred is retried. Random, so that nodes that conflicted do not conflict again.
struct Jitter: Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

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
        return range.lowerBound + Int64(generator.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}
