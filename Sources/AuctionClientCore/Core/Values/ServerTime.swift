/// An instant by the server's clock, in milliseconds since 1970-01-01 UTC.
public struct ServerTime: Hashable, Comparable, Sendable, Codable {
    /// Since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// An instant by its milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// An instant from RFC 3339, such as `2026-11-21T08:54:33.126Z`; digits beyond milliseconds are dropped.
    ///
    /// Nil if the text is something else, or not in UTC: the service sends UTC only.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            bytes[bytes.count - 1] == UInt8(ascii: "Z") || bytes[bytes.count - 1] == UInt8(ascii: "z"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10]),
            let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]),
            let second = Self.number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), bytes.count > 21,
                let digits = Self.number(bytes[20..<min(bytes.count - 1, 23)])
            else { return nil }
            let missing = 3 - min(bytes.count - 21, 3)
            fraction = digits * (missing == 2 ? 100 : missing == 1 ? 10 : 1)
        }
        let seconds = ((Self.days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        milliseconds = seconds * 1000 + fraction
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Time from another instant to this one; negative if the other is later.
    public func duration(since other: Self) -> Duration {
        .milliseconds(milliseconds) - .milliseconds(other.milliseconds)
    }

    /// Digits only, at most five, so that nothing overflows.
    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 5 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    /// Source: E. G. Richards, "Mapping Time", 1998, chapter 25: years begin in March, so that the leap day is the last.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}

extension ServerTime: CustomStringConvertible {
    /// For logs: milliseconds since 1970.
    public var description: String { "\(milliseconds) ms" }
}
