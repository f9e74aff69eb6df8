import AuctionDomain
import EventLog

/// Consecutive events of a room that are about to be added to the index.
struct Backlog {
    let id: RoomID
    let room: CachedRoom
    /// Sequence number of the first event.
    let first: Int
    let positions: ArraySlice<Int64>
    /// Whether this is the room's last part in the current round.
    let isComplete: Bool
}

/// A consistent copy of a cached room, which a reader takes before it queries the database.
struct RoomView {
    let number: Int64
    let head: RoomHead
    let lastResponse: Int64
    /// Sequence number of the first event in `tail`; the index already contained all events before it when this copy was taken.
    let firstInTail: Int
    /// Positions of the events from `firstInTail` on, possibly cut off at a limit.
    let tail: [Int64]
}

extension RoomCache.State {
    mutating func apply(_ change: RoomChange, to id: RoomID) {
        pendingCount += change.positions.count + change.responses
        let wasPending = rooms[id, default: RoomCache.Entry(room: change.room)].take(change)
        if !wasPending { pending.append(id) }
    }

    mutating func remove(_ part: Backlog) {
        guard let index = rooms.index(forKey: part.id) else { return }
        pendingCount -= part.positions.count + rooms.values[index].pendingResponses
        rooms.values[index].pendingResponses = 0
        rooms.values[index].tail = rooms.values[index].tail.dropFirst(part.positions.count)
        guard part.isComplete else { return }
        if !rooms.values[index].tail.isEmpty { return pending.append(part.id) }
        rooms.values[index].isPending = false
        if rooms.values[index].isEvictionCandidate { return }
        rooms.values[index].isEvictionCandidate = true
        evictionCandidates.append(part.id)
    }

    /// Evicts rooms whose rows are up to date while there are more than `limit`; at most 64 per call, because callers wait for the
    /// lock.
    mutating func evict(above limit: Int) {
        for _ in 0..<64 where rooms.count > limit {
            guard let id = evictionCandidates.popFirst() else { return }
            // It may have been deleted since.
            guard let index = rooms.index(forKey: id) else { continue }
            rooms.values[index].isEvictionCandidate = false
            if rooms.values[index].isPending { continue }
            rooms.remove(at: index)
            evictionCount += 1
        }
    }
}

extension RoomCache.Entry {
    /// Applies the change; returns whether the room was already waiting for a flush.
    fileprivate mutating func take(_ change: RoomChange) -> Bool {
        room = change.room
        tail.append(contentsOf: change.positions)
        pendingResponses += change.responses
        defer { isPending = true }
        return isPending
    }
}
