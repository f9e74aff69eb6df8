internal import Synchronization

/// A `ServiceTime` shared by all threads. While the clocks agree, which is nearly always, a reading costs one atomic load.
final class ServiceTimeline: Sendable {
    /// `ServiceTime.steadyOffset`; `unsteady` for nil.
    private let steadyOffset: Atomic<Int64>
    private let time: Mutex<ServiceTime>

    private static let unsteady = Int64.min
    /// A thread may be interrupted between reading the two clocks: then they are read again, at most this many times.
    private static let attempts = 8
    private static let soonNanoseconds: Int64 = 1_000_000

    init(_ time: ServiceTime) {
        steadyOffset = Atomic(time.steadyOffset ?? Self.unsteady)
        self.time = Mutex(time)
    }

    /// - Parameter read: Reads the wall clock, then the monotonic one.
    func now(_ read: () -> Now) -> Now {
        let offset = steadyOffset.load(ordering: .acquiring)
        if offset != Self.unsteady, let now = ServiceTime.steady(read(), offset: offset) { return now }
        return time.withLock { time in
            let reading = Self.closeReading(read)
            let now = time.read(wall: reading.wall, monotonic: reading.monotonic)
            steadyOffset.store(time.steadyOffset ?? Self.unsteady, ordering: .releasing)
            return now
        }
    }

    /// A reading of both clocks at nearly the same moment; the best of several attempts.
    private static func closeReading(_ read: () -> Now) -> Now {
        var (best, width) = (read(), Int64.max)
        var before = best.monotonic
        for _ in 0..<attempts {
            let reading = read()
            if reading.monotonic - before < width { (best, width) = (reading, reading.monotonic - before) }
            if width <= soonNanoseconds { break }
            before = reading.monotonic
        }
        return best
    }
}
