package import AuctionDomain
package import EventLog
import DequeModule

/// Everything one turn of the sequencer decided, with the responses that wait for its commit.
package struct Batch: Sendable {
    /// 1, 2, 3 … in order of submission.
    package let id: Int
    /// One part per room, in the order of their first change in the turn.
    package let rooms: [RoomBatch]
}

/// The part of a batch that concerns one room.
package struct RoomBatch: Sendable {
    /// The events and stored responses to append.
    package let append: RoomAppend
    /// The values of the events in `append`. Not part of them: readers keep recent events for long, and need only their bytes.
    package let decided: [Event]
    /// The room after this batch.
    package let after: ReplayedRoom
    /// The commands, in the order they were decided.
    package let entries: [BatchEntry]
}

/// A decided command whose response waits for the commit.
package struct BatchEntry: Sendable {
    /// The command and where its response goes.
    package let request: CommandRequest
    /// The response to send after the commit.
    package let response: CommandResponse
    /// What the command does to the room.
    package let effect: Effect

    /// What a command does, as it was decided.
    package enum Effect: Hashable, Sendable {
        /// Refused: the response waits only until the state it depends on is confirmed.
        case refusal
        /// Accepted without a change: the response waits for the same confirmation, and is not stored.
        case none
        case change
    }

    /// Whether the command was accepted.
    package var isAccepted: Bool { effect != .refusal }
}

/// The outcome of one room's part of a batch.
package enum RoomVerdict: Hashable, Sendable {
    case appended(responsePositions: [Int64])
    case conflict
    /// Not accepted now, to be retried; only shared logs defer.
    case deferred(AppendVerdict.Deferral)
    case failed(EventLogError)
}

/// Groups all pending batches into one transaction, and isolates a room whose append fails from the others. A value without I/O:
/// its shell carries out the `append` directives and hands in their results.
package struct Committer: Sendable {
    /// What the shell reports to the committer.
    package enum Input: Sendable {
        case submitted(Batch)
        /// All waiting batches have been submitted: begin a transaction unless one is running.
        case begin
        /// The verdicts of the last `append` directive, one per room.
        case appended([AppendVerdict])
        case failed(EventLogError)
    }

    /// What the shell has to do.
    package enum Directive: Sendable {
        /// Append these in one transaction, then hand in `appended` or `failed`.
        case append([RoomAppend])
        /// This batch is finished, with one verdict per room.
        case finished(Batch, [RoomVerdict])
    }

    /// Maximum number of room appends per transaction, unless a single batch has more.
    private let groupLimit: Int
    /// Whether the log keeps working after it was unreachable.
    private let recoversFromFailures: Bool
    private var pending: Deque<Batch> = []
    private var group: Group?
    private var failure: EventLogError?

    package init(groupLimit: Int = 4096, recoversFromFailures: Bool = false) {
        (self.groupLimit, self.recoversFromFailures) = (groupLimit, recoversFromFailures)
    }

    /// Handles one input; returns the directives in order.
    package mutating func handle(_ input: Input) -> [Directive] {
        switch input {
        case .submitted(let batch):
            pending.append(batch)
            return []
        case .begin: return group == nil ? next() : []
        case .appended(let verdicts): return appended(verdicts)
        case .failed(let error): return failed(error)
        }
    }

    /// Starts the next transaction with all pending batches, up to the group limit.
    private mutating func next() -> [Directive] {
        guard !pending.isEmpty else { return [] }
        if let failure { return finishPending(with: failure) }
        var group = Group()
        while let batch = pending.first, group.batches.isEmpty || group.appends.count + batch.rooms.count <= groupLimit {
            pending.removeFirst()
            group.add(batch)
        }
        self.group = group
        return [.append(group.appends)]
    }

    private mutating func appended(_ verdicts: [AppendVerdict]) -> [Directive] {
        guard var group else { return [] }
        for verdict in verdicts {
            switch verdict {
            case .appended(let positions): group.verdicts.append(.appended(responsePositions: positions))
            case .conflict: group.verdicts.append(.conflict)
            case .deferred(let why): group.verdicts.append(.deferred(why))
            }
        }
        return proceed(with: group)
    }

    private mutating func failed(_ error: EventLogError) -> [Directive] {
        guard var group else { return [] }
        switch error.code {
        case .statement where group.isRetriedAlone || group.appends.count == 1:
            // Alone in its transaction: this append caused the failure.
            group.isRetriedAlone = true
            group.verdicts.append(.failed(error))
            return proceed(with: group)
        case .statement:
            group.isRetriedAlone = true
            self.group = group
            return [.append([group.appends[0]])]
        // Nothing was written; a later append may find space again.
        case .full: break
        // Later appends are compared with the stored heads, whatever the outcome of this one.
        case .unavailable where recoversFromFailures, .outcomeUnknown where recoversFromFailures: break
        // From here on it is unknown what is durable: nothing may be acknowledged any more.
        default: failure = error
        }
        group.verdicts += Array(repeating: .failed(error), count: group.appends.count - group.verdicts.count)
        return proceed(with: group)
    }

    private mutating func proceed(with group: Group) -> [Directive] {
        guard group.verdicts.count == group.appends.count else {
            self.group = group
            return [.append([group.appends[group.verdicts.count]])]
        }
        self.group = nil
        // Batches beyond the group limit go into the next transaction at once, without waiting for another submission.
        return group.finished() + next()
    }

    private mutating func finishPending(with error: EventLogError) -> [Directive] {
        defer { pending.removeAll() }
        return pending.map { batch in .finished(batch, batch.rooms.map { _ in .failed(error) }) }
    }

    /// The batches of one transaction.
    private struct Group {
        var batches: [Batch] = []
        var appends: [RoomAppend] = []
        var verdicts: [RoomVerdict] = []
        /// After a failed statement each room's append is retried in its own transaction, in order.
        var isRetriedAlone = false

        mutating func add(_ batch: Batch) {
            batches.append(batch)
            for room in batch.rooms { appends.append(room.append) }
        }

        func finished() -> [Directive] {
            if batches.count == 1 { return [.finished(batches[0], verdicts)] }
            var start = 0
            return batches.map { batch in
                defer { start += batch.rooms.count }
                return .finished(batch, Array(verdicts[start..<start + batch.rooms.count]))
            }
        }
    }
}
