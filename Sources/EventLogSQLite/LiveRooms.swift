import AuctionDomain
import EventLog
import Synchronization

/// A room's head as last committed; its row in the database may be behind.
struct LiveRoom: Sendable {
    let number: Int64
    var head: RoomHead
    var status: RoomStatus
    var lastAnswer: Int64
}

/// What one transaction makes of a room.
struct RoomChange {
    var room: LiveRoom
    /// Of the events it appends, in order.
    var positions: [Int64] = []
    var answers = 0
}

/// What was committed and has not reached the rooms' rows and the index of events yet, and the heads of rooms in use.
///
/// The writer alone changes it, always to what was just committed; readers may look at any time. A room that is not in
/// here has everything that was acknowledged of it in its row and in the index.
final class LiveRooms: Sendable {
    struct Entry {
        var room: LiveRoom
        /// Where the newest events are that the index does not hold: the last one is the head.
        ///
        /// A slice, because it is taken from at the front: that costs nothing, and growing drops what was taken.
        var tail: ArraySlice<Int64> = []
        /// Answers that the room's row does not lead to yet.
        var answersBehind = 0
        /// Whether a flush has it on its list, or will have: its row is behind.
        var isListed = false
        /// Whether `clean` has it.
        var isQueued = false

        /// The first event that the index does not hold.
        var firstInTail: Int { room.head.seq - tail.count + 1 }
    }

    struct State {
        var rooms: [RoomID: Entry] = [:]
        /// What the next round of flushing is to do.
        var listed: [RoomID] = []
        /// Rooms that could be forgotten, those unused for longest first; some may be in use again.
        var clean: ArraySlice<RoomID> = []
        /// Events and answers that wait for a flush.
        var behind = 0
        /// How often a room was forgotten.
        var forgotten = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: Rooms kept; more only while more wait for a flush.
    init(limit: Int) { self.limit = limit }

    /// Events and answers that wait for a flush.
    var behind: Int { state.withLock { $0.behind } }

    /// How many rooms are in memory.
    var count: Int { state.withLock { $0.rooms.count } }

    // MARK: - For the writer

    func room(_ id: RoomID) -> LiveRoom? { state.withLock { $0.rooms[id]?.room } }

    /// Keeps what a row said.
    func learn(_ id: RoomID, _ room: LiveRoom) {
        state.withLock { state in
            state.rooms[id] = Entry(room: room, isQueued: true)
            state.clean.append(id)
            state.forget(above: limit)
        }
    }

    /// All of a transaction at once, so that readers see whole batches.
    func publish(_ changes: [RoomID: RoomChange]) {
        state.withLock { state in
            for (id, change) in changes { state.apply(change, to: id) }
            state.forget(above: limit)
        }
    }

    // MARK: - For a flush

    /// The rooms to flush, which are no longer listed here; each must come back by way of `flushed`.
    func takeListed() -> [(id: RoomID, number: Int64)] {
        state.withLock { state in
            defer { state.listed = [] }
            return state.listed.compactMap { id in state.rooms[id].map { (id, $0.room.number) } }
        }
    }

    /// The oldest that the index lacks of a room, up to a position and at most `limit`.
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

    /// A slice is committed: the index and the rows hold it.
    func flushed(_ slice: [Backlog]) {
        state.withLock { state in
            for part in slice { state.remove(part) }
            state.forget(above: limit)
        }
    }

    // MARK: - For readers

    /// How often a room was forgotten: as long as that stays, a room that was in here still is.
    var forgotten: Int { state.withLock { $0.forgotten } }

    /// Where a room's history stands, with the positions of at most `limit` events after `after` that the index may lack.
    func view(of id: RoomID, after: Int, limit: Int) -> RoomView? {
        state.withLock { state in
            guard let entry = state.rooms[id] else { return nil }
            let first = entry.firstInTail
            let skipped = max(0, min(max(0, after), entry.room.head.seq) - first + 1)
            return RoomView(
                number: entry.room.number, head: entry.room.head, lastAnswer: entry.room.lastAnswer,
                firstInTail: first + skipped, tail: Array(entry.tail.dropFirst(skipped).prefix(limit)))
        }
    }

    /// Rows brought up to what is committed by now.
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
