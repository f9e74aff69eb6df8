internal import CScheduling
internal import Glibc

/// The header that a server with a clock sends with every response (RFC 9110, section 6.6.1); libmicrohttpd adds it to its own ones.
enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The present time.
    static var now: String { text(secondsSince1970: scheduling_nanoseconds(CLOCK_REALTIME) / 1_000_000_000) }

    /// A time as HTTP writes it, in English whatever the locale: `Sun, 06 Nov 1994 08:49:37 GMT`. A time before 1970 is written as its
    /// beginning.
    static func text(secondsSince1970 seconds: Int64) -> String {
        let seconds = Int(max(0, seconds))
        let days = seconds / 86_400
        // Days and years since 1 March of year 0, so that a leap day is the last day of its year; 146,097 days are 400 years.
        let dayOfEra = (days + 719_468) % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthSinceMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthSinceMarch + 2) / 5 + 1
        let month = (monthSinceMarch + 2) % 12
        let year = (days + 719_468) / 146_097 * 400 + yearOfEra + (month < 2 ? 1 : 0)
        // 1 January 1970 was a Thursday.
        let date = "\(weekdays[(days + 4) % 7]), \(twoDigits(day)) \(months[month]) \(year)"
        return "\(date) \(twoDigits(seconds / 3600 % 24)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60)) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
