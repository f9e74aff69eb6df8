internal import Synchronization

/// Jobs that clients wait for and no command depends on, such as long reads and uploaded pictures, on threads of their own so that they
/// delay no command. The queue is bounded, and one caller may fill a part of it.
package final class FairPool: Sendable {
    private struct Waiting {
        var count = 0
        var ofCaller: [String: Int] = [:]
    }

    private let readers: ReaderPool
    private let limit: Int
    private let share: Int
    private let waiting = Mutex(Waiting())

    /// - Parameters:
    ///   - parts: Into how many parts the queue is divided, one of which a caller may fill.
    ///   - name: The name of its threads.
    package init(threads: Int, limit: Int, parts: Int = 8, name: String = "heavy reads") {
        readers = ReaderPool(count: threads, name: name)
        self.limit = limit
        share = max(1, limit / parts)
    }

    /// Runs a job for a caller.
    /// - Parameters:
    ///   - count: How many jobs the caller may have, if that is less than its part of the queue.
    ///   - deliver: Receives the job's result on the same thread. The job is counted no more by then, so that a caller that waits for
    ///     the result may have the next one.
    /// - Returns: False if the queue or the caller's part of it is full; then the job does not run.
    package func run<Result: Sendable>(
        for caller: String, atMost count: Int = .max, _ job: @escaping @Sendable () -> Result,
        then deliver: @escaping @Sendable (Result) -> Void
    ) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < limit, waiting.ofCaller[caller, default: 0] < min(share, count) else { return false }
            waiting.count += 1
            waiting.ofCaller[caller, default: 0] += 1
            return true
        }
        guard isTaken else { return false }
        readers.run { [self] in
            let result = job()
            waiting.withLock { waiting in
                waiting.count -= 1
                let left = (waiting.ofCaller[caller] ?? 1) - 1
                waiting.ofCaller[caller] = left > 0 ? left : nil
            }
            deliver(result)
        }
        return true
    }

    /// Runs a job without a bound, for callers that have at most one read each.
    /// - Parameter isUrgent: See `ReaderPool.run`.
    package func run(isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) { readers.run(isUrgent: isUrgent, job) }

    /// See `ReaderPool.step`.
    func step() -> Bool { readers.step() }

    /// Returns once all accepted jobs are done.
    package func finish() { readers.finish() }
}

/// The queues of work that clients wait for and no command depends on, each with threads and a bound of its own.
package enum WorkQueue: Sendable {
    /// Reads of the log and of large rooms.
    case reads
    /// Uploaded pictures, one after the other.
    case pictures
}
