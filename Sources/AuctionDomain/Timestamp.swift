/// An instant of the server's wall clock, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Milliseconds are what the contract shows; keeping no more means that an instant reads back exactly as it was written.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public static func + (instant: Self, seconds: Seconds) -> Self {
        Self(milliseconds: instant.milliseconds + Int64(seconds.count) * 1000)
    }

    public func advanced(byMilliseconds distance: Int64) -> Self { Self(milliseconds: milliseconds + distance) }

    /// Milliseconds from `earlier` to this instant; negative if this one is the earlier.
    public func milliseconds(since earlier: Self) -> Int64 { milliseconds - earlier.milliseconds }
}

/// A whole number of seconds, as the rules of an auction are written.
public struct Seconds: Hashable, Comparable, Sendable, Codable {
    public let count: Int

    public init(_ count: Int) { self.count = count }

    public init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }

    public static func < (left: Self, right: Self) -> Bool { left.count < right.count }
}
