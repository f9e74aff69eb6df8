internal import CScheduling
internal import Dispatch
internal import Foundation

/// A named thread that can be joined.
final class ServiceThread: Sendable {
    private let running = DispatchGroup()
    private let name: String

    init(name: String) { self.name = name }

    /// - Parameter isLatencySensitive: Whether clients wait for each of its turns. Its turns are short, so it may preempt threads that
    ///   send events to thousands of subscribers; otherwise a bid waits several milliseconds per thread for the scheduler.
    func start(isLatencySensitive: Bool = false, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        let thread = Thread { [running, name] in
            Thread.current.name = name
            // The name that `top -H` shows; Foundation does not always set it. SAFETY: the name is copied during the call.
            unsafe scheduling_name_thread(name)
            // If the system refuses, it runs as an ordinary thread.
            if isLatencySensitive { _ = scheduling_prefer_short_turns(ServiceThread.turnNanoseconds) }
            body()
            running.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The shortest time slice that Linux accepts.
    private static let turnNanoseconds: UInt64 = 100_000

    /// Returns once the body has ended, at once if it never began. May be called repeatedly and from several threads.
    func join() { running.wait() }
}

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
