public import AuctionDomain
import Synchronization

extension InMemoryEventLog {
    /// What the log does wrong on purpose.
    struct Faults {
        struct Failure {
            let error: EventLogError
            /// Whether the batch is stored all the same, as when only the reply to a commit got lost.
            let commits: Bool
        }

        var next: Failure?
        var poisoned: Set<RoomID> = []
        var losesEvery: Int?
        var eventBearing = 0

        mutating func failure(of batch: [RoomAppend]) throws(EventLogError) -> Failure? {
            if let room = batch.first(where: { poisoned.contains($0.room) })?.room {
                throw EventLogError(.statement, "\(room) is poisoned")
            }
            defer { next = nil }
            return next
        }

        /// Counts an append that bears events; true if this one is to be lost.
        mutating func loses() -> Bool {
            guard let losesEvery else { return false }
            eventBearing += 1
            return eventBearing.isMultiple(of: losesEvery)
        }
    }

    /// A log that is broken on purpose: it acknowledges every n-th append that bears events and does not store it.
    ///
    /// For showing that a harness notices a lost bid.
    public convenience init(losesEvery: Int?) {
        self.init()
        state.withLock { $0.faults.losesEvery = losesEvery }
    }

    /// Makes the next append throw.
    /// - Parameter afterCommitting: whether the batch is stored all the same, as when the reply to a commit gets lost.
    public func failNextAppend(with error: EventLogError, afterCommitting: Bool = false) {
        state.withLock { $0.faults.next = .init(error: error, commits: afterCommitting) }
    }

    /// Makes every append that holds this room throw `.statement`.
    public func poison(room: RoomID) {
        state.withLock { _ = $0.faults.poisoned.insert(room) }
    }
}
