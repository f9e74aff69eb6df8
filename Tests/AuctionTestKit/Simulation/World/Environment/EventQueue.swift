internal import HeapModule

/// Tasks ordered by due time in simulated milliseconds; tasks with the same due time run in the order in which they were added.
struct EventQueue<Task> {
    private struct Entry: Comparable {
        let due: Int64
        let number: UInt64
        let task: Task

        static func < (left: Self, right: Self) -> Bool { (left.due, left.number) < (right.due, right.number) }
        static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }

    private var heap: Heap<Entry> = []
    private var next: UInt64 = 0

    mutating func add(_ task: Task, at due: Int64) {
        heap.insert(Entry(due: due, number: next, task: task))
        next += 1
    }

    /// Removes the earliest task that is due at or before `limit`; nil if there is none.
    mutating func take(by limit: Int64) -> (due: Int64, task: Task)? {
        guard let first = heap.min, first.due <= limit else { return nil }
        heap.removeMin()
        return (first.due, first.task)
    }
}
