/// An instant of the server's wall clock, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The API shows milliseconds; storing no finer unit makes a parsed instant equal to the one that was written.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before it.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Decodes the milliseconds, an integer; throws `DecodingError` for anything else.
    package init(from decoder: any Decoder) throws { milliseconds = try Int64(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant `seconds` later. Arithmetic traps on overflow.
    package static func + (instant: Self, seconds: Seconds) -> Self {
        Self(milliseconds: instant.milliseconds + Int64(seconds.count) * 1000)
    }

    /// The instant `distance` milliseconds later; earlier if negative.
    package func advanced(byMilliseconds distance: Int64) -> Self { Self(milliseconds: milliseconds + distance) }

    /// Milliseconds from `earlier` to this instant; negative if this one is the earlier.
    package func milliseconds(since earlier: Self) -> Int64 { milliseconds - earlier.milliseconds }
}

/// A whole number of seconds, the unit of durations in auction rules.
package struct Seconds: Hashable, Comparable, Sendable, Codable {
    /// The number of seconds; bounds are checked where requests are parsed.
    package let count: Int

    package init(_ count: Int) { self.count = count }

    /// Decodes a JSON integer; throws `DecodingError` for anything else.
    package init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int.self) }

    package func encode(to encoder: any Encoder) throws { try count.encode(to: encoder) }

    package static func < (left: Self, right: Self) -> Bool { left.count < right.count }
}
