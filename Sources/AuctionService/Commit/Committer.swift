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
/// its shell appends what a step names, and hands in the result.
package struct Committer: Sendable {
    /// What the shell has to do: first report what is finished, then append.
    package struct Step: Sendable {
        /// Batches that are finished, each with one verdict per room, in order of submission.
        package fileprivate(set) var finished: [(batch: Batch, verdicts: [RoomVerdict])] = []
        /// To be appended in one transaction, whose result is handed in as `appended`; nil: there is nothing to append.
        package fileprivate(set) var append: [RoomAppend]?
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

    /// Adds a batch to those that wait for a transaction.
    package mutating func submit(_ batch: Batch) { pending.append(batch) }

    /// Begins a transaction with all waiting batches, unless one is running.
    package mutating func begin() -> Step {
        var step = Step()
        if group == nil { beginNext(&step) }
        return step
    }

    /// Takes the result of the last append: one verdict per room, or the log's error.
    package mutating func appended(_ result: Result<[AppendVerdict], EventLogError>) -> Step {
        var step = Step()
        guard var group else { return step }
        switch result {
        case .success(let verdicts):
            for verdict in verdicts {
                switch verdict {
                case .appended(let positions): group.verdicts.append(.appended(responsePositions: positions))
                case .conflict: group.verdicts.append(.conflict)
                case .deferred(let why): group.verdicts.append(.deferred(why))
                }
            }
        case .failure(let error): failed(error, &group)
        }
        proceed(with: group, &step)
        return step
    }

    /// Starts the next transaction with all pending batches, up to the group limit.
    private mutating func beginNext(_ step: inout Step) {
        guard !pending.isEmpty else { return }
        if let failure {
            for batch in pending { step.finished.append((batch, batch.rooms.map { _ in .failed(failure) })) }
            return pending.removeAll()
        }
        var group = Group()
        while let batch = pending.first, group.batches.isEmpty || group.appends.count + batch.rooms.count <= groupLimit {
            pending.removeFirst()
            group.add(batch)
        }
        step.append = group.appends
        self.group = group
    }

    private mutating func failed(_ error: EventLogError, _ group: inout Group) {
        switch error.code {
        case .statement where group.isRetriedAlone || group.appends.count == 1:
            // Alone in its transaction: this append caused the failure.
            group.isRetriedAlone = true
            return group.verdicts.append(.failed(error))
        case .statement: return group.isRetriedAlone = true
        // Nothing was written; a later append may find space again.
        case .full: break
        // Later appends are compared with the stored heads, whatever the outcome of this one.
        case .unavailable where recoversFromFailures, .outcomeUnknown where recoversFromFailures: break
        // From here on it is unknown what is durable: nothing may be acknowledged any more.
        default: failure = error
        }
        group.verdicts += Array(repeating: .failed(error), count: group.appends.count - group.verdicts.count)
    }

    private mutating func proceed(with group: Group, _ step: inout Step) {
        guard group.verdicts.count == group.appends.count else {
            step.append = [group.appends[group.verdicts.count]]
            self.group = group
            return
        }
        self.group = nil
        group.finish(&step)
        // Batches beyond the group limit go into the next transaction at once, without waiting for another submission.
        beginNext(&step)
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

        func finish(_ step: inout Step) {
            if batches.count == 1 { return step.finished.append((batches[0], verdicts)) }
            var start = 0
            for batch in batches {
                step.finished.append((batch, Array(verdicts[start..<start + batch.rooms.count])))
                start += batch.rooms.count
            }
        }
    }
}
