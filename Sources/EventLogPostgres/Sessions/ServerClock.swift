import AuctionDomain
import EventLog
import Synchronization

/// An estimate of the server's clock, relative to this node's monotonic clock.
///
/// The server read its clock at an unknown moment between sending and receiving, so a shorter exchange gives a more precise offset.
/// The shortest exchange is used until it is too old or contradicted by a newer one.
final class ServerClock: Sendable {
    private let best = Mutex<Exchange?>(nil)

    private struct Exchange {
        /// Server time in milliseconds at monotonic time 0, assuming it was read half-way through the exchange.
        let offset: Int64
        /// Duration in nanoseconds.
        let roundTrip: Int64
        /// Monotonic time of the reply, in nanoseconds.
        let at: Int64
        /// Certain bounds of the offset, in milliseconds.
        let bounds: ClosedRange<Int64>
    }

    /// Maximum age of the used exchange. Clocks drift by up to 0.1 ms per second.
    private static let lifeNanoseconds: Int64 = 30_000_000_000
    /// Allowance for rounding and for drift during `lifeNanoseconds`.
    private static let toleranceMilliseconds: Int64 = 5

    /// Records an exchange, with the monotonic times of request and reply in nanoseconds.
    func record(_ serverTime: Timestamp, sent: Int64, received: Int64) {
        let exchange = Exchange(
            offset: serverTime.milliseconds - (sent + received) / 2_000_000, roundTrip: received - sent, at: received,
            bounds: serverTime.milliseconds - received / 1_000_000 - 1...serverTime.milliseconds - sent / 1_000_000 + 1)
        best.withLock { best in
            guard let known = best else { return best = exchange }
            let isOld = received - known.at > Self.lifeNanoseconds
            let isWrong =
                known.offset < exchange.bounds.lowerBound - Self.toleranceMilliseconds
                || known.offset > exchange.bounds.upperBound + Self.toleranceMilliseconds
            if isOld || isWrong || exchange.roundTrip <= known.roundTrip { best = exchange }
        }
    }

    /// The estimated server time at a monotonic time in nanoseconds; nil before the first exchange.
    func time(at monotonic: Int64) -> Timestamp? {
        best.withLock { $0.map { Timestamp(milliseconds: $0.offset + monotonic / 1_000_000) } }
    }
}
