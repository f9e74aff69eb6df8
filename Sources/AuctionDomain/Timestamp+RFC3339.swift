// RFC 3339 in UTC with milliseconds, such as 2026-11-21T08:30:00.125Z: the only form in requests, responses and events.
extension Timestamp: CustomStringConvertible {
    package var description: String {
        String(decoding: [UInt8](capacity: Self.textLength) { write(to: &$0) }, as: UTF8.self)
    }

    /// Number of bytes of the text.
    package static let textLength = 24

    /// Appends the 24 ASCII characters without allocating a string.
    package func write(to out: inout OutputSpan<UInt8>) {
        let (days, inDay) = milliseconds.quotientFlooring(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let (year, time) = (UInt32(truncatingIfNeeded: date.year), UInt32(truncatingIfNeeded: inDay))
        // Divisions by constants in 32 bits, each of the one before: a bid writes six timestamps.
        let (seconds, fraction) = (time / 1000, time % 1000)
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        Self.append(year / 100, to: &out)
        Self.append(year % 100, UInt8(ascii: "-"), to: &out)
        Self.append(UInt32(truncatingIfNeeded: date.month), UInt8(ascii: "-"), to: &out)
        Self.append(UInt32(truncatingIfNeeded: date.day), UInt8(ascii: "T"), to: &out)
        Self.append(hours, UInt8(ascii: ":"), to: &out)
        Self.append(minutes % 60, UInt8(ascii: ":"), to: &out)
        Self.append(seconds % 60, UInt8(ascii: "."), to: &out)
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100))
        Self.append(fraction % 100, UInt8(ascii: "Z"), to: &out)
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

    /// Appends the last two digits of a number, and what follows them.
    @inline(__always)
    private static func append(_ number: UInt32, _ separator: UInt8? = nil, to out: inout OutputSpan<UInt8>) {
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
        if let separator { out.append(separator) }
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
