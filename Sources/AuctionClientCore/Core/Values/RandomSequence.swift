/// Numbers that follow from a seed: the core gets its randomness as a value, so that a test can repeat a run.
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (SplitMix64).
struct RandomSequence: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A duration in whole milliseconds from zero to `ceiling`.
    mutating func duration(upTo ceiling: Duration) -> Duration {
        let parts = ceiling.components
        let (milliseconds, overflow) = parts.seconds.multipliedReportingOverflow(by: 1000)
        let whole = overflow ? Int64.max - 1 : milliseconds + parts.attoseconds / 1_000_000_000_000_000
        guard whole > 0 else { return .zero }
        return .milliseconds(Int64(next() % UInt64(whole + 1)))
    }
}
