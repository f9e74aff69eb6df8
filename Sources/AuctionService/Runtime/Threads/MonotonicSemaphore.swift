internal import CScheduling
internal import Glibc

/// A counting semaphore whose timeouts use the monotonic clock.
///
/// `@unchecked Sendable`: the pointer never changes, and the semaphore it points to may be used by any thread.
@safe
package final class MonotonicSemaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        // SAFETY: the memory is initialised here and belongs to this object until its end.
        unsafe semaphore = .allocate(capacity: 1)
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        // SAFETY: a waiting thread holds the object, so no thread waits now.
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Adds one, which wakes one waiting thread.
    package func signal() {
        // SAFETY: initialised, and valid as long as this object.
        _ = unsafe sem_post(semaphore)
    }

    /// Waits until the count is positive, then subtracts one.
    /// - Parameter milliseconds: The timeout; nil: none.
    /// - Returns: Whether it was signalled; false after the timeout.
    @discardableResult
    package func wait(milliseconds: Int?) -> Bool {
        guard let milliseconds else {
            // Safe, as above. An interrupted wait begins again.
            while unsafe sem_wait(semaphore) != 0 {}
            return true
        }
        let most = Int64(min(max(milliseconds, 0), Self.mostMilliseconds))
        return unsafe scheduling_take(semaphore, most * 1_000_000) != 0
    }

    /// One year, so that adding it to the current time never overflows.
    private static let mostMilliseconds = 365 * 24 * 3_600_000
}
