/// Where the buckets of a histogram end, and where its cells lie in a block: one per bucket, one beyond the last, the sum.
struct Buckets: Sendable {
    /// Upper ends, ascending, in the unit that is recorded (nanoseconds, events).
    let ends: [Int64]
    /// What one of the shown unit is in the recorded one: 1e9 for seconds.
    let scale: Double

    /// Cells that one histogram takes.
    var width: Int { ends.count + 2 }

    /// Answers: from a read out of memory to a long-poll that was held for its minute.
    static let latency = Buckets(
        seconds: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 75])
    /// Transactions: from a RAM disk to a disk in trouble.
    static let commit = Buckets(seconds: [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
    /// How late a loop's timer is; the first is what the timer's own grain takes.
    static let lag = Buckets(seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])
    /// Events of one transaction.
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

    /// How many values the histogram has.
    func total(in blocks: [CounterBlock], at start: Int = 0) -> Int64 {
        (0...ends.count).reduce(0) { $0 + blocks.sum(start + $1) }
    }
}
