public import AuctionDomain
public import EventLog
import HeapModule

/// The held long-polls of one event loop. A value without I/O.
///
/// A waiter is held only when it has seen everything that is committed; events reach it in order, so the first batch that is
/// published to it continues where it stands. Where another writer was faster it does not: then the waiter is answered with
/// nothing, and finds in the log what it missed when it asks again.
public struct Feed: Sendable {
    public struct Waiter: Hashable, Sendable {
        /// The held exchange.
        public let exchange: UInt64
        public let room: RoomID
        /// The last seq it has seen.
        public let after: Int
        /// The most events it wants.
        public let limit: Int
        /// Monotonic nanoseconds after which it is answered with nothing.
        public let deadline: Int64

        public init(exchange: UInt64, room: RoomID, after: Int, limit: Int, deadline: Int64) {
            self.exchange = exchange
            self.room = room
            self.after = after
            self.limit = limit
            self.deadline = deadline
        }
    }

    public enum Input: Sendable {
        case hold(Waiter)
        /// The peer hung up.
        case gone(exchange: UInt64, RoomID)
        case published(RoomID, [StoredEvent])
        case tick
        /// The service stops: everybody gets what there is, which is nothing.
        case drain
    }

    /// Answer these exchanges alike: with the events, or with none when the time is up.
    public struct Release: Sendable {
        public let room: RoomID
        public let exchanges: [UInt64]
        public let after: Int
        /// The most events that each wants.
        public let limit: Int
        public let events: ArraySlice<StoredEvent>
        /// Whether there are more events than asked for.
        public let more: Bool
    }

    private struct Deadline: Comparable {
        let at: Int64
        let exchange: UInt64
        let room: RoomID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.exchange) < (right.at, right.exchange) }
    }

    private var waiters: [RoomID: [Waiter]] = [:]
    private var deadlines: Heap<Deadline> = []
    /// How many are held.
    public private(set) var count = 0

    private let pageBytes: Int

    /// - Parameter pageBytes: what a waiter is answered with at most, unless one event alone has more.
    public init(pageBytes: Int = .max) { self.pageBytes = pageBytes }

    /// When the next `tick` is due, in monotonic nanoseconds; nil while nobody waits.
    public var nextTick: Int64? { count == 0 ? nil : deadlines.min?.at }

    public mutating func handle(_ input: Input, now: Now) -> [Release] {
        switch input {
        case .hold(let waiter):
            waiters[waiter.room, default: []].append(waiter)
            deadlines.insert(Deadline(at: waiter.deadline, exchange: waiter.exchange, room: waiter.room))
            count += 1
            return []
        case .gone(let exchange, let room):
            _ = take(exchange, in: room)
            return []
        case .published(let room, let events): return published(room, events)
        case .tick: return tick(now)
        case .drain:
            let all = waiters.keys.sorted().flatMap { waiters[$0] ?? [] }
            waiters = [:]
            deadlines = []
            count = 0
            return all.map(Self.empty)
        }
    }

    private mutating func published(_ room: RoomID, _ events: [StoredEvent]) -> [Release] {
        guard let last = events.last, let held = waiters[room] else { return [] }
        let reached = held.filter { $0.after < last.seq }
        guard !reached.isEmpty else { return [] }
        let rest = held.filter { $0.after >= last.seq }
        waiters[room] = rest.isEmpty ? nil : rest
        count -= reached.count
        return groups(of: reached).map { group in
            let waiter = group[0]
            let unseen = events.drop { $0.seq <= waiter.after }
            guard unseen.first?.seq == waiter.after + 1 else {
                return Release(
                    room: room, exchanges: group.map(\.exchange), after: waiter.after, limit: waiter.limit, events: [],
                    more: true)
            }
            let page = unseen.prefix(waiter.limit).prefix(bytes: pageBytes)
            return Release(
                room: room, exchanges: group.map(\.exchange), after: waiter.after, limit: waiter.limit, events: page,
                more: unseen.count > page.count)
        }
    }

    /// Those who get the same bytes, in the order they came.
    private func groups(of waiters: [Waiter]) -> [[Waiter]] {
        var groups: [[Waiter]] = []
        var indices: [Int: [Int: Int]] = [:]
        for waiter in waiters {
            if let index = indices[waiter.after]?[waiter.limit] {
                groups[index].append(waiter)
            } else {
                indices[waiter.after, default: [:]][waiter.limit] = groups.count
                groups.append([waiter])
            }
        }
        return groups
    }

    private mutating func tick(_ now: Now) -> [Release] {
        var releases: [Release] = []
        while let first = deadlines.min, first.at <= now.monotonic {
            deadlines.removeMin()
            // Whoever was answered before its time left its entry behind.
            if let waiter = take(first.exchange, in: first.room) { releases.append(Self.empty(waiter)) }
        }
        return releases
    }

    private mutating func take(_ exchange: UInt64, in room: RoomID) -> Waiter? {
        guard let index = waiters[room]?.firstIndex(where: { $0.exchange == exchange }),
            let waiter = waiters[room]?.remove(at: index)
        else { return nil }
        if waiters[room]?.isEmpty == true { waiters[room] = nil }
        count -= 1
        return waiter
    }

    private static func empty(_ waiter: Waiter) -> Release {
        Release(
            room: waiter.room, exchanges: [waiter.exchange], after: waiter.after, limit: waiter.limit, events: [], more: false)
    }
}
