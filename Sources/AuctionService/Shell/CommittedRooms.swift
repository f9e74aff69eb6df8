public import AuctionDomain
internal import DequeModule
public import EventLog
internal import Synchronization

/// What is committed of every room in memory, for readers on any thread.
public final class CommittedRooms: Sendable {
    private static let shardCount = 16

    /// Neighbouring rooms share no lock.
    private final class Shard: Sendable {
        let rooms = Mutex<[RoomID: CommittedRoom]>([:])
    }

    private let shards: [Shard] = (0..<shardCount).map { _ in Shard() }
    private let bounds: RecentBounds
    private let memory: RecentMemory

    /// - Parameters:
    ///   - recentLimit: events that one room keeps in memory.
    ///   - recentBytesPerRoom: bytes of them, unless one alone has more.
    ///   - recentBytes: bytes of them in all rooms together.
    package init(recentLimit: Int, recentBytesPerRoom: Int = .max, recentBytes: Int = .max) {
        bounds = RecentBounds(events: recentLimit, bytes: recentBytesPerRoom)
        memory = RecentMemory(limit: recentBytes)
    }

    package convenience init(_ limits: ServiceLimits) {
        self.init(
            recentLimit: limits.recentEventsPerRoom, recentBytesPerRoom: limits.recentBytesPerRoom,
            recentBytes: limits.recentBytes)
    }

    /// Bytes of events that rooms keep for readers.
    public var recentBytes: Int { memory.bytes }

    /// The room's committed view; nil if it is not in memory.
    public subscript(id: RoomID) -> CommittedRoom? { shard(id).rooms.withLock { $0[id] } }

    /// Publishes what has become durable: a room and the events that made it so.
    /// - Parameter instant: Before the log was asked for it, by `ServiceClock.uptime`.
    package func publish(_ room: Room, _ events: [StoredEvent], readAt instant: Int64 = 0) -> CommittedRoom {
        let committed = shard(room.id).rooms.withLock { rooms in
            if let committed = rooms[room.id] { return committed }
            let committed = CommittedRoom(room, bounds, memory, readAt: instant)
            rooms[room.id] = committed
            return committed
        }
        committed.publish(room, events, readAt: instant)
        return committed
    }

    /// How many rooms are in memory.
    public var count: Int { shards.reduce(0) { $0 + $1.rooms.withLock { $0.count } } }

    /// The rooms in memory, in no particular order.
    package var ids: [RoomID] { shards.flatMap { shard in shard.rooms.withLock { Array($0.keys) } } }

    /// The rooms that somebody watches.
    package var watched: Set<RoomID> {
        var watched: Set<RoomID> = []
        for shard in shards {
            shard.rooms.withLock { rooms in
                for (id, room) in rooms where room.watchers > 0 { watched.insert(id) }
            }
        }
        return watched
    }

    package func remove(_ id: RoomID) { shard(id).rooms.withLock { $0.removeValue(forKey: id) }?.forgetRecent() }

    private func shard(_ id: RoomID) -> Shard { shards[Int(truncatingIfNeeded: id.bits) & (Self.shardCount - 1)] }
}

/// What one room keeps in memory for readers, at most.
struct RecentBounds: Sendable {
    let events: Int
    let bytes: Int
}

/// One room as committed: an immutable value that is replaced, its latest events, and who watches.
public final class CommittedRoom: Sendable {
    private struct State {
        var view: CommittedView
        var recent: Deque<StoredEvent> = []
        var confirmation: RoomConfirmation
        var recentBytes = 0
        /// Whether `RecentMemory` knows of it.
        var isInLine = false
    }

    /// What a reader that has seen everything up to some seq gets from memory.
    public enum Recent: Sendable {
        case events([StoredEvent], more: Bool)
        case nothingNew
        /// Memory does not reach back that far; the log does.
        case tooOld
        /// There is no such seq yet.
        case beyond(seq: Int)
    }

    public let id: RoomID
    private let bounds: RecentBounds
    private let memory: RecentMemory
    private let state: Mutex<State>
    private let wasPublished = Atomic<Bool>(false)
    private let pages = Mutex<[SharedPage]>([])
    private let watching = Atomic<Int>(0)
    private let elsewhere = Atomic<Int>(0)

    init(_ room: Room, _ bounds: RecentBounds, _ memory: RecentMemory, readAt instant: Int64) {
        id = room.id
        self.bounds = bounds
        self.memory = memory
        state = Mutex(State(view: CommittedView(room), confirmation: RoomConfirmation(at: instant)))
    }

    /// The room now. Take it once per request: the next look may find another.
    public var view: CommittedView { state.withLock { $0.view } }

    /// Streams and held long-polls on this room now, of this node.
    public var watchers: Int { watching.load(ordering: .relaxed) }

    /// Those of all nodes, of which other nodes' may be a little old.
    public var viewers: Int { watchers + elsewhere.load(ordering: .relaxed) }

    /// So many follow the room through other nodes.
    func follow(elsewhere count: Int) { elsewhere.store(count, ordering: .relaxed) }

