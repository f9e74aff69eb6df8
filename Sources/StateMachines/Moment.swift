/// A point in time, in whole milliseconds since an origin that the program chooses.
///
/// The library reads no clock: moments come in as values, so the same values always give the same result.
public struct Moment: Hashable, Comparable, Sendable, Codable {
    /// Since the origin; negative before it.
    public let milliseconds: Int64

    /// A moment so many milliseconds after the origin.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// So much later; parts of a millisecond are dropped, and the end of time is not passed.
    public static func + (moment: Self, delay: Duration) -> Self {
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(delay.wholeMilliseconds)
        guard overflow else { return Self(milliseconds: sum) }
        return Self(milliseconds: delay < .zero ? .min : .max)
    }

    /// How much time lies between `earlier` and this moment; negative if this one is the earlier.
    public func duration(since earlier: Self) -> Duration {
        .milliseconds(milliseconds) - .milliseconds(earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero and held within what 64 bits take.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
