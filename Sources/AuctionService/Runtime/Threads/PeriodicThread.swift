internal import CScheduling
internal import Synchronization

/// A thread for periodic work, until it is stopped.
package final class PeriodicThread: Sendable {
    private let thread: ServiceThread
    private let stopped = MonotonicSemaphore()
    private let running = Atomic<Bool>(false)

    package init(name: String) { thread = ServiceThread(name: name) }

    /// Whether it has not been stopped.
    package var isRunning: Bool { running.load(ordering: .relaxed) }

    /// Lets the process's other threads go before the calling one.
    package static func yieldToOthers() {
        // A failure leaves it as fast as the others.
        _ = scheduling_yield_to_others()
    }

    /// Starts the thread with a body that calls `pause` between rounds.
    package func start(_ body: @escaping @Sendable () -> Void) {
        running.store(true, ordering: .relaxed)
        thread.start(body)
    }

    /// Waits on the thread itself; returns false once the thread has to end.
    package func pause(milliseconds: Int) -> Bool { isRunning && !stopped.wait(milliseconds: milliseconds) }

    /// Returns once the body has ended; false if it was not running.
    package func stop() -> Bool {
        guard running.exchange(false, ordering: .relaxed) else { return false }
        stopped.signal()
        thread.join()
        return true
    }
}
