/// Bucket bounds of a histogram. Its cells in a block are one per bucket, one for larger values, and the sum.
struct Buckets: Sendable {
    /// Inclusive upper bounds, ascending, in the recorded unit (nanoseconds or events).
    let ends: [Int64]
    /// Recorded units per exported unit: 1e9 for seconds.
    let scale: Double

    /// Number of cells of one histogram.
    var width: Int { ends.count + 2 }

    /// Response times: from a read from memory to a long-poll held for a minute.
    static let latency = Buckets(
        seconds: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 75])
    /// Durations of transactions: from a RAM disk to a failing disk.
    static let commit = Buckets(seconds: [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
    /// Delays of a loop's timer; the first bound is the timer's resolution.
    static let lag = Buckets(seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])
    /// Numbers of events per transaction.
    static let batch = Buckets(ends: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], scale: 1)

    init(ends: [Int64], scale: Double) {
        self.ends = ends
        self.scale = scale
    }

    private init(seconds: [Double]) {
        self.init(ends: seconds.map { Int64(($0 * 1e9).rounded()) }, scale: 1e9)  // proven: constants
    }

    /// Counts a value in the histogram whose cells begin at `start`.
    func record(_ value: Int64, in block: CounterBlock, at start: Int = 0) {
        let ends = ends.span
        var bucket = 0
        while bucket < ends.count, value > ends[bucket] { bucket += 1 }
        block.add(to: start + bucket)
        block.add(value, to: start + ends.count + 1)
    }

    /// Number of recorded values.
    func total(in blocks: [CounterBlock], at start: Int = 0) -> Int64 {
        (0...ends.count).reduce(0) { $0 + blocks.sum(start + $1) }
    }
}
