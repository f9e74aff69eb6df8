/// Histogram of durations with constant memory; buckets are at most 1/32 of their value wide.
struct LatencyHistogram {
    private var counts = [Int](repeating: 0, count: 60 * 32)
    private(set) var count = 0
    private(set) var highest: Int64 = 0

    mutating func record(_ nanoseconds: Int64) {
        counts[Self.bucket(UInt64(max(0, nanoseconds)))] += 1
        count += 1
        highest = max(highest, nanoseconds)
    }

    /// The quantile `share` (0 to 1) in microseconds, rounded up to the upper bound of its bucket.
    func microseconds(_ share: Double) -> Double {
        guard count > 0 else { return 0 }
        var left = Int((Double(count) * share).rounded(.up))
        for (index, inBucket) in counts.enumerated() {
            left -= inBucket
            if left <= 0 { return min(Double(Self.upperBound(index)), Double(highest)) / 1000 }
        }
        return Double(highest) / 1000
    }

    private static func bucket(_ value: UInt64) -> Int {
        guard value >= 32 else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 4) * 32 + Int(value >> UInt64(exponent - 5)) - 32
    }

    private static func upperBound(_ bucket: Int) -> UInt64 {
        guard bucket >= 32 else { return UInt64(bucket) }
        return (UInt64(bucket % 32 + 33) << UInt64(bucket / 32 - 1)) - 1
    }
}
