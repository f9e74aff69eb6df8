// RFC 3339 in UTC with milliseconds, such as 2026-11-21T08:30:00.125Z: the only form in requests, responses and events.
extension Timestamp: CustomStringConvertible {
    package var description: String {
        let words = text
        return String(
            decoding: [UInt8](capacity: 24) { out in
                for index in words.indices {
                    for shift in stride(from: 56, through: 0, by: -8) {
                        out.append(UInt8(truncatingIfNeeded: words[index] &>> UInt64(shift)))
                    }
                }
            }, as: UTF8.self)
    }

    /// The 24 ASCII characters in three words, the first in the most significant byte of each.
    package var text: InlineArray<3, UInt64> {
        let (days, inDay) = milliseconds.quotientFlooring(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let (year, time) = (UInt32(truncatingIfNeeded: date.year), UInt32(truncatingIfNeeded: inDay))
        // Divisions by constants in 32 bits, each of the one before: a bid writes six timestamps.
        let (seconds, fraction) = (time / 1000, time % 1000)
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        let (month, day) = (UInt32(truncatingIfNeeded: date.month), UInt32(truncatingIfNeeded: date.day))
        let dates = Self.digits(year / 100 % 100) << 48 | Self.digits(year % 100) << 32 | Self.digits(month) << 8
        let times = Self.digits(day) << 48 | Self.digits(hours) << 24 | Self.digits(minutes % 60)
        let rest = Self.digits(seconds % 60) << 40 | UInt64(0x30 + fraction / 100) << 24 | Self.digits(fraction % 100) << 8
        // Between them `-` and `-`, `T` and `:`, and `:`, `.` and `Z`.
        return [dates | 0x2D00_002D, times | 0x5400_003A_0000, rest | 0x3A00_002E_0000_005A]
    }

    /// Parses exactly the form that `description` returns; nil for any other text and for dates that do not exist.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == pattern.count else { return nil }
        for (byte, expected) in zip(bytes, pattern) {
            let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
        let date = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard hour < 24, minute < 60, second < 60, CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
        let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
        self.init(milliseconds: seconds * 1000 + number(20..<23))
    }

    /// An instant of a request: RFC 3339 with any offset, and from none to nine digits of a second, of which three count.
    package init?(request text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > 19 else { return nil }
        var rest = bytes[19...]
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            fraction = Array(rest.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
            guard (1...9).contains(fraction.count) else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = Self.offset(String(decoding: rest, as: UTF8.self)) else { return nil }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 3)
        let whole = bytes[..<19] + [UInt8(ascii: ".")] + (fraction + zeros).prefix(3) + [UInt8(ascii: "Z")]
        guard let local = Timestamp(rfc3339: String(decoding: whole, as: UTF8.self)) else { return nil }
        self = local.advanced(byMilliseconds: -60_000 * offset)
    }

    /// Minutes east of UTC: `Z`, `+08:00`, `-03:30`; nil for anything else.
    private static func offset(_ text: String) -> Int64? {
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
    }

    /// The last two digits of a number below 100, in ASCII in the two lowest bytes.
    @inline(__always)
    private static func digits(_ number: UInt32) -> UInt64 {
        let ten = number / 10
        return UInt64(0x3030 &+ ten &<< 8 &+ number &- 10 &* ten)
    }
}

/// A day of the proleptic Gregorian calendar; arithmetic and names are those of Howard Hinnant's `civil_from_days`.
private struct CivilDate: Equatable {
    var year: Int64
    var month: Int64
    var day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientFlooring(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.quotientFlooring(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// Quotient and remainder with the remainder never negative.
    fileprivate func quotientFlooring(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
