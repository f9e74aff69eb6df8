extension ServerTime {
    /// As the service writes it: `2026-11-21T08:54:33.126Z`.
    ///
    /// Source: E. G. Richards, "Mapping Time", 1998, chapter 25: years begin in March, so that the leap day is the last.
    public var rfc3339: String {
        let seconds = milliseconds.flooredQuotient(1000)
        let days = seconds.flooredQuotient(86_400)
        let time = seconds - days * 86_400
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))"
        let clock = "\((time / 3600).padded(2)):\((time / 60 % 60).padded(2)):\((time % 60).padded(2))"
        return "\(date)T\(clock).\((milliseconds - seconds * 1000).padded(3))Z"
    }
}

extension Int64 {
    /// The quotient rounded down, also of negative numbers.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Padded with zeros on the left.
    fileprivate func padded(_ count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
