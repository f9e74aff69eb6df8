import AuctionDomain
import EventLog
import Synchronization

/// A room's committed head and status; its row in the database may lag behind them.
struct CachedRoom: Sendable {
    /// Value of `room.number`.
    let number: Int64
    var head: RoomHead
    var status: RoomStatus
    /// Position of the room's newest stored response; 0 if there is none.
    var lastResponse: Int64
}

/// The effect of one transaction on a room.
struct RoomChange {
    var room: CachedRoom
    /// Positions of the appended events, in order.
    var positions: [Int64] = []
    /// Number of responses stored.
    var responses = 0
}

/// Heads of recently used rooms, and everything committed that is not in the rooms' rows and the event index yet.
///
/// Only the writer changes it, after each commit; readers may read it at any time. The row and the index of a room that is not in
/// this cache are up to date.
final class RoomCache: Sendable {
    struct Entry {
        var room: CachedRoom
        /// Positions of the newest events, which are not in the index yet; the last one is the head.
        ///
        /// A slice, because removing elements at its front is free, and growing it releases the removed ones.
        var tail: ArraySlice<Int64> = []
        /// Number of stored responses that the room's row does not refer to yet.
        var pendingResponses = 0
        /// Whether the row lags behind, so that the room is in the list of a flush.
        var isPending = false
        /// Whether the room is in `evictionCandidates`.
        var isEvictionCandidate = false

        /// Sequence number of the first event that is not in the index.
        var firstInTail: Int { room.head.seq - tail.count + 1 }
    }

    struct State {
        var rooms: [RoomID: Entry] = [:]
        /// Rooms to flush in the next round.
        var pending: [RoomID] = []
        /// Candidates for eviction, least recently flushed first; some may have been changed again since.
        var evictionCandidates: ArraySlice<RoomID> = []
        /// Number of events and responses that wait for a flush.
        var pendingCount = 0
        /// Number of evictions so far.
        var evictionCount = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: Maximum number of rooms, exceeded only while more than that wait for a flush.
    init(limit: Int) { self.limit = limit }

    /// Number of events and responses that wait for a flush.
    var pendingCount: Int { state.withLock { $0.pendingCount } }

    /// Number of rooms in the cache.
    var count: Int { state.withLock { $0.rooms.count } }

    // MARK: - For the writer

    func room(_ id: RoomID) -> CachedRoom? { state.withLock { $0.rooms[id]?.room } }

    /// Adds a room as read from its row.
    func insert(_ id: RoomID, _ room: CachedRoom) {
        state.withLock { state in
            state.rooms[id] = Entry(room: room, isEvictionCandidate: true)
            state.evictionCandidates.append(id)
            state.evict(above: limit)
        }
    }

    /// Applies all changes of a transaction at once, so that readers see whole batches.
    func publish(_ changes: [RoomID: RoomChange]) {
        state.withLock { state in
            for (id, change) in changes { state.apply(change, to: id) }
            state.evict(above: limit)
        }
    }

    /// Removes a room that is deleted.
    /// - Returns: False if something of it waits for a flush: then it stays.
    func remove(_ id: RoomID) -> Bool {
        state.withLock { state in
            if state.rooms[id]?.isPending == true { return false }
            if state.rooms.removeValue(forKey: id) != nil { state.evictionCount += 1 }
            return true
        }
    }

    // MARK: - For a flush

    /// Removes and returns the list of rooms to flush; each must be reported to `flushed` afterwards.
    func takePending() -> [(id: RoomID, number: Int64)] {
        state.withLock { state in
            defer { state.pending = [] }
            return state.pending.compactMap { id in state.rooms[id].map { (id, $0.room.number) } }
        }
    }

    /// A room's oldest events that are not in the index, up to a position and at most `limit`; nil if the room is not cached.
    func backlog(of id: RoomID, through position: Int64, limit: Int) -> Backlog? {
        state.withLock { state in
            guard let entry = state.rooms[id] else { return nil }
            let due = entry.tail.prefix(limit).prefix { $0 <= position }
            let rest = entry.tail.dropFirst(due.count).first
            return Backlog(
                id: id, room: entry.room, first: entry.firstInTail, positions: due,
                isComplete: rest.map { $0 > position } ?? true)
        }
    }

    /// Records that a slice of a flush was committed to the index and the rows.
    func flushed(_ slice: [Backlog]) {
        state.withLock { state in
            for part in slice { state.remove(part) }
            state.evict(above: limit)
        }
    }

    // MARK: - For readers

    /// Number of evictions so far. While it does not change, every cached room stays cached.
    var evictionCount: Int { state.withLock { $0.evictionCount } }

    /// A copy of a cached room, with the positions of at most `limit` events after `after` that may be missing in the index; nil if
    /// the room is not cached.
    func view(of id: RoomID, after: Int, limit: Int) -> RoomView? {
        state.withLock { state in
            guard let entry = state.rooms[id] else { return nil }
            let first = entry.firstInTail
            let skipped = max(0, min(max(0, after), entry.room.head.seq) - first + 1)
            return RoomView(
                number: entry.room.number, head: entry.room.head, lastResponse: entry.room.lastResponse,
                firstInTail: first + skipped, tail: Array(entry.tail.dropFirst(skipped).prefix(limit)))
        }
    }

    /// Replaces the deadlines of rows that lag behind by the committed ones. Which rooms are open never lags behind.
    func refresh(_ rows: [PendingRoom]) -> [PendingRoom] {
        state.withLock { state in
            rows.map { row in
                guard let status = state.rooms[row.room]?.room.status else { return row }
                return PendingRoom(room: row.room, endsAt: status.isDueAtEnd ? status.endsAt : nil)
            }
        }
    }

    /// Replaces head and status of rows that lag behind by the committed ones.
    func refresh(_ rows: [RoomRow]) -> [RoomRow] {
        state.withLock { state in
            rows.map { row in
                guard let room = state.rooms[row.room]?.room, room.head.seq > row.head.seq else { return row }
                return RoomRow(
                    room: row.room, position: row.position, head: room.head, profile: row.profile, status: room.status)
            }
        }
    }
}
