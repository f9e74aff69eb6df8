package import AuctionDomain
internal import DequeModule
package import EventLog
internal import Synchronization

/// The committed state of every room in memory, for readers on any thread.
package final class CommittedRooms: Sendable {
    private static let shardCount = 16

    /// A part of the rooms with its own lock.
    private final class Shard: Sendable {
        let rooms = Mutex<[RoomID: CommittedRoom]>([:])
    }

    private let shards: [Shard] = (0..<shardCount).map { _ in Shard() }
    private let bounds: RecentBounds
    private let memory: RecentMemory

    /// - Parameters:
    ///   - recentLimit: Maximum number of events that one room keeps in memory.
    ///   - recentBytesPerRoom: Maximum bytes of them; a single larger event is kept too.
    ///   - recentBytes: Maximum bytes of them in all rooms together.
    package init(recentLimit: Int, recentBytesPerRoom: Int = .max, recentBytes: Int = .max) {
        bounds = RecentBounds(events: recentLimit, bytes: recentBytesPerRoom)
        memory = RecentMemory(limit: recentBytes)
    }

    package convenience init(_ limits: ServiceLimits) {
        self.init(
            recentLimit: limits.recentEventsPerRoom, recentBytesPerRoom: limits.recentBytesPerRoom,
            recentBytes: limits.recentBytes)
    }

    deinit { memory.releaseAll() }

    /// Bytes of recent events that all rooms keep for readers.
    package var recentBytes: Int { memory.bytes }

    /// The committed room; nil if it is not in memory.
    package subscript(id: RoomID) -> CommittedRoom? { shard(id).rooms.withLock { $0[id] } }

    /// Publishes a room and the events that have become durable.
    /// - Parameter instant: A reading of `ServiceClock.uptime` from before the log was accessed.
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

    /// Number of rooms in memory.
    package var count: Int { shards.reduce(0) { $0 + $1.rooms.withLock { $0.count } } }

    /// Counts a watcher of a room, which then stays among the committed rooms. Watch before the last read of its events: a publisher
    /// delivers no events while it sees no watcher.
    /// - Returns: False if the room has left memory since it was looked up: its events would be published to another object.
    package func watch(_ room: CommittedRoom) -> Bool {
        room.beginWatching()
        if self[room.id] === room { return true }
        room.endWatching()
        return false
    }

    /// The rooms in memory, in no particular order.
    package var ids: [RoomID] { shards.flatMap { shard in shard.rooms.withLock { Array($0.keys) } } }

    /// The rooms with watchers on this node.
    package var watched: Set<RoomID> {
        var watched: Set<RoomID> = []
        for shard in shards {
            shard.rooms.withLock { rooms in
                for (id, room) in rooms where room.watchers > 0 { watched.insert(id) }
            }
        }
        return watched
    }

    /// Removes a room that leaves memory, unless a watcher has come meanwhile: what is published later has to reach that watcher.
    /// - Parameter evenIfWatched: Whether nothing is published later, since the room was deleted.
    package func remove(_ id: RoomID, evenIfWatched: Bool = false) {
        let removed = shard(id).rooms.withLock { rooms in
            rooms[id].map { evenIfWatched || $0.watchers == 0 } == true ? rooms.removeValue(forKey: id) : nil
        }
        guard let removed else { return }
        memory.leave(removed)
        removed.forgetRecent()
    }

    private func shard(_ id: RoomID) -> Shard { shards[Int(truncatingIfNeeded: id.bits) & (Self.shardCount - 1)] }
}

/// Bounds of the recent events that one room keeps in memory.
struct RecentBounds: Sendable {
    let events: Int
    let bytes: Int
}

