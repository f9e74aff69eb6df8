#if canImport(FoundationEssentials)
    import Synchronization
#else
    import Foundation
#endif

/// State that callbacks and tasks share, behind a lock: a `Mutex`, or on Apple's systems, where that needs iOS 18 and macOS 15, an `NSLock`.
///
/// `@unchecked Sendable`: `state` is private and only used while the lock is held; both it and what leaves `withLock` are Sendable.
package final class Locked<State: Sendable>: @unchecked Sendable {
    #if canImport(FoundationEssentials)
        private let state: Mutex<State>
    #else
        private let lock = NSLock()
        private var state: State
    #endif

    /// - Parameter state: the state to begin with.
    package init(_ state: State) {
        #if canImport(FoundationEssentials)
            self.state = Mutex(state)
        #else
            self.state = state
        #endif
    }

    /// Calls `body` with the state, which nothing else uses meanwhile.
    ///
    /// `body` must not call `withLock` of the same state, nor anything that may: the lock is not recursive.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(FoundationEssentials)
            return try state.withLock { (state) throws(Failure) in try body(&state) }
        #else
            lock.lock()
            defer { lock.unlock() }
            return try body(&state)
        #endif
    }
}
