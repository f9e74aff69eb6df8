internal import AuctionDomain
internal import Glibc

/// Tells the shells what time it is; tests bring their own.
public protocol ServiceClock: Sendable {
    func now() -> Now
}

/// The machine's clocks.
public struct SystemClock: ServiceClock {
    public init() {}

    public func now() -> Now {
        let wall = Self.read(CLOCK_REALTIME)
        return Now(
            wall: Timestamp(milliseconds: wall / 1_000_000), monotonic: Self.read(CLOCK_MONOTONIC))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Safe: the pointer is to a local that outlives the call, and both clocks always exist.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