/// A committed room: an immutable value that is replaced, its latest events, and its watchers.
package final class CommittedRoom: Sendable {
    private struct State {
        var view: CommittedView
        var recent: Deque<StoredEvent> = []
        var confirmation: RoomConfirmation
        var recentBytes = 0
        /// Whether the room is in the queue of `RecentMemory`.
        var isQueued = false
    }

    /// The events in memory after the reader's last sequence number.
    package enum Recent: Sendable {
        case events([StoredEvent], more: Bool)
        case nothingNew
        /// The events are no longer in memory, only in the log.
        case tooOld
        /// The reader's sequence number does not exist yet; `seq` is the room's last one.
        case beyond(seq: Int)
    }

    /// Identifier of the room.
    package let id: RoomID
    private let bounds: RecentBounds
    private let memory: RecentMemory
    private let state: Mutex<State>
    private let wasPublished = Atomic<Bool>(false)
    private let left = Atomic<Bool>(false)
    let place = RecentMemory.Place()
    private let pages = Mutex<[SharedPage]>([])
    private let watching = Atomic<Int>(0)
    private let remoteWatchers = Atomic<Int>(0)

    init(_ room: Room, _ bounds: RecentBounds, _ memory: RecentMemory, readAt instant: Int64) {
        id = room.id
        self.bounds = bounds
        self.memory = memory
        state = Mutex(State(view: CommittedView(room), confirmation: RoomConfirmation(at: instant)))
    }

    /// The room now. Take it once per request: the next read may return another.
    package var view: CommittedView { state.withLock { $0.view } }

    /// Number of streams and waiting long-polls on this room on this node.
    package var watchers: Int { watching.load(ordering: .relaxed) }

    /// Number of watchers on all nodes; those of other nodes may be a few seconds old.
    package var viewers: Int { watchers + remoteWatchers.load(ordering: .relaxed) }

    /// Sets the number of watchers on other nodes.
    func setWatchers(remote count: Int) { remoteWatchers.store(count, ordering: .relaxed) }

    fileprivate func beginWatching() { watching.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    /// Ends the count of one `CommittedRooms.watch`.
    package func endWatching() { watching.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// The events in memory after `seq`: at most `limit`, and at most `bytes` unless the first alone has more.
    package func recent(after seq: Int, limit: Int, bytes: Int = .max) -> Recent {
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

    /// Events from the log, for readers whose position is no longer in memory.
    ///
    /// - Parameter last: The sequence number of the published room on which the reader's access was checked. The log is ahead of it
    ///   for a moment after each commit: a reader that got later events would resume from a sequence number that the published room
    ///   does not have yet, and one that was banned meanwhile must not read on.
    package func eventsFromLog(
        after seq: Int, upTo last: Int, limit: Int, bytes: Int = .max, from log: any EventLog
    ) throws(EventLogError) -> (events: [StoredEvent], more: Bool) {
        let events = try log.events(of: id, after: seq, limit: max(0, min(limit, last - seq)), bytes: bytes)
        return (events, more: (events.last?.seq ?? last) < last)
    }

    /// When memory was last known to have everything in the log: a reading of `ServiceClock.uptime`, in nanoseconds. Meaningful
    /// only on a shared log.
    package var confirmedAt: Int64 { state.withLock { $0.confirmation.instant } }

    /// Records a query of the log, begun at an instant, that found the room at `seq`.
    /// - Returns: Whether memory is current.
    @discardableResult
    func compared(with seq: Int, at instant: Int64) -> Bool {
        state.withLock { state in
            state.confirmation.compared(at: instant, seq: seq, known: state.view.room.seq)
            return seq <= state.view.room.seq
        }
    }

    func publish(_ room: Room, _ events: [StoredEvent], readAt instant: Int64) {
        let view = CommittedView(room)
        let (change, enqueues) = state.withLock { state in
            defer { state.confirmation.compared(at: instant, seq: room.seq, known: state.view.room.seq) }
            guard room.seq >= state.view.room.seq else { return (0, false) }
            let before = state.recentBytes
            state.view = view
            // Events that another node appended are not in memory: a reader has to find them in the log, not skip them.
            if let last = state.recent.last?.seq, last != room.seq - events.count {
                state.recent.removeAll()
                state.recentBytes = 0
            }
            for event in events {
                // The earlier ones may have been rewritten since.
                if event.erasesNickname { (state.recent, state.recentBytes) = ([], 0) }
                state.recent.append(event)
                state.recentBytes += event.byteCount
            }
            // As many as the newest publication has stay, such as an import of a thousand lots: every subscriber may read them at once.
            let most = max(bounds.events, events.count)
            while state.recent.count > most || state.recentBytes > bounds.bytes && state.recent.count > 1 {
                state.recentBytes -= state.recent.removeFirst().byteCount
            }
            let enqueues = !state.isQueued && !state.recent.isEmpty
            if enqueues { state.isQueued = true }
            return (state.recentBytes - before, enqueues)
        }
        wasPublished.store(true, ordering: .relaxed)
        memory.add(change)
        if enqueues, !memory.enqueue(self) { forgetRecent() }
        memory.evictExcess()
    }

    /// Drops all recent events; readers find them in the log.
    func forgetRecent() {
        let bytes = state.withLock { state in
            defer { (state.recent, state.recentBytes, state.isQueued) = ([], 0, false) }
            return state.recentBytes
        }
        memory.add(-bytes)
    }

    /// Whether the room has left memory; see `RecentMemory.leave`.
    var hasLeft: Bool { left.load(ordering: .relaxed) }
    func leave() { left.store(true, ordering: .relaxed) }

    func takePublishedFlag() -> Bool { wasPublished.exchange(false, ordering: .relaxed) }

    // MARK: - Pages that readers share

    /// Identifies a page by its events, which never change.
    package struct PageKey: Hashable, Sendable {
        let after: Int
        let last: Int
        let more: Bool

        /// The events after one sequence number up to another, and whether the room has later ones.
        package init(after: Int, last: Int, more: Bool) { (self.after, self.last, self.more) = (after, last, more) }
    }

    private struct SharedPage: Sendable {
        let key: PageKey
        weak let page: (any AnyObject & Sendable)?
    }

    private static let pageLimit = 8

    /// The result of `make` for a page, shared between readers as long as one of them retains it.
    package func page<Page: AnyObject & Sendable>(_ key: PageKey, _ make: () -> Page) -> Page {
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

/// A committed room at one sequence number: shared by every reader, never changed.
package final class CommittedView: Sendable {
    /// The room at that sequence number.
    package let room: Room
    private let rendering = Mutex<[UInt8]?>(nil)

    init(_ room: Room) { self.room = room }

    /// The result of `render` for the room, cached after the first call.
    package func rendered(_ render: (Room) -> [UInt8]) -> [UInt8] {
        rendering.withLock { rendering in
            if let bytes = rendering { return bytes }
            let bytes = render(room)
            rendering = bytes
            return bytes
        }
    }
}
