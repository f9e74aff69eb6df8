internal import DequeModule
internal import Dispatch
internal import Synchronization

/// A pool of threads that read the log for callers that must not block on the disk.
package final class ReaderPool: Sendable {
    private struct Jobs {
        var urgent: Deque<@Sendable () -> Void> = []
        var others: Deque<@Sendable () -> Void> = []
        /// Threads that take jobs until there are none.
        var threads = 0

        mutating func next() -> (@Sendable () -> Void)? { urgent.popFirst() ?? others.popFirst() }
    }

    private let count: Int
    private let queue: DispatchQueue
    private let running = DispatchGroup()
    private let jobs = Mutex(Jobs())

    /// - Parameter count: Number of threads; 0: jobs wait for `step`.
    package init(count: Int, name: String = "readers") {
        self.count = count
        queue = DispatchQueue(label: name, attributes: .concurrent)
    }

    /// Runs a job on one of the threads.
    /// - Parameter isUrgent: Whether it is run before all waiting jobs that are not; jobs that run are not interrupted.
    package func run(isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) {
        let needsThread = jobs.withLock { jobs in
            if isUrgent, count > 0 { jobs.urgent.append(job) } else { jobs.others.append(job) }
            guard jobs.threads < count else { return false }
            jobs.threads += 1
            return true
        }
        if needsThread { queue.async(group: running) { [self] in runJobs() } }
    }

    private func runJobs() {
        while true {
            let job = jobs.withLock { jobs in
                let next = jobs.next()
                if next == nil { jobs.threads -= 1 }
                return next
            }
            guard let job else { return }
            job()
        }
    }

    /// Runs waiting jobs on the caller's thread; returns false if there were none.
    func step() -> Bool {
        let waiting = jobs.withLock { jobs in
            defer { jobs.others = [] }
            return jobs.others
        }
        for job in waiting { job() }
        return !waiting.isEmpty
    }

    /// Returns once all jobs are done.
    package func finish() { running.wait() }
}
