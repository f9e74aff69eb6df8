internal import CScheduling
internal import Dispatch
internal import Foundation

/// A named thread that can be waited for.
final class ServiceThread: Sendable {
    private let running = DispatchGroup()
    private let name: String

    init(name: String) { self.name = name }

    /// - Parameter isHurried: whether a client waits for each of its turns. They are short, so it may interrupt whoever sends an
    ///   event to thousands of readers; without that a bid waits for the scheduler, several milliseconds a thread.
    func start(isHurried: Bool = false, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        let thread = Thread { [running, name] in
            Thread.current.name = name
            // What `top -H` shows; Foundation does not always pass the name on. Safe: it is copied during the call.
            unsafe scheduling_name_thread(name)
            // Where the system refuses it runs as any other thread.
            if isHurried { _ = scheduling_prefer_short_turns(ServiceThread.turnNanoseconds) }
            body()
            running.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The shortest that Linux takes.
    private static let turnNanoseconds: UInt64 = 100_000

    /// Returns once the body has ended, at once if it never began; so it may be called again, and by several.
    func join() { running.wait() }
}

/// A few threads that ask the log for whoever must not wait for a disk.
package final class Readers: Sendable {
    /// Nil without threads.
    private let queue: OperationQueue?
    private let waiting = Mailbox<@Sendable () -> Void>()

    /// - Parameter count: 0 for no threads at all: jobs wait for `step`.
    package init(count: Int, name: String = "readers") {
        queue = count > 0 ? OperationQueue() : nil
        queue?.name = name
        queue?.maxConcurrentOperationCount = count
    }

    package func run(_ job: @escaping @Sendable () -> Void) {
        if let queue { queue.addOperation(job) } else { waiting.post(job) }
    }

    /// Runs what waits on the caller's thread; false where that is nothing.
    func step() -> Bool {
        let jobs = waiting.takeAll()
        for job in jobs { job() }
        return !jobs.isEmpty
    }

    /// Returns once everything that was asked for is done.
    package func finish() { queue?.waitUntilAllOperationsAreFinished() }
}
