import AuctionDomain
import EventLog

/// A part of a room's tail, about to be indexed.
struct Backlog {
    let id: RoomID
    let room: LiveRoom
    /// The number of the first event.
    let first: Int
    let positions: ArraySlice<Int64>
    /// Whether nothing older is left for this round.
    let isComplete: Bool
}

/// What a reader has to know of a room before it asks the database: a copy, of one instant.
struct RoomView {
    let number: Int64
    let head: RoomHead
    let lastAnswer: Int64
    /// The number of the first event in `tail`; the index has had those before it since before this was copied.
    let firstInTail: Int
    let tail: [Int64]
}

extension LiveRooms.State {
    mutating func apply(_ change: RoomChange, to id: RoomID) {
        behind += change.positions.count + change.answers
        let wasListed = rooms[id, default: LiveRooms.Entry(room: change.room)].take(change)
        if !wasListed { listed.append(id) }
    }

    mutating func remove(_ part: Backlog) {
        guard let index = rooms.index(forKey: part.id) else { return }
        behind -= part.positions.count + rooms.values[index].answersBehind
        rooms.values[index].answersBehind = 0
        rooms.values[index].tail = rooms.values[index].tail.dropFirst(part.positions.count)
        guard part.isComplete else { return }
        if !rooms.values[index].tail.isEmpty { return listed.append(part.id) }
        rooms.values[index].isListed = false
        if rooms.values[index].isQueued { return }
        rooms.values[index].isQueued = true
        clean.append(part.id)
    }

    /// Drops rooms whose rows say the same; a few at a time, as somebody waits.
    mutating func forget(above limit: Int) {
        for _ in 0..<64 where rooms.count > limit {
            guard let id = clean.popFirst(), let index = rooms.index(forKey: id) else { return }
            rooms.values[index].isQueued = false
            if rooms.values[index].isListed { continue }
            rooms.remove(at: index)
            forgotten += 1
        }
    }
}

extension LiveRooms.Entry {
    /// Returns whether a flush knew of it already.
    fileprivate mutating func take(_ change: RoomChange) -> Bool {
        room = change.room
        tail.append(contentsOf: change.positions)
        answersBehind += change.answers
        defer { isListed = true }
        return isListed
    }
}
