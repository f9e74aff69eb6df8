package import AuctionDomain
package import EventLog
import Synchronization

/// A log without persistence: for tests and trials, and as the reference model for other back ends. Can inject faults
/// (`failNextAppend`, `poison`).
package final class InMemoryEventLog: EventLog {
    let state = Mutex(State())
    /// See `EventLog.pictures`.
    package let pictures: any PictureStore = InMemoryPictures()
    /// Clock of a log shared by nodes; nil if the log is not shared and does not check timestamps.
    let clock: (@Sendable () -> Timestamp)?

    package init() { clock = nil }

    /// A log shared by several nodes in one process.
    /// - Parameter clock: The log's clock, which all nodes use.
    package init(clock: @escaping @Sendable () -> Timestamp) {
        self.clock = clock
        state.withLock { $0.unnumbered = [] }
    }

    /// True if the log has a clock, like a log shared over a network.
    package var recoversFromFailures: Bool { clock != nil }

    /// What a test says.
    package func size() throws(EventLogError) -> LogSize { state.withLock { $0.size } }

    /// What the log says of its size from now on.
    package func setSize(_ size: LogSize) { state.withLock { $0.size = size } }

    struct State {
        var isClosed = false
        var rooms: [RoomID: Room] = [:]
        /// In order of creation: a room's position is its index + 1.
        var order: [RoomID] = []
        /// Stored responses. A position is an index + `deletedCount` + 1, because only the oldest are deleted.
        var responses: ArraySlice<ResponseEntry> = []
        /// Number of deleted responses.
        var deletedCount: Int64 = 0
        /// The index by user: rows of participations by user and room, and sales by buyer.
        var participations: [UserID: [RoomID: Participation]] = [:]
        var wins: [UserID: [WinRow]] = [:]
        var blocks: [UserID: [UserID: Timestamp]] = [:]
        var records: [RecordName: StoredRecord] = [:]
        /// All rooms' events in the order of the feed: its numbers are indices + 1.
        var feed: [(room: RoomID, seq: Int)] = []
        /// Committed events that the feed numbers when a reader has come to its end, as in PostgreSQL; nil: each gets its number with its commit.
        var unnumbered: [(room: RoomID, seq: Int)]?
        var prunedEnd = FeedPosition.beginning
        /// Number of rooms that were pruned.
        var prunings: UInt64 = 0
        var clockJumps: [ClockJump] = []
        var size = LogSize(bytes: 0)
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

    struct ResponseEntry {
        let room: RoomID
        /// Nil once it was discarded.
        var record: StoredResponse?

        func key(at position: Int64) -> StoredKey? {
            record.map {
                StoredKey(key: $0.key, fingerprint: $0.fingerprint, owner: $0.owner, at: $0.at, position: position)
            }
        }
    }

    func withState<Result>(
        _ body: (inout State) throws(EventLogError) -> sending Result
    ) throws(EventLogError) -> sending Result {
        try state.withLock { state throws(EventLogError) in
            if state.isClosed { throw EventLogError(.unavailable, "the log in memory has been closed") }
            return try body(&state)
        }
    }

    /// See `EventLog.append`. Throws injected faults.
    package func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        try withState { state throws(EventLogError) in
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

    /// See `EventLog.save`.
    package func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        try withState { state in
            for snapshot in snapshots {
                guard let room = state.rooms[snapshot.room], snapshot.seq <= room.head.seq,
                    snapshot.seq >= room.snapshot?.seq ?? 0
                else { continue }
                state.rooms[snapshot.room]?.snapshot = snapshot
            }
        }
    }

    /// See `EventLog.deleteResponses`.
    package func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try withState { state in
            let count = state.responses.prefix(max(limit, 0)).prefix { $0.record.map { $0.at < cutoff } ?? true }.count
            state.responses.removeFirst(count)
            state.deletedCount += Int64(count)
            return count
        }
    }

    /// See `EventLog.discardResponses`.
    package func discardResponses(at positions: [Int64]) throws(EventLogError) {
        try withState { state in
            for position in positions {
                guard let index = state.index(of: position), let record = state.responses[index].record,
                    record.body.count > StoredResponse.smallBytes
                else { continue }
                state.responses[index].record = nil
            }
        }
    }

    /// See `EventLog.newestEventTime`; nil for a log with a clock.
    package func newestEventTime() throws(EventLogError) -> Timestamp? {
        try withState { state in clock == nil ? state.rooms.values.compactMap { $0.events.last?.at }.max() : nil }
    }

    /// See `EventLog.clockJumps`.
    package func clockJumps() throws(EventLogError) -> [ClockJump] { try withState { $0.clockJumps } }

    /// See `EventLog.keep`.
    package func keep(_ jumps: [ClockJump]) throws(EventLogError) { try withState { $0.clockJumps = jumps } }

    /// Does nothing; throws after `close`.
    package func maintain() throws(EventLogError) { try withState { _ in } }

    /// Throws after `close` only.
    package func probe() throws(EventLogError) { try withState { _ in } }

    /// Makes all later calls throw; the content is not freed.
    package func close() { state.withLock { $0.isClosed = true } }
}

extension InMemoryEventLog.State {
    /// Validates the whole batch before anything is stored, so that it is stored completely or not at all.
    func validate(_ batch: [RoomAppend]) throws(EventLogError) {
        var heads: [RoomID: RoomHead] = [:]
        for append in batch where append.expected == heads[append.room] ?? rooms[append.room]?.head ?? .none {
            try append.validate()
            heads[append.room] = append.newHead
        }
    }

    /// Evaluates and stores one element of a batch.
    /// - Parameter now: The log's time; nil if timestamps are not checked.
    mutating func take(_ append: RoomAppend, at now: Timestamp?) -> AppendVerdict {
        let actual = rooms[append.room]?.head ?? .none
        if actual != append.expected { return .conflict(actual: actual) }
        if let now,
            let deferral = LogTime.deferral(
                append, at: now, head: rooms[append.room]?.events.last?.at, outages: nodes.outages.map(\.from),
                lastHeartbeat: nodes.lastHeartbeat)
        {
            return .deferred(deferral)
        }
        if !append.events.isEmpty {
            if faults.loses() { return .appended(responsePositions: append.responses.indices.map { nextPosition + Int64($0) }) }
            store(append)
        }
        let first = nextPosition
        responses.append(contentsOf: append.responses.map { .init(room: append.room, record: $0) })
        return .appended(responsePositions: append.responses.indices.map { first + Int64($0) })
    }

    private var nextPosition: Int64 { deletedCount + Int64(responses.count) + 1 }

    /// Index in `responses` of the response at a position; nil if it was deleted, or never stored.
    func index(of position: Int64) -> Int? {
        guard position > deletedCount, position - deletedCount <= responses.count else { return nil }
        return responses.startIndex + Int(position - deletedCount - 1)
    }

    private mutating func store(_ append: RoomAppend) {
        if let profile = append.profile, rooms[append.room] == nil {
            order.append(append.room)
            rooms[append.room] = .init(position: Int64(order.count), head: .none, profile: profile, status: append.status)
        }
        guard let index = rooms.index(forKey: append.room) else { return }
        rooms.values[index].events.append(contentsOf: append.events)
        let added = append.events.map { (room: append.room, seq: $0.seq) }
        if unnumbered == nil { feed += added } else { unnumbered? += added }
        rooms.values[index].head = append.newHead
        rooms.values[index].status = append.status
        rooms.values[index].dueAt = append.dueAt
        if let profile = append.profile { rooms.values[index].profile = profile }
        if !append.users.isEmpty { updateUserIndex(append.users, of: append.room, rooms.values[index]) }
    }
}
