import AuctionDomain
import HeapModule

/// Which room has to be looked at when. At most one entry a room that matters: an end that moves later leaves the entry where
/// it is, and whoever comes too early is put back.
struct CountdownQueue: Sendable {
    private struct Entry: Comparable {
        let due: Timestamp
        let room: RoomID

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.room) < (right.due, right.room) }
    }

    private var heap: Heap<Entry> = []
    private var armed: [RoomID: Timestamp] = [:]

    /// When the next entry is due; nil for none.
    var next: Timestamp? { heap.min?.due }

    /// Sees to it that the room is looked at when its countdown ends; nil: it has none.
    mutating func arm(_ room: RoomID, at end: Timestamp?) {
        guard let end else { return }
        if let due = armed[room], due <= end { return }
        armed[room] = end
        heap.insert(Entry(due: end, room: room))
    }

    /// Takes the next room whose time has come.
    mutating func popDue(at instant: Timestamp) -> RoomID? {
        while let first = heap.min, first.due <= instant {
            heap.removeMin()
            // An entry that an earlier one replaced means nothing any more.
            guard armed[first.room] == first.due else { continue }
            armed[first.room] = nil
            return first.room
        }
        return nil
    }
}
