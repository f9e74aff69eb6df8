import Dispatch
import Synchronization

/// Blocks the calls that pass it while it is shut.
final class Gate: Sendable {
    /// Nil: the gate is open.
    private let barrier = Mutex<DispatchSemaphore?>(nil)
    private let blocked = Atomic<Int>(0)

    /// Number of calls that are blocked.
    var blockedCalls: Int { blocked.load(ordering: .sequentiallyConsistent) }

    func shut() { barrier.withLock { $0 = DispatchSemaphore(value: 0) } }

    func open() {
        let waiting = barrier.withLock { barrier in
            defer { barrier = nil }
            return barrier
        }
        waiting?.signal()
    }

    /// Returns once the gate is open.
    func pass() {
        if let barrier = barrier.withLock({ $0 }) {
            blocked.add(1, ordering: .sequentiallyConsistent)
            defer { blocked.subtract(1, ordering: .sequentiallyConsistent) }
            // The timeout makes a test that forgets to open the gate fail instead of hang.
            _ = barrier.wait(timeout: .now() + 10)
            barrier.signal()
        }
    }
}
