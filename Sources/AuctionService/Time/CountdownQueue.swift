import AuctionDomain
import HeapModule

/// Deadlines of rooms, earliest first. A room has at most one valid entry. A deadline that is extended leaves its entry in place:
/// the caller finds it early and arms the room again.
struct CountdownQueue: Sendable {
    private struct Entry: Comparable {
        let due: Timestamp
        let room: RoomID

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.room) < (right.due, right.room) }
    }

    private var heap: Heap<Entry> = []
    private var armed: [RoomID: Timestamp] = [:]

    /// The earliest entry's deadline; nil if there is none.
    var next: Timestamp? { heap.min?.due }

    /// Makes sure that the room is popped no later than its deadline; nil: it has none.
    mutating func arm(_ room: RoomID, at deadline: Timestamp?) {
        guard let deadline else { return }
        if let due = armed[room], due <= deadline { return }
        armed[room] = deadline
        heap.insert(Entry(due: deadline, room: room))
        removeVoidEntries()
    }

    /// Void entries of far deadlines would stay for long: rooms that come and go leave one each time.
    private mutating func removeVoidEntries() {
        guard heap.count > 2 * armed.count + Self.mostVoidEntries else { return }
        heap = Heap(armed.map { Entry(due: $1, room: $0) })
    }

    private static let mostVoidEntries = 64

    /// Number of entries, void ones included.
    var entryCount: Int { heap.count }

    /// Whether the room has an entry.
    func contains(_ room: RoomID) -> Bool { armed[room] != nil }

    /// Removes the room's entry.
    /// - Returns: Whether there was one.
    mutating func disarm(_ room: RoomID) -> Bool { armed.removeValue(forKey: room) != nil }

    /// Removes and returns the next room whose deadline has expired.
    mutating func popDue(at instant: Timestamp) -> RoomID? {
        while let first = heap.min, first.due <= instant {
            heap.removeMin()
            // An entry that was replaced by an earlier one is void.
            guard armed[first.room] == first.due else { continue }
            armed[first.room] = nil
            return first.room
        }
        return nil
    }
}
