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
    private let recentLimit: Int

    package init(recentLimit: Int) { self.recentLimit = recentLimit }

    /// The room's committed view; nil if it is not in memory.
    public subscript(id: RoomID) -> CommittedRoom? { shard(id).rooms.withLock { $0[id] } }

    /// Publishes what has become durable: a room and the events that made it so.
    /// - Parameter instant: Before the log was asked for it, by `ServiceClock.uptime`.
    package func publish(_ room: Room, _ events: [StoredEvent], readAt instant: Int64 = 0) -> CommittedRoom {
        let committed = shard(room.id).rooms.withLock { rooms in
            if let committed = rooms[room.id] { return committed }
            let committed = CommittedRoom(room, recentLimit: recentLimit, readAt: instant)
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

    package func remove(_ id: RoomID) { shard(id).rooms.withLock { $0[id] = nil } }

    private func shard(_ id: RoomID) -> Shard { shards[Int(truncatingIfNeeded: id.bits) & (Self.shardCount - 1)] }
}

/// One room as committed: an immutable value that is replaced, its latest events, and who watches.
public final class CommittedRoom: Sendable {
    private struct State {
        var view: CommittedView
        var recent: Deque<StoredEvent> = []
        var confirmation: RoomConfirmation
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
    private let recentLimit: Int
    private let state: Mutex<State>
    private let watching = Atomic<Int>(0)
    private let elsewhere = Atomic<Int>(0)

    init(_ room: Room, recentLimit: Int, readAt instant: Int64) {
        id = room.id
        self.recentLimit = recentLimit
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

    /// The events after `seq`, at most `limit`, as far as memory has them.
    public func recent(after seq: Int, limit: Int) -> Recent {
        state.withLock { state in
            let last = state.view.room.seq
            guard seq <= last else { return .beyond(seq: last) }
            guard seq < last else { return .nothingNew }
            guard let first = state.recent.first?.seq, first <= seq + 1 else { return .tooOld }
            let start = seq + 1 - first
            let end = min(start + limit, state.recent.count)
            return .events(Array(state.recent[start..<end]), more: end < state.recent.count)
        }
    }

    /// What a reader gets from the log when memory does not reach back far enough.
    ///
    /// - Parameter last: the seq of the published room that the reader was seen to be allowed to see. The log is ahead for a
    ///   moment after each commit: whoever was told of that would come back with a seq that the room does not have yet, and
    ///   whoever is banned meanwhile must not read on.
    public func older(
        after seq: Int, upTo last: Int, limit: Int, from log: any EventLog
    ) throws(EventLogError) -> (events: [StoredEvent], more: Bool) {
        let events = try log.events(of: id, after: seq, limit: max(0, min(limit, last - seq)))
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
        state.withLock { state in
            defer { state.confirmation.compared(at: instant, seq: room.seq, known: state.view.room.seq) }
            guard room.seq >= state.view.room.seq else { return }
            state.view = view
            // What another writer appended was never handed in here: readers find it in the log, not a hole in memory.
            if let last = state.recent.last?.seq, last != room.seq - events.count { state.recent.removeAll() }
            state.recent.append(contentsOf: events)
            if state.recent.count > recentLimit { state.recent.removeFirst(state.recent.count - recentLimit) }
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
