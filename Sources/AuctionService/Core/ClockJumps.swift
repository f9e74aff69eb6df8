public import AuctionDomain
public import EventLog

/// The forward jumps of the service's time, oldest first: what was jumped over does not age anything.
///
/// One word, nil as long as there was no jump: every reading of the clock carries it.
public struct ClockJumps: Hashable, Sendable {
    public static let none = ClockJumps([])
    /// With more than so many the two oldest become one.
    static let limit = 64

    private final class Storage: Sendable {
        let jumps: [ClockJump]
        let total: Int64

        init(_ jumps: [ClockJump], total: Int64) { (self.jumps, self.total) = (jumps, total) }
    }

    private var storage: Storage?

    /// - Parameter jumps: Oldest first.
    public init(_ jumps: [ClockJump]) {
        storage = jumps.isEmpty ? nil : Storage(Self.bounded(jumps), total: jumps.reduce(0) { $0 &+ $1.milliseconds })
    }

    public var list: [ClockJump] { storage?.jumps ?? [] }
    public var isEmpty: Bool { storage == nil }
    /// By how much time has jumped in all, in milliseconds; it only grows.
    public var total: Int64 { storage?.total ?? 0 }

    mutating func add(_ jump: ClockJump) {
        storage = Storage(Self.bounded(list + [jump]), total: total &+ jump.milliseconds)
    }

    /// Without those that were over at an instant.
    func since(_ instant: Timestamp) -> Self { Self(list.filter { $0.to > instant }) }

    /// How much of the time between two instants was jumped over, in milliseconds.
    public func skipped(from start: Timestamp, to end: Timestamp) -> Int64 {
        guard let storage, start < end else { return 0 }
        let skipped = storage.jumps.reduce(Int64(0)) { sum, jump in
            sum + max(0, min(jump.to, end).milliseconds(since: max(jump.from, start)))
        }
        // A clock that was set back and forth has jumped over the same time twice.
        return min(skipped, end.milliseconds(since: start))
    }

    /// The instant from which so many milliseconds have passed until `end`, without what was jumped over.
    public func instant(_ milliseconds: Int64, before end: Timestamp) -> Timestamp {
        var (left, cursor) = (milliseconds, end)
        for jump in list.reversed() where jump.from < cursor {
            let passed = max(0, cursor.milliseconds(since: jump.to))
            if passed >= left { break }
            left -= passed
            cursor = jump.from
        }
        return cursor.advanced(byMilliseconds: -left)
    }

    public static func == (left: Self, right: Self) -> Bool { left.list == right.list && left.total == right.total }

    public func hash(into hasher: inout Hasher) { hasher.combine(total) }

    private static func bounded(_ jumps: [ClockJump]) -> [ClockJump] {
        var jumps = jumps[...]
        while jumps.count > limit, let oldest = jumps.popFirst(), let second = jumps.popFirst() {
            // What is older than both keeps its age.
            let joined = ClockJump(from: second.from.advanced(byMilliseconds: -oldest.milliseconds), to: second.to)
            jumps = [joined] + jumps
        }
        return Array(jumps)
    }
}
