import AuctionDomain
import EventLog
import Synchronization

/// What the server's clock shows, by this node's monotonic clock.
///
/// Each exchange says that the server's clock showed something at an unknown moment between sending and receiving: the shorter
/// the exchange, the more it says. The best one counts until it is old, or until another one proves it wrong.
final class ServerClock: Sendable {
    private let best = Mutex<Exchange?>(nil)

    private struct Exchange {
        /// The server's milliseconds at monotonic 0, if it read its clock half way.
        let offset: Int64
        /// Nanoseconds.
        let roundTrip: Int64
        let at: Int64
        /// Between these the offset lies for certain.
        let bounds: ClosedRange<Int64>
    }

    /// Clocks drift by up to 0.1 ms a second.
    private static let lifeNanoseconds: Int64 = 30_000_000_000
    /// Rounding, and what two clocks drift apart in a life.
    private static let toleranceMilliseconds: Int64 = 5

    func learn(_ shown: Timestamp, sent: Int64, received: Int64) {
        let exchange = Exchange(
            offset: shown.milliseconds - (sent + received) / 2_000_000, roundTrip: received - sent, at: received,
            bounds: shown.milliseconds - received / 1_000_000 - 1...shown.milliseconds - sent / 1_000_000 + 1)
        best.withLock { best in
            guard let known = best else { return best = exchange }
            let isOld = received - known.at > Self.lifeNanoseconds
            let isWrong =
                known.offset < exchange.bounds.lowerBound - Self.toleranceMilliseconds
                || known.offset > exchange.bounds.upperBound + Self.toleranceMilliseconds
            if isOld || isWrong || exchange.roundTrip <= known.roundTrip { best = exchange }
        }
    }

    func time(at monotonic: Int64) -> Timestamp? {
        best.withLock { $0.map { Timestamp(milliseconds: $0.offset + monotonic / 1_000_000) } }
    }
}
