internal import DequeModule
internal import Synchronization

/// Bounds the bytes of recent events that all rooms keep for readers. Beyond the limit the room whose last publication is oldest
/// drops its own first; its readers find the events in the log.
final class RecentMemory: Sendable {
    /// A room's place in the queue. It is emptied when the room leaves memory, so that the queue keeps nothing of it.
    ///
    /// No weak reference: once an object has one, all its references are counted in a second place in memory, and every request counts
    /// references to its room.
    final class Place: Sendable {
        private let held = Mutex<CommittedRoom?>(nil)

        var room: CommittedRoom? { held.withLock { $0 } }
        fileprivate func hold(_ room: CommittedRoom) { held.withLock { $0 = room } }
        fileprivate func empty() { _ = held.withLock { $0.take() } }
    }

    private struct Queue {
        var places: Deque<Place> = []
        /// Number of rooms that left memory since emptied places were last removed.
        var leftCount = 0

        mutating func removeEmpty() {
            guard 2 * leftCount > places.count else { return }
            places.removeAll { $0.room == nil }
            leftCount = 0
        }
    }

    private let limit: Int
    private let total = Atomic<Int>(0)
    /// Rooms that keep events, in the order they began to.
    private let queue = Mutex(Queue())

    init(limit: Int) { self.limit = limit }

    var bytes: Int { total.load(ordering: .relaxed) }

    func add(_ bytes: Int) { total.add(bytes, ordering: .relaxed) }

    /// Adds a room that keeps events from now on.
    /// - Returns: False if it has left memory: it may be published for the last time while it leaves.
    func enqueue(_ room: CommittedRoom) -> Bool {
        queue.withLock { queue in
            if room.hasLeft { return false }
            room.place.hold(room)
            queue.places.append(room.place)
            return true
        }
    }

    /// Releases a room that leaves memory.
    func leave(_ room: CommittedRoom) {
        queue.withLock { queue in
            room.leave()
            queue.leftCount += 1
            queue.removeEmpty()
        }
        room.place.empty()
    }

    /// Empties the queue. Rooms retain this object and the queue retains rooms, so without this neither would be freed.
    func releaseAll() {
        let places = queue.withLock { queue in
            defer { queue.places = [] }
            return queue.places
        }
        for place in places { place.empty() }
    }

    /// Evicts recent events while they exceed the limit.
    func evictExcess() {
        guard bytes > limit else { return }
        // A room with a publication since it was last considered is moved to the end, once.
        var requeuesLeft = queue.withLock { $0.places.count }
        while bytes > limit, let place = queue.withLock({ $0.places.popFirst() }) {
            guard let room = place.room else { continue }
            if requeuesLeft > 0, room.takePublishedFlag() {
                requeuesLeft -= 1
                queue.withLock { $0.places.append(place) }
            } else {
                // Before the room may be added again.
                place.empty()
                room.forgetRecent()
            }
        }
    }
}
