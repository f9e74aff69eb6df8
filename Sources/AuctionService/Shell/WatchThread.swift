internal import Synchronization

/// A thread that looks after something every now and then, until it is stopped.
package final class WatchThread: Sendable {
    private let thread: ServiceThread
    private let stopped = MonotonicSemaphore()
    private let running = Atomic<Bool>(false)

    package init(name: String) { thread = ServiceThread(name: name) }

    /// Whether it is to go on.
    package var isRunning: Bool { running.load(ordering: .relaxed) }

    package func start(_ body: @escaping @Sendable () -> Void) {
        running.store(true, ordering: .relaxed)
        thread.start(body)
    }

    /// Waits so long, on the thread itself; false once it is to end.
    package func pause(milliseconds: Int) -> Bool {
        isRunning && !stopped.wait(milliseconds: milliseconds)
    }

    /// Returns once the body has ended; false if it was not running.
    package func stop() -> Bool {
        guard running.exchange(false, ordering: .relaxed) else { return false }
        stopped.signal()
        thread.join()
        return true
    }
}
