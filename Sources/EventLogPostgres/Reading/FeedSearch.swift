import AuctionDomain
import Synchronization

/// Where events may be that have no number of the feed: in all rooms, or in those of which this node knows that they have changed.
///
/// A search of all rooms reads the whole table of rooms. With many rooms it is made now and then only, for what no notification has named;
/// in between the rooms are searched to which this node has appended, or of which another node has sent a notification. A value:
/// time is passed in, in nanoseconds.
struct FeedSearchPlan: Sendable {
    /// What is searched now.
    enum Scope: Hashable, Sendable {
        case nothing
        case rooms([RoomID])
        case all
    }

    /// Most rooms that are remembered.
    static let roomLimit = 1000
    /// A search of all rooms is followed by a pause of so many times its length, …
    static let pauseFactor: Int64 = 50
    /// … or, if it is known that some changed that are not named, of so many times, …
    static let urgentFactor: Int64 = 10
    /// … but at most this.
    static let longestPause: Int64 = 10_000_000_000

    /// A search that takes less is made every time.
    private let quick: Int64
    private var changed: Set<RoomID> = []
    /// Whether others than `changed` are known to have changed.
    private var isPartial = false
    /// When the last search of all rooms ended, and how long it took; nil before the first.
    private var last: (end: Int64, length: Int64)?

    init(quick: Int64) { self.quick = quick }

    /// Rooms have changed.
    /// - Returns: False if there are too many to remember.
    mutating func add(_ rooms: [RoomID]) -> Bool {
        changed.formUnion(rooms)
        guard changed.count > Self.roomLimit else { return true }
        missed()
        return false
    }

    /// Rooms that are not named have changed.
    mutating func missed() {
        changed = []
        isPartial = true
    }

    /// What is searched at this time; `changed` are forgotten, as they are searched.
    mutating func next(at now: Int64) -> Scope {
        defer { changed = [] }
        if let last {
            let factor = isPartial ? Self.urgentFactor : Self.pauseFactor
            let pause = last.length < quick ? 0 : min(last.length * factor, Self.longestPause)
            guard now - last.end >= pause else { return changed.isEmpty ? .nothing : .rooms(Array(changed)) }
        }
        isPartial = false
        return .all
    }

    /// A search of all rooms has ended.
    mutating func searchedAll(from start: Int64, to end: Int64) { last = (end, end - start) }
}

/// The search of one node for events without a number, one at a time.
final class FeedSearch: Sendable {
    private let plan: Mutex<FeedSearchPlan>
    /// When the last search began that did not fail. Held while events get numbers: the next reader finds those of rooms that are being searched.
    private let turn = Mutex<Int64?>(nil)
    /// Whether the feed is read: without readers nothing is remembered.
    private let isOn = Atomic<Bool>(false)

    init(quick: Int64) { plan = Mutex(FeedSearchPlan(quick: quick)) }

    /// Rooms have changed, durably.
    func add(_ rooms: [RoomID]) {
        guard isOn.load(ordering: .sequentiallyConsistent), !rooms.isEmpty else { return }
        // More than a reader at the end leaves: there is none any more.
        if !plan.withLock({ $0.add(rooms) }) { isOn.store(false, ordering: .sequentiallyConsistent) }
    }

    /// Rooms that are not named may have changed.
    func missed() { plan.withLock { $0.missed() } }

    /// Searches what is to be searched.
    /// - Parameters:
    ///   - all: Whether all rooms are searched in any case.
    ///   - age: A search is enough that began so many nanoseconds ago.
    ///   - search: Gets the rooms, nil: all. Returns the time at which it had read all of them.
    func run(
        all: Bool, asOf age: Int64 = 0, now: () -> Int64, _ search: ([RoomID]?) throws(SessionFailure) -> Int64
    ) throws(SessionFailure) {
        try turn.withLock { last throws(SessionFailure) in
            if !all, let last, now() - last < age { return }
            // Before the search: what is committed until then is found by it.
            isOn.store(true, ordering: .sequentiallyConsistent)
            let start = now()
            let scope = all ? .all : plan.withLock { $0.next(at: start) }
            do throws(SessionFailure) {
                switch scope {
                case .nothing: break
                case .rooms(let rooms): _ = try search(rooms)
                case .all:
                    let end = try search(nil)
                    plan.withLock { $0.searchedAll(from: start, to: end) }
                }
                last = start
            } catch {
                missed()
                last = nil
                throw error
            }
        }
    }
}
