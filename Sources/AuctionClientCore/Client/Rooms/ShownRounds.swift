/// The rounds of rooms, with their items, as the readers of their updates have seen them last; of rooms that are followed only.
///
/// A room may be followed more than once, so each follower has a round of its own: the end of one leaves those of the others.
final class ShownRounds: Sendable {
    /// What the reader has seen.
    struct Shown: Hashable {
        let round: Int
        /// Identifier of the item; nil without one.
        let item: String?
    }

    private struct Reading {
        let follower: ObjectIdentifier
        let shown: Shown
    }

    /// Those of a room in the order in which they were made. Bounded by the number of followers.
    private let readings = Locked<[String: [Reading]]>([:])

    /// What was read last; nil for a room that is not followed, or whose updates nothing has read.
    subscript(room: String) -> Shown? { readings.withLock { $0[room]?.last?.shown } }

    /// The reader of a follower's updates has seen this round.
    func note(_ shown: Shown, in room: String, by follower: ObjectIdentifier) {
        readings.withLock { readings in
            readings[room, default: []].removeAll { $0.follower == follower }
            readings[room, default: []].append(Reading(follower: follower, shown: shown))
        }
    }

    /// A follower has ended.
    func forget(_ room: String, by follower: ObjectIdentifier) {
        readings.withLock { readings in
            readings[room]?.removeAll { $0.follower == follower }
            if readings[room]?.isEmpty == true { readings[room] = nil }
        }
    }
}
