internal import DequeModule
internal import Synchronization

/// Bounds the bytes of recent events that all rooms keep for readers. Beyond the limit the room whose last publication is oldest
/// drops its own first; its readers find the events in the log.
final class RecentMemory: Sendable {
    /// A room in the queue; nil once it has left memory.
    private struct Entry: Sendable {
        weak let room: CommittedRoom?
    }

    private struct Queue {
        var entries: Deque<Entry> = []
        /// At this length, entries without a room are removed.
        var sweepAt = 64
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
            queue.entries.append(Entry(room: room))
            guard queue.entries.count >= queue.sweepAt else { return }
            queue.entries.removeAll { $0.room == nil }
            queue.sweepAt = max(64, 2 * queue.entries.count)
        }
    }

    /// Evicts recent events while they exceed the limit.
    func evictExcess() {
        guard bytes > limit else { return }
        // A room with a publication since it was last considered is moved to the end, once.
        var requeuesLeft = queue.withLock { $0.entries.count }
        while bytes > limit, let entry = queue.withLock({ $0.entries.popFirst() }) {
            guard let room = entry.room else { continue }
            if requeuesLeft > 0, room.takePublishedFlag() {
                requeuesLeft -= 1
                queue.withLock { $0.entries.append(entry) }
            } else {
                room.forgetRecent()
            }
        }
    }
}
