internal import DequeModule
internal import Synchronization

/// Bounds the bytes of recent events that all rooms keep for readers. Beyond the limit the room whose last publication is oldest
/// drops its own first; its readers find the events in the log.
final class RecentMemory: Sendable {
    private struct Queue {
        // Not weak: once there is a weak reference to an object, all its references are counted in a second place in memory, and every
        // request counts references to its room.
        var rooms: Deque<CommittedRoom> = []
        /// Number of rooms that left memory since those that had left were last removed.
        var leftCount = 0

        mutating func removeLeft() {
            guard 2 * leftCount > rooms.count else { return }
            rooms.removeAll { $0.hasLeft }
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
    func enqueue(_ room: CommittedRoom) {
        queue.withLock { queue in
            // A room may be published for the last time while it leaves.
            if !room.hasLeft { queue.rooms.append(room) }
        }
    }

    /// Releases a room that leaves memory, at the latest when as many others have left as remain.
    func leave(_ room: CommittedRoom) {
        queue.withLock { queue in
            room.leave()
            queue.leftCount += 1
            queue.removeLeft()
        }
    }

    /// Evicts recent events while they exceed the limit.
    func evictExcess() {
        guard bytes > limit else { return }
        // A room with a publication since it was last considered is moved to the end, once.
        var requeuesLeft = queue.withLock { $0.rooms.count }
        while bytes > limit, let room = queue.withLock({ $0.rooms.popFirst() }) {
            if requeuesLeft > 0, !room.hasLeft, room.takePublishedFlag() {
                requeuesLeft -= 1
                queue.withLock { $0.rooms.append(room) }
            } else {
                room.forgetRecent()
            }
        }
    }
}
