/// Identifies a timer on its loop, to cancel it.
public struct TimerID: Hashable, Sendable {
    let serial: UInt64
}

/// Timers of one loop by due time; the time is passed in, in milliseconds.
struct TimerQueue {
    private struct Entry {
        let due: UInt64
        let serial: UInt64
        func isBefore(_ other: Entry) -> Bool { due != other.due ? due < other.due : serial < other.serial }
    }

    // A binary heap of due times; cancelling only drops the job, and its entry is removed when it is due or the heap is compacted.
    private var heap: [Entry] = []
    private var jobs: [UInt64: () -> Void] = [:]
    private var lastSerial: UInt64 = 0

    var count: Int { jobs.count }

    /// When to wake; may be early because of a cancelled timer. Nil without timers.
    var nextDue: UInt64? { heap.first?.due }

    mutating func schedule(due: UInt64, _ job: @escaping () -> Void) -> TimerID {
        lastSerial += 1
        jobs[lastSerial] = job
        heap.append(Entry(due: due, serial: lastSerial))
        siftUp(heap.count - 1)
        return TimerID(serial: lastSerial)
    }

    mutating func cancel(_ timer: TimerID) {
        guard jobs.removeValue(forKey: timer.serial) != nil else { return }
        if heap.count > 64, heap.count > 2 * jobs.count { sweep() }
    }

    /// Removes and returns the next due job; nil if none is due.
    mutating func popDue(_ now: UInt64) -> (() -> Void)? {
        while let first = heap.first, first.due <= now {
            removeFirst()
            if let job = jobs.removeValue(forKey: first.serial) { return job }
        }
        return nil
    }

    private mutating func sweep() {
        let live = heap.filter { jobs[$0.serial] != nil }
        // A sorted array is a valid heap.
        heap = live.sorted { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
