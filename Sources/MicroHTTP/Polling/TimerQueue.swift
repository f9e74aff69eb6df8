internal import HeapModule

/// Identifies a timer on its loop, to cancel it.
package struct TimerID: Hashable, Sendable {
    let serial: UInt64
}

/// Timers of one loop by due time; the time is passed in, in milliseconds.
struct TimerQueue {
    private struct Entry: Comparable {
        let due: UInt64
        let serial: UInt64

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.serial) < (right.due, right.serial) }
    }

    // Cancelling only drops the job; its entry is removed when it is due, or when most entries are such.
    private var heap: Heap<Entry> = []
    private var jobs: [UInt64: () -> Void] = [:]
    private var lastSerial: UInt64 = 0

    var count: Int { jobs.count }

    /// When to wake; may be early because of a cancelled timer. Nil without timers.
    var nextDue: UInt64? { heap.min?.due }

    mutating func schedule(due: UInt64, _ job: @escaping () -> Void) -> TimerID {
        lastSerial += 1
        jobs[lastSerial] = job
        heap.insert(Entry(due: due, serial: lastSerial))
        return TimerID(serial: lastSerial)
    }

    mutating func cancel(_ timer: TimerID) {
        guard jobs.removeValue(forKey: timer.serial) != nil else { return }
        if heap.count > 64, heap.count > 2 * jobs.count {
            heap = Heap(heap.unordered.filter { jobs[$0.serial] != nil })
        }
    }

    /// Removes and returns the next due job; nil if none is due.
    mutating func popDue(_ now: UInt64) -> (() -> Void)? {
        while let first = heap.min, first.due <= now {
            heap.removeMin()
            if let job = jobs.removeValue(forKey: first.serial) { return job }
        }
        return nil
    }
}
