package import AuctionDomain
package import EventLog
internal import Synchronization

/// The exchange of revocations between this node and the others through the shared log: an entry in one operator's file takes effect
/// on all nodes after two exchanges, also on nodes started later. A thread calls it, and the simulator.
package final class RevocationExchange: Sendable {
    /// Interval of the exchanges, in milliseconds.
    package static let intervalMilliseconds: Int64 = 300
    /// Interval of full reads, in monotonic nanoseconds: only a full read finds withdrawn revocations.
    package static let fullReadNanoseconds: Int64 = 20_000_000_000
    /// Other reads overlap by this many milliseconds, because a revocation may be committed slightly after a newer one.
    private static let overlapMilliseconds: Int64 = 5000

    private struct State {
        var registry = RevocationRegistry()
        /// When the last full read began, in monotonic nanoseconds; nil before the first.
        var lastFullRead: Int64?
    }

    private let state = Mutex(State())

    package init() {}

    /// Replaces the list of this node's operator; may be called while an exchange waits for the log.
    /// - Parameter ends: By digest: tokens issued before the timestamp are revoked; nil: all of them.
    package func list(_ ends: [UInt128: Timestamp?]) { state.withLock { $0.registry.list(ends) } }

    /// Publishes what has changed in the list of this node's operator, and reads what the other nodes have published.
    /// - Returns: The effective revocations if they have changed since the last exchange; nil otherwise.
    /// - Throws: The log's error. Known revocations stay in effect, and the exchange is repeated after the interval.
    package func exchange(_ log: any SharedEventLog, at now: Now) throws(EventLogError) -> SharedRevocations? {
        let withdrawn = state.withLock { $0.registry.keysToRestore }
        if !withdrawn.isEmpty {
            try log.restore(withdrawn)
            state.withLock { $0.registry.restored(withdrawn) }
        }
        while true {
            let next = state.withLock { $0.registry.nextToPublish(at: now.wall) }
            if next.isEmpty { break }
            try log.revoke(next)
            state.withLock { $0.registry.published(next) }
        }
        let (isFull, latest) = state.withLock { state in
            let isDue = state.lastFullRead.map { now.monotonic - $0 >= Self.fullReadNanoseconds } ?? true
            return (isDue || !withdrawn.isEmpty || state.registry.latest == nil, state.registry.latest)
        }
        let since = isFull ? nil : latest?.advanced(byMilliseconds: -Self.overlapMilliseconds)
        let found = try log.revocations(since: since ?? Timestamp(milliseconds: 0))
        return state.withLock { state in
            if isFull { state.lastFullRead = now.monotonic }
            state.registry.merge(found, isWhole: isFull, at: now.wall)
            return state.registry.takeChange()
        }
    }
}