    /// Counts a watcher. Call it before `recent(after:limit:)`: a publisher that sees no watcher wakes nobody.
    public func beginWatching() { watching.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    public func endWatching() { watching.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// The events after `seq`, as far as memory has them: at most `limit`, and no more than `bytes` unless the first alone has more.
    public func recent(after seq: Int, limit: Int, bytes: Int = .max) -> Recent {
        state.withLock { state in
            let last = state.view.room.seq
            guard seq <= last else { return .beyond(seq: last) }
            guard seq < last else { return .nothingNew }
            guard let first = state.recent.first?.seq, first <= seq + 1 else { return .tooOld }
            let start = seq + 1 - first
            let page = state.recent[start..<min(start + limit, state.recent.count)].prefix(bytes: bytes)
            return .events(Array(page), more: page.endIndex < state.recent.count)
        }
    }

    /// What a reader gets from the log when memory does not reach back far enough.
    ///
    /// - Parameter last: the seq of the published room that the reader was seen to be allowed to see. The log is ahead for a
    ///   moment after each commit: whoever was told of that would come back with a seq that the room does not have yet, and
    ///   whoever is banned meanwhile must not read on.
    public func older(
        after seq: Int, upTo last: Int, limit: Int, bytes: Int = .max, from log: any EventLog
    ) throws(EventLogError) -> (events: [StoredEvent], more: Bool) {
        let events = try log.events(of: id, after: seq, limit: max(0, min(limit, last - seq)), bytes: bytes)
        return (events, more: (events.last?.seq ?? last) < last)
    }

    /// When memory was last known to have all that the log has: a reading of `ServiceClock.uptime`, in nanoseconds. Means something
    /// only where other nodes append to the log too.
    public var confirmedAt: Int64 { state.withLock { $0.confirmation.instant } }

    /// The log was asked at an instant and had the room at `seq`.
    /// - Returns: Whether memory has as much.
    @discardableResult
    func compared(with seq: Int, at instant: Int64) -> Bool {
        state.withLock { state in
            state.confirmation.compared(at: instant, seq: seq, known: state.view.room.seq)
            return seq <= state.view.room.seq
        }
    }

    func publish(_ room: Room, _ events: [StoredEvent], readAt instant: Int64) {
        let view = CommittedView(room)
        let (change, joins) = state.withLock { state in
            defer { state.confirmation.compared(at: instant, seq: room.seq, known: state.view.room.seq) }
            guard room.seq >= state.view.room.seq else { return (0, false) }
            let before = state.recentBytes
            state.view = view
            // What another writer appended was never handed in here: readers find it in the log, not a hole in memory.
            if let last = state.recent.last?.seq, last != room.seq - events.count {
                state.recent.removeAll()
                state.recentBytes = 0
            }
            for event in events {
                state.recent.append(event)
                state.recentBytes += event.byteCount
            }
            while state.recent.count > bounds.events || state.recentBytes > bounds.bytes && state.recent.count > 1 {
                state.recentBytes -= state.recent.removeFirst().byteCount
            }
            let joins = !state.isInLine && !state.recent.isEmpty
            if joins { state.isInLine = true }
            return (state.recentBytes - before, joins)
        }
        wasPublished.store(true, ordering: .relaxed)
        memory.add(change)
        if joins { memory.join(self) }
        memory.relieve()
    }

    /// Keeps no events: readers find them in the log.
    func forgetRecent() {
        let bytes = state.withLock { state in
            defer { (state.recent, state.recentBytes, state.isInLine) = ([], 0, false) }
            return state.recentBytes
        }
        memory.add(-bytes)
    }

    func wasPublishedSinceAsked() -> Bool { wasPublished.exchange(false, ordering: .relaxed) }

    // MARK: - Pages that readers share

    /// Which events a page has; they never change.
    public struct PageKey: Hashable, Sendable {
        let after: Int
        let last: Int
        let more: Bool

        /// - Parameter more: whether the room has more than these.
        public init(after: Int, last: Int, more: Bool) {
            self.after = after
            self.last = last
            self.more = more
        }
    }

    private struct SharedPage: Sendable {
        let key: PageKey
        weak let page: (any AnyObject & Sendable)?
    }

    private static let pageLimit = 8

    /// What `make` makes of a page, or made of it for another reader who still has it.
    public func page<Page: AnyObject & Sendable>(_ key: PageKey, _ make: () -> Page) -> Page {
        pages.withLock { pages in
            if let page = pages.first(where: { $0.key == key })?.page as? Page { return page }
            let page = make()
            pages.removeAll { $0.page == nil || $0.key == key }
            if pages.count == Self.pageLimit { pages.removeFirst() }
            pages.append(SharedPage(key: key, page: page))
            return page
        }
    }
}

/// A committed room at one seq: shared by every reader, never changed.
public final class CommittedView: Sendable {
    public let room: Room
    private let rendering = Mutex<[UInt8]?>(nil)

    init(_ room: Room) { self.room = room }

    /// What `render` makes of the room; made when somebody first asks for it.
    public func rendered(_ render: (Room) -> [UInt8]) -> [UInt8] {
        rendering.withLock { rendering in
            if let bytes = rendering { return bytes }
            let bytes = render(room)
            rendering = bytes
            return bytes
        }
    }
}
