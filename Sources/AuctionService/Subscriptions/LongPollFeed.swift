package import AuctionDomain
package import EventLog
import HeapModule

/// The waiting long-polls of one event loop. A value without I/O.
///
/// A poll waits only if it has received everything that is published. Events reach it in order, so the first batch published
/// afterwards continues at its position. If another node's events are missing in between, the poll is answered with no events, and
/// the client's next request reads them from the log.
package struct LongPollFeed: Sendable {
    /// One waiting long-poll.
    package struct Waiter: Hashable, Sendable {
        /// The exchange that waits.
        package let exchange: UInt64
        /// The room whose events it waits for.
        package let room: RoomID
        /// The last sequence number that its client has.
        package let after: Int
        /// Maximum number of events in the response.
        package let limit: Int
        /// When it is answered without events, in monotonic nanoseconds.
        package let deadline: Int64

        package init(exchange: UInt64, room: RoomID, after: Int, limit: Int, deadline: Int64) {
            self.exchange = exchange
            self.room = room
            self.after = after
            self.limit = limit
            self.deadline = deadline
        }
    }

    /// What the event loop reports.
    package enum Input: Sendable {
        case hold(Waiter)
        /// The client disconnected.
        case gone(exchange: UInt64, RoomID)
        case published(RoomID, [StoredEvent])
        case tick
        /// The service stops: answer every poll without events.
        case drain
    }

    /// Polls to answer with the same bytes: with events, or with none after the timeout.
    package struct Release: Sendable {
        /// The room whose events these are.
        package let room: RoomID
        /// The exchanges to answer, in the order they arrived.
        package let exchanges: [UInt64]
        /// The last sequence number that their clients have.
        package let after: Int
        /// The most events that each wants.
        package let limit: Int
        /// The events to send; empty after a timeout or where events are missing.
        package let events: ArraySlice<StoredEvent>
        /// Whether the client should ask again at once, because there are more events.
        package let more: Bool
    }

    private struct Deadline: Comparable {
        let at: Int64
        let exchange: UInt64
        let room: RoomID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.exchange) < (right.at, right.exchange) }
    }

    private var waiters: [RoomID: [Waiter]] = [:]
    private var deadlines: Heap<Deadline> = []
    /// Number of waiting polls.
    package private(set) var count = 0

    private let pageBytes: Int

    /// - Parameter pageBytes: Maximum bytes of events per response; a single larger event is sent too.
    package init(pageBytes: Int = .max) { self.pageBytes = pageBytes }

    /// When the next `tick` is due, in monotonic nanoseconds; nil while no poll waits.
    package var nextTick: Int64? { count == 0 ? nil : deadlines.min?.at }

    /// Handles one input; returns the polls to answer now.
    package mutating func handle(_ input: Input, now: Now) -> [Release] {
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

    /// Groups polls that get the same bytes, in the order they arrived.
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
            // The entry of a poll that was answered earlier is void.
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
