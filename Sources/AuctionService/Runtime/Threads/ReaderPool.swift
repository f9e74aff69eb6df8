internal import Foundation

/// A pool of threads that read the log for callers that must not block on the disk.
package final class ReaderPool: Sendable {
    /// Nil without threads.
    private let queue: OperationQueue?
    private let waiting = Mailbox<@Sendable () -> Void>()

    /// - Parameter count: Number of threads; 0: jobs wait for `step`.
    package init(count: Int, name: String = "readers") {
        queue = count > 0 ? OperationQueue() : nil
        queue?.name = name
        queue?.maxConcurrentOperationCount = count
    }

    /// Runs a job on one of the threads.
    /// - Parameter isUrgent: Whether it is run before all waiting jobs that are not; jobs that run are not interrupted.
    package func run(isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) {
        guard let queue else { return waiting.post(job) }
        guard isUrgent else { return queue.addOperation(job) }
        let operation = BlockOperation(block: job)
        operation.queuePriority = .veryHigh
        queue.addOperation(operation)
    }

    /// Runs waiting jobs on the caller's thread; returns false if there were none.
    func step() -> Bool {
        let jobs = waiting.takeAll()
        for job in jobs { job() }
        return !jobs.isEmpty
    }

    /// Returns once all jobs are done.
    package func finish() { queue?.waitUntilAllOperationsAreFinished() }
}
