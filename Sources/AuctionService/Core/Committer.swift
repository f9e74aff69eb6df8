public import EventLog
import DequeModule

/// Groups whatever is pending into one transaction, and keeps one bad room from spoiling it for the others. A value without
/// I/O: its shell appends what a directive says and hands back what the log said.
public struct Committer: Sendable {
    public enum Input: Sendable {
        case submitted(Batch)
        /// All that was pending outside has been handed in: begin, unless a transaction is running.
        case begin
        /// The answer to the last `append` directive.
        case appended([AppendVerdict])
        case failed(EventLogError)
    }

    public enum Directive: Sendable {
        /// Append this in one transaction, then hand in what came of it.
        case append([RoomAppend])
        /// This batch is through: one verdict per room.
        case finished(Batch, [RoomVerdict])
    }

    /// At most this many rooms' parts go into one transaction.
    private let groupLimit: Int
    /// Whether the log goes on by itself after it was out of reach.
    private let outlivesFailures: Bool
    private var pending: Deque<Batch> = []
    private var group: Group?
    private var failure: EventLogError?

    public init(groupLimit: Int = 4096, outlivesFailures: Bool = false) {
        self.groupLimit = groupLimit
        self.outlivesFailures = outlivesFailures
    }

    public mutating func handle(_ input: Input) -> [Directive] {
        switch input {
        case .submitted(let batch):
            pending.append(batch)
            return []
        case .begin: return group == nil ? next() : []
        case .appended(let verdicts): return appended(verdicts)
        case .failed(let error): return failed(error)
        }
    }

    /// Starts the next transaction with all that is pending; batches that append nothing pass in their order.
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
        group.verdicts += verdicts.map { verdict in
            switch verdict {
            case .appended(let positions): .appended(answerPositions: positions)
            case .conflict: .conflict
            case .deferred(let why): .deferred(why)
            }
        }
        return proceed(with: group)
    }

    private mutating func failed(_ error: EventLogError) -> [Directive] {
        guard var group else { return [] }
        switch error.code {
        case .statement where group.isRetriedAlone || group.appends.count == 1:
            // The offender, found.
            group.isRetriedAlone = true
            group.verdicts.append(.failed(error))
            return proceed(with: group)
        case .statement:
            group.isRetriedAlone = true
            self.group = group
            return [.append([group.appends[0]])]
        case .full:
            // Nothing was written; there may be space again for the next one.
            group.verdicts += Array(repeating: .failed(error), count: group.appends.count - group.verdicts.count)
            return proceed(with: group)
        case .unavailable where outlivesFailures, .outcomeUnknown where outlivesFailures:
            // What comes next is compared with what is there, whatever became of this.
            group.verdicts += Array(repeating: .failed(error), count: group.appends.count - group.verdicts.count)
            return proceed(with: group)
        default:
            // What is durable is unknown from here on: nothing more may be acknowledged.
            failure = error
            group.verdicts += Array(repeating: .failed(error), count: group.appends.count - group.verdicts.count)
            return proceed(with: group)
        }
    }

    private mutating func proceed(with group: Group) -> [Directive] {
        guard group.verdicts.count == group.appends.count else {
            self.group = group
            return [.append([group.appends[group.verdicts.count]])]
        }
        self.group = nil
        // Whatever did not fit into this transaction waits for nobody else to come.
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
        /// After a failed statement each room's part is tried by itself, in order.
        var isRetriedAlone = false

        mutating func add(_ batch: Batch) {
            batches.append(batch)
            appends += batch.rooms.map(\.append)
        }

        func finished() -> [Directive] {
            var start = 0
            return batches.map { batch in
                defer { start += batch.rooms.count }
                return .finished(batch, Array(verdicts[start..<start + batch.rooms.count]))
            }
        }
    }
}
