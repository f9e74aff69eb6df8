public import AuctionDomain
import Synchronization

/// A log that forgets everything with the process: for tests and trials, and the model that other back ends are compared with.
///
/// It can be made to fail on purpose (`InMemoryEventLog+Faults.swift`).
public final class InMemoryEventLog: EventLog {
    let state = Mutex(State())
    /// Of the log that nodes share; nil: time is not judged.
    let clock: (@Sendable () -> Timestamp)?

    public init() { clock = nil }

    /// A log for several nodes, in one process.
    /// - Parameter clock: What all of them go by.
    public init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    /// As a log that is shared over a network would.
    public var outlivesFailures: Bool { clock != nil }

    struct State {
        var isClosed = false
        var rooms: [RoomID: Room] = [:]
        /// In order of creation: a room's position is its index + 1.
        var order: [RoomID] = []
        /// Positions are indices + `expired` + 1; answers leave at the front only.
        var answers: ArraySlice<Answer> = []
        var expired: Int64 = 0
        var clockJumps: [ClockJump] = []
        var faults = Faults()
        var nodes = Nodes()
    }

    struct Room {
        let position: Int64
        var head: RoomHead
        var profile: RoomProfile
        var status: RoomStatus
        var dueAt: Timestamp?
        var events: [StoredEvent] = []
        var snapshot: RoomSnapshot?
    }

    struct Answer {
        let room: RoomID
        let record: AnswerRecord

        func key(at position: Int64) -> StoredKey {
            StoredKey(
                key: record.key, fingerprint: record.fingerprint, owner: record.owner, at: record.at, position: position)
        }
    }

    func open<Result>(
        _ body: (inout State) throws(EventLogError) -> sending Result
    ) throws(EventLogError) -> sending Result {
        try state.withLock { state throws(EventLogError) in
            if state.isClosed { throw EventLogError(.unavailable, "the log in memory has been closed") }
            return try body(&state)
        }
    }

    public func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        try open { state throws(EventLogError) in
            let failure = try state.faults.failure(of: batch)
            if let failure, !failure.commits { throw failure.error }
            try state.validate(batch)
            let now = clock?()
            let verdicts = batch.map { state.take($0, at: now) }
            state.nodes.notify(zip(batch, verdicts).filter { !$0.events.isEmpty && $1.isAppended }.map(\.0.room))
            if let failure { throw failure.error }
            return verdicts
        }
    }

    public func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        try open { state in
            for snapshot in snapshots {
                guard let room = state.rooms[snapshot.room], snapshot.seq <= room.head.seq,
                    snapshot.seq >= room.snapshot?.seq ?? 0
                else { continue }
                state.rooms[snapshot.room]?.snapshot = snapshot
            }
        }
    }

    public func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try open { state in
            let count = state.answers.prefix(max(limit, 0)).prefix { $0.record.at < cutoff }.count
            state.answers.removeFirst(count)
            state.expired += Int64(count)
            return count
        }
    }

    public func newestEventTime() throws(EventLogError) -> Timestamp? {
        try open { state in clock == nil ? state.rooms.values.compactMap { $0.events.last?.at }.max() : nil }
    }

    public func clockJumps() throws(EventLogError) -> [ClockJump] { try open { $0.clockJumps } }

    public func keep(_ jumps: [ClockJump]) throws(EventLogError) { try open { $0.clockJumps = jumps } }

    public func maintain() throws(EventLogError) { try open { _ in } }

    public func probe() throws(EventLogError) { try open { _ in } }

    public func close() { state.withLock { $0.isClosed = true } }
}

extension InMemoryEventLog.State {
    /// Throws before anything is stored, so that a batch is stored as a whole or not at all.
    func validate(_ batch: [RoomAppend]) throws(EventLogError) {
        var heads: [RoomID: RoomHead] = [:]
        for append in batch where append.expected == heads[append.room] ?? rooms[append.room]?.head ?? .none {
            try append.validate()
            heads[append.room] = append.newHead
        }
    }

    /// Judges and stores one element of a batch.
    /// - Parameter now: By the clock that nodes share, if they do.
    mutating func take(_ append: RoomAppend, at now: Timestamp?) -> AppendVerdict {
        let actual = rooms[append.room]?.head ?? .none
        if actual != append.expected { return .conflict(actual: actual) }
        if let now,
            let deferral = LogTime.deferral(
                append, at: now, outages: nodes.outages.map(\.from), lastSeen: nodes.lastSeen)
        {
            return .deferred(deferral)
        }
        if !append.events.isEmpty {
            if faults.loses() { return .appended(answerPositions: append.answers.indices.map { nextAnswer + Int64($0) }) }
            store(append)
        }
        let first = nextAnswer
        answers.append(contentsOf: append.answers.map { .init(room: append.room, record: $0) })
        return .appended(answerPositions: append.answers.indices.map { first + Int64($0) })
    }

    private var nextAnswer: Int64 { expired + Int64(answers.count) + 1 }

    private mutating func store(_ append: RoomAppend) {
        if let profile = append.profile, rooms[append.room] == nil {
            order.append(append.room)
            rooms[append.room] = .init(
                position: Int64(order.count), head: .none, profile: profile, status: append.status)
        }
        guard let index = rooms.index(forKey: append.room) else { return }
        rooms.values[index].events.append(contentsOf: append.events)
        rooms.values[index].head = append.newHead
        rooms.values[index].status = append.status
        rooms.values[index].dueAt = append.dueAt
        if let profile = append.profile { rooms.values[index].profile = profile }
    }
}
