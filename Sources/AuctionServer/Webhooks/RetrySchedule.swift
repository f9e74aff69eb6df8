/// When a delivery that has failed is sent again.
enum RetrySchedule {
    /// Milliseconds after each failed attempt: 5 s, 30 s, 2 min, 15 min, 1 h, 6 h, 24 h.
    static let delays: [Int64] = [5000, 30_000, 120_000, 900_000, 3_600_000, 21_600_000, 86_400_000]
    /// After so many attempts a delivery has failed for good.
    static let attempts = delays.count + 1
    /// The longest that an endpoint can ask for by `Retry-After`, in milliseconds.
    static let longestDelay: Int64 = 86_400_000

    /// Milliseconds until the next attempt; nil after the last.
    /// - Parameters:
    ///   - attempts: How many have failed.
    ///   - asked: What the endpoint asked for by `Retry-After`.
    ///   - jitter: From 0 to 1; spreads deliveries that have failed together over a fifth of the time on either side.
    static func delay(after attempts: Int, asked: Int64?, jitter: Double) -> Int64? {
        guard attempts < Self.attempts else { return nil }
        let usual = Double(delays[max(0, attempts - 1)]) * (0.8 + 0.4 * min(max(jitter, 0), 1))
        return max(Int64(usual), min(asked ?? 0, longestDelay))
    }

    /// The milliseconds that a `Retry-After` asks for, in seconds or as a time (RFC 9110 section 10.2.3).
    /// - Parameter date: The response's `Date`, which a time is compared with: the endpoint's clock need not agree with this one.
    static func asked(by header: String?, date: String? = nil) -> Int64? {
        guard let header else { return nil }
        let seconds: Int64
        if header.utf8.count <= 9, let number = Int64(header) {
            seconds = number
        } else if let end = HTTPTime.seconds(header), let date, let start = HTTPTime.seconds(date) {
            seconds = end - start
        } else {
            return nil
        }
        return seconds < 0 ? nil : min(1000 * seconds, longestDelay)
    }
}

/// How fast an endpoint is sent to, which has said that it is busy.
struct EndpointPace {
    /// The first pause, and the longest, in milliseconds.
    static let pauses: ClosedRange<Int64> = 1000...60_000

    /// By the monotonic clock, in nanoseconds.
    private var until: Int64 = .min
    private var refusals = 0

    /// The endpoint responded with a status that asks to be slower.
    mutating func slow(at monotonic: Int64, asked: Int64?) {
        var pause = asked ?? 0
        // Several that were in flight together count as one.
        if refusals == 0 || monotonic >= until {
            pause = max(pause, min(Self.pauses.lowerBound << min(refusals, 6), Self.pauses.upperBound))
            refusals += 1
        }
        until = max(until, monotonic + pause * 1_000_000)
    }

    mutating func succeeded() { (until, refusals) = (.min, 0) }

    /// Something could not be sent, which says nothing of the endpoint.
    mutating func wait(at monotonic: Int64) { until = max(until, monotonic + Self.pauses.lowerBound * 1_000_000) }

    /// Whether another delivery may begin, while others are in flight: after a pause one shows whether the endpoint is well again.
    func allows(inFlight: Int, at monotonic: Int64) -> Bool { monotonic >= until && (refusals == 0 || inFlight == 0) }

    /// Whether a status asks to be slower.
    static func isBusy(_ status: Int?) -> Bool { status.map { [429, 502, 504].contains($0) } ?? false }
}

/// Times in headers, as senders have to write them (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970; nil for any other text.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let clock = parts[4].split(separator: ":")
        guard clock.count == 3, let day = number(parts[1], 1...31), let year = number(parts[3], 1970...9999),
            let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        // Years that begin in March have their leap day last.
        let marchYear = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
        return Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number) else {
            return nil
        }
        return number
    }
}
