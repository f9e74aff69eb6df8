internal import AuctionDomain
internal import AuctionService

/// One machine's clocks as functions of simulated time: the monotonic clock is exact, the wall clock drifts and is stepped. The
/// service's time is computed from them by the product's `ServiceTime`.
struct SimulatedClock {
    /// 2026-01-01T00:00:00Z.
    static let epoch: Int64 = 1_767_225_600_000
    /// Longest interval between two readings of the clocks by a process, in milliseconds.
    private static let readingMilliseconds: Int64 = 10_000

    private var offset: Int64
    /// Milliseconds gained per thousand seconds.
    private var drift: Int64
    /// Service time of the running process; nil while none runs.
    private var service: ServiceTime?
    private var lastReading: Int64 = 0

    init(offset: Int64, drift: Int64) {
        self.offset = offset
        self.drift = drift
    }

    /// Reading of the log's clock at a simulated time.
    static func instant(of time: Int64) -> Timestamp { Timestamp(milliseconds: epoch + time) }

    /// Starts a process's service time.
    mutating func begin(at time: Int64, newest: Timestamp?, jumps: ClockJumps, setBack: ServiceTime.SetBack) {
        lastReading = time
        service = ServiceTime(
            wall: wall(at: time), monotonic: time * 1_000_000, newest: newest, jumps: jumps, setBack: setBack)
    }

    /// Steps the wall clock.
    mutating func step(by milliseconds: Int64) { offset += milliseconds }

    /// Replaces the estimate of the log's clock; `error` is its error in milliseconds.
    mutating func estimate(error: Int64) { (offset, drift) = (error, 0) }

    /// The service's time at a simulated time.
    mutating func now(at time: Int64) -> Now {
        while service != nil, time - lastReading > Self.readingMilliseconds {
            _ = read(at: lastReading + Self.readingMilliseconds)
        }
        return read(at: time)
    }

    /// Approximate simulated time at which the service's time reaches `instant`.
    mutating func time(of instant: Timestamp, from time: Int64) -> Int64 {
        time + instant.milliseconds(since: now(at: time).wall)
    }

    private mutating func read(at time: Int64) -> Now {
        lastReading = time
        let (wall, monotonic) = (wall(at: time), time * 1_000_000)
        return service?.read(wall: wall, monotonic: monotonic) ?? Now(wall: wall, monotonic: monotonic)
    }

    private func wall(at time: Int64) -> Timestamp {
        Timestamp(milliseconds: Self.epoch + time + offset + time * drift / 1_000_000)
    }
}
