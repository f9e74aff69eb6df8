/// A point in time, in whole milliseconds since an origin that the program chooses.
///
/// The library reads no clock: callers pass instants as values, so results are reproducible.
public struct MachineTimestamp: Hashable, Comparable, Sendable, Codable {
    /// Since the origin; negative before it.
    public let milliseconds: Int64

    /// An instant the given number of milliseconds after the origin.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Decodes a whole number of milliseconds.
    /// - Throws: `DecodingError` if the value is not a 64-bit integer.
    public init(from decoder: any Decoder) throws { milliseconds = try Int64(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// A later instant; fractions of a millisecond are dropped, and the result saturates at the bounds of `Int64`.
    public static func + (timestamp: Self, delay: Duration) -> Self {
        let (sum, overflow) = timestamp.milliseconds.addingReportingOverflow(delay.wholeMilliseconds)
        guard overflow else { return Self(milliseconds: sum) }
        return Self(milliseconds: delay < .zero ? .min : .max)
    }

    /// Time from `earlier` to this instant; negative if this instant is the earlier one.
    public func duration(since earlier: Self) -> Duration {
        .milliseconds(milliseconds) - .milliseconds(earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero and clamped to `Int64`.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
