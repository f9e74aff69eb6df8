import StateMachines

/// An estimate of the server's clock, from the times that its responses and notices carry.
///
/// Only the device's monotonic clock takes part: a wall clock that is wrong, or is set while the app runs, changes nothing. Every
/// response bounds the offset between the two clocks from both sides, because the server wrote its time after the request was sent and
/// before the response arrived; a notice bounds it from one side. The bounds of all samples are intersected, and widened with age.
/// Source: K. Marzullo, S. Owicki, "Maintaining the Time in a Distributed System", 1983.
struct ServerClock: Hashable, Sendable {
    /// How far two clocks may drift apart per second, in millionths; the service corrects its own clock at a much higher rate only after
    /// it was set, which is treated as a new clock.
    static let drift: Int64 = 500
    /// What is assumed of a notice's way if no response has bounded the offset yet.
    static let assumedDelay: Int64 = 1000

    /// Server's minus device's milliseconds, at least.
    private var low: Int64?
    /// At most; nil while only notices were seen.
    private var high: Int64?
    private var sampledAt = MachineTimestamp(milliseconds: 0)

    /// Takes a time of the server into account.
    /// - Parameters:
    ///   - sentAt: when the request was sent to which this is the response; nil for a notice.
    ///   - receivedAt: when it arrived.
    mutating func observe(_ time: ServerTime, sentAt: MachineTimestamp?, receivedAt: MachineTimestamp) {
        // Both clocks count whole milliseconds, so a millisecond is added on each side.
        guard let newLow = difference(time.milliseconds, receivedAt.milliseconds, -1) else { return }
        var newHigh: Int64?
        if let sentAt {
            guard sentAt <= receivedAt, let bound = difference(time.milliseconds, sentAt.milliseconds, 1) else { return }
            newHigh = bound
        }
        widen(to: receivedAt)
        sampledAt = max(sampledAt, receivedAt)
        let isContradiction =
            (high.map { newLow > $0 } ?? false) || (newHigh.map { bound in low.map { bound < $0 } ?? false } ?? false)
        if isContradiction {
            low = newLow
            high = newHigh
        } else {
            low = max(low ?? newLow, newLow)
            high = if let newHigh { min(high ?? newHigh, newHigh) } else { high }
        }
    }

    /// The server's time at an instant of the monotonic clock; nil before the first sample.
    func estimate(at now: MachineTimestamp) -> ServerTimeEstimate? {
        var clock = self
        clock.widen(to: now)
        guard let low = clock.low else { return nil }
        let high = clock.high ?? low.addingReportingOverflow(2 * Self.assumedDelay).partialValue
        let half = high.subtractingReportingOverflow(low).partialValue / 2
        let (offset, overflow) = low.addingReportingOverflow(half)
        let (time, timeOverflow) = now.milliseconds.addingReportingOverflow(offset)
        guard !overflow, !timeOverflow else { return nil }
        return ServerTimeEstimate(time: ServerTime(milliseconds: time), uncertainty: .milliseconds(max(half, 1)))
    }

    private mutating func widen(to now: MachineTimestamp) {
        let (age, overflow) = now.milliseconds.subtractingReportingOverflow(sampledAt.milliseconds)
        guard !overflow, age > 0, low != nil else { return }
        // A week of drift is five minutes; older samples say nothing more.
        let drift = min(age, 604_800_000) * Self.drift / 1_000_000
        low = low.flatMap { difference($0, drift, 0) }
        high = high.flatMap { $0.addingReportingOverflow(drift).overflow ? nil : $0 + drift }
        if drift > 0 { sampledAt = now }
    }

    private func difference(_ first: Int64, _ second: Int64, _ more: Int64) -> Int64? {
        let (result, overflow) = first.subtractingReportingOverflow(second)
        let (sum, sumOverflow) = result.addingReportingOverflow(more)
        return overflow || sumOverflow ? nil : sum
    }
}

/// What the server's clock shows, as far as the client can know.
public struct ServerTimeEstimate: Hashable, Sendable {
    /// The middle of what is possible.
    public let time: ServerTime
    /// The real time is at most this much earlier or later.
    public let uncertainty: Duration

    /// What is left until a deadline; zero after it.
    public func remaining(until deadline: ServerTime) -> Duration { max(.zero, deadline.duration(since: time)) }

    /// Whether a deadline has certainly passed.
    public func isPast(_ deadline: ServerTime) -> Bool { time.duration(since: deadline) >= uncertainty }
}

/// A time of the server that a response or a notice carried.
struct ClockSample: Hashable, Sendable {
    let time: ServerTime
    /// Nil for a notice.
    let sentAt: MachineTimestamp?
    let receivedAt: MachineTimestamp
}
