package import AuctionDomain
package import EventLog

/// The forward jumps of the service's time, oldest first. The time jumped over does not count towards any age.
///
/// One machine word, nil while there is no jump, because every clock reading carries it.
package struct ClockJumps: Hashable, Sendable {
    /// No jumps.
    package static let none = ClockJumps([])
    /// Maximum number of jumps; beyond it the two oldest are merged.
    static let limit = 64

    private final class Storage: Sendable {
        let jumps: [ClockJump]
        let total: Int64

        init(_ jumps: [ClockJump], total: Int64) { (self.jumps, self.total) = (jumps, total) }
    }

    private var storage: Storage?

    /// - Parameter jumps: Oldest first.
    package init(_ jumps: [ClockJump]) {
        storage = jumps.isEmpty ? nil : Storage(Self.bounded(jumps), total: jumps.reduce(0) { $0 &+ $1.milliseconds })
    }

    /// The jumps, oldest first.
    package var list: [ClockJump] { storage?.jumps ?? [] }
    /// Whether there was no jump.
    package var isEmpty: Bool { storage == nil }
    /// The sum of all jumps in milliseconds; never decreases.
    package var total: Int64 { storage?.total ?? 0 }

    mutating func add(_ jump: ClockJump) {
        storage = Storage(Self.bounded(list + [jump]), total: total &+ jump.milliseconds)
    }

    /// The jumps that ended after an instant.
    func since(_ instant: Timestamp) -> Self { Self(list.filter { $0.to > instant }) }

    /// Whether a jump that ended by `end` went over the instant. One that ends later is of a clock that was set back since.
    func skip(_ instant: Timestamp, by end: Timestamp) -> Bool {
        storage?.jumps.contains { $0.from < instant && instant <= $0.to && $0.to <= end } ?? false
    }

    /// How many milliseconds between two instants were jumped over.
    package func skipped(from start: Timestamp, to end: Timestamp) -> Int64 {
        guard let storage, start < end else { return 0 }
        let skipped = storage.jumps.reduce(Int64(0)) { sum, jump in
            sum + max(0, min(jump.to, end).milliseconds(since: max(jump.from, start)))
        }
        // A clock that was set back and forth may have jumped over the same time twice.
        return min(skipped, end.milliseconds(since: start))
    }

    /// The instant from which `milliseconds` have passed until `end`, not counting time jumped over.
    package func instant(_ milliseconds: Int64, before end: Timestamp) -> Timestamp {
        var (remaining, cursor) = (milliseconds, end)
        for jump in list.reversed() where jump.from < cursor {
            let passed = max(0, cursor.milliseconds(since: jump.to))
            if passed >= remaining { break }
            remaining -= passed
            cursor = jump.from
        }
        return cursor.advanced(byMilliseconds: -remaining)
    }

    package static func == (left: Self, right: Self) -> Bool { left.list == right.list && left.total == right.total }

    package func hash(into hasher: inout Hasher) { hasher.combine(total) }

    private static func bounded(_ jumps: [ClockJump]) -> [ClockJump] {
        var jumps = jumps[...]
        while jumps.count > limit, let oldest = jumps.popFirst(), let second = jumps.popFirst() {
            // The merged jump has the total length of both, so that ages of older instants stay the same.
            let joined = ClockJump(from: second.from.advanced(byMilliseconds: -oldest.milliseconds), to: second.to)
            jumps = [joined] + jumps
        }
        return Array(jumps)
    }
}
