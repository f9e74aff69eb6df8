internal import DequeModule
internal import Synchronization

/// How many bytes of events the rooms keep in memory for readers, all together. Beyond the limit rooms give up theirs, the one that
/// was published to longest ago first; their readers find them in the log.
final class RecentMemory: Sendable {
    /// The first of everything: the room, if it is still in memory.
    private struct Entry: Sendable {
        weak let room: CommittedRoom?
    }

    private struct Line {
        var entries: Deque<Entry> = []
        /// With so many, those whose room is gone are left out.
        var sweepAt = 64
    }

    private let limit: Int
    private let total = Atomic<Int>(0)
    /// Rooms that keep something, in the order in which they began to.
    private let line = Mutex(Line())

    init(limit: Int) { self.limit = limit }

    var bytes: Int { total.load(ordering: .relaxed) }

    func add(_ bytes: Int) { total.add(bytes, ordering: .relaxed) }

    /// The room keeps something from now on.
    func join(_ room: CommittedRoom) {
        line.withLock { line in
            line.entries.append(Entry(room: room))
            guard line.entries.count >= line.sweepAt else { return }
            line.entries.removeAll { $0.room == nil }
            line.sweepAt = max(64, 2 * line.entries.count)
        }
    }

    /// Makes room where there is too much.
    func relieve() {
        guard bytes > limit else { return }
        // A room that was published to since its last turn has another one, once.
        var spared = line.withLock { $0.entries.count }
        while bytes > limit, let entry = line.withLock({ $0.entries.popFirst() }) {
            guard let room = entry.room else { continue }
            if spared > 0, room.wasPublishedSinceAsked() {
                spared -= 1
                line.withLock { $0.entries.append(entry) }
            } else {
                room.forgetRecent()
            }
        }
    }
}
