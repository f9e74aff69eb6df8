internal import AuctionDomain
internal import AuctionService

/// One machine's clocks, as functions of simulated time: the monotonic one is true, the wall clock drifts and is set.
struct SimulatedClock {
    /// 2026-01-01T00:00:00Z.
    static let epoch: Int64 = 1_767_225_600_000

    private var offset: Int64
    /// Milliseconds gained per thousand seconds.
    private let drift: Int64

    init(offset: Int64, drift: Int64) {
        self.offset = offset
        self.drift = drift
    }

    /// What the log's clock shows at a simulated time.
    static func instant(of time: Int64) -> Timestamp { Timestamp(milliseconds: epoch + time) }

    /// Somebody sets the wall clock.
    mutating func step(by milliseconds: Int64) { offset += milliseconds }

    func wall(at time: Int64) -> Timestamp {
        Timestamp(milliseconds: Self.epoch + time + offset + time * drift / 1_000_000)
    }

    func now(at time: Int64) -> Now { Now(wall: wall(at: time), monotonic: time * 1_000_000) }

    /// About when the wall clock will show an instant.
    func time(of instant: Timestamp, from time: Int64) -> Int64 { time + instant.milliseconds(since: wall(at: time)) }
}
