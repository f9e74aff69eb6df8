import Foundation

/// State that callbacks and tasks share, behind a lock. `Synchronization.Mutex` does the same, but needs iOS 18 and macOS 15.
///
/// `@unchecked Sendable`: `state` is private and only used while `lock` is held; both it and what leaves `withLock` are Sendable.
package final class Locked<State: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    /// - Parameter state: the state to begin with.
    package init(_ state: State) { self.state = state }

    /// Calls `body` with the state, which nothing else uses meanwhile.
    ///
    /// `body` must not call `withLock` of the same state, nor anything that may: the lock is not recursive.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
