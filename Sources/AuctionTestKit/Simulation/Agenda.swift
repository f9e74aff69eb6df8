internal import HeapModule

/// What is to happen when, in simulated milliseconds; what is due at once happens in the order in which it was put down.
struct Agenda<Task> {
    private struct Entry: Comparable {
        let due: Int64
        let number: UInt64
        let task: Task

        static func < (left: Self, right: Self) -> Bool { (left.due, left.number) < (right.due, right.number) }
        static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }

    private var heap: Heap<Entry> = []
    private var next: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }

    mutating func add(_ task: Task, at due: Int64) {
        heap.insert(Entry(due: due, number: next, task: task))
        next += 1
    }

    /// The next task that is due by `limit`, and when it was due.
    mutating func take(by limit: Int64) -> (due: Int64, task: Task)? {
        guard let first = heap.min, first.due <= limit else { return nil }
        heap.removeMin()
        return (first.due, first.task)
    }

    /// When the next task is due; nil: never.
    var nextDue: Int64? { heap.min?.due }
}
