package import AuctionDomain
package import EventLog
import Synchronization

extension InMemoryEventLog {
    /// The faults to inject.
    struct Faults {
        struct Failure {
            let error: EventLogError
            /// Whether the batch is stored nevertheless, as if only the reply to the commit was lost.
            let commits: Bool
            /// Number of appends that succeed before.
            var after = 0
        }

        var next: Failure?
        var poisoned: Set<RoomID> = []
        var losesEvery: Int?
        var eventBearing = 0

        mutating func failure(of batch: [RoomAppend]) throws(EventLogError) -> Failure? {
            if let room = batch.first(where: { poisoned.contains($0.room) })?.room {
                throw EventLogError(.statement, "\(room) is poisoned")
            }
            if let after = next?.after, after > 0 {
                next?.after = after - 1
                return nil
            }
            defer { next = nil }
            return next
        }

        /// Counts an append that has events; true if this one must be dropped.
        mutating func loses() -> Bool {
            guard let losesEvery else { return false }
            eventBearing += 1
            return eventBearing.isMultiple(of: losesEvery)
        }
    }

    /// A deliberately faulty log: acknowledges every n-th append that has events without storing it. Used to prove that a test
    /// harness detects a lost bid.
    /// - Parameter losesEvery: Every how many appends one is dropped; nil: none.
    package convenience init(losesEvery: Int?) {
        self.init()
        state.withLock { $0.faults.losesEvery = losesEvery }
    }

    /// Makes the next append throw `error`.
    /// - Parameters:
    ///   - afterCommitting: Whether the batch is stored nevertheless, as if only the reply to the commit was lost.
    ///   - count: Number of appends that succeed before it.
    package func failNextAppend(with error: EventLogError, afterCommitting: Bool = false, after count: Int = 0) {
        state.withLock { $0.faults.next = .init(error: error, commits: afterCommitting, after: count) }
    }

    /// Makes every batch that contains this room throw `.statement`.
    package func poison(room: RoomID) { state.withLock { _ = $0.faults.poisoned.insert(room) } }
}
