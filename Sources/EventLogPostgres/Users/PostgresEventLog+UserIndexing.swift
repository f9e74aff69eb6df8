import AuctionDomain
import EventLog
import Synchronization

/// How far the index by user has come: whether its first pass is over, and which rooms a pass has examined.
final class UserIndexWalk: Sendable {
    private struct State {
        var position: Int64 = 0
        /// Rooms that could not be indexed, and their seq at that time: they are tried again after their next event.
        var failed: [RoomID: Int] = [:]
        /// What was reported of the index as a whole.
        var reported: Set<String> = []
    }

    private static let failedLimit = 1000
    private static let reportLimit = 100

    private let state = Mutex(State())
    private let isOver = Atomic<Bool>(false)

    /// Whether the first pass over an index that was emptied is over.
    var isBuilt: Bool {
        get { isOver.load(ordering: .relaxed) }
        set { isOver.store(newValue, ordering: .relaxed) }
    }

    /// Every room up to this number has been examined in this pass.
    var position: Int64 {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    func hasFailed(_ room: LaggingRoom) -> Bool { state.withLock { $0.failed[room.id] == room.seq } }

    /// Remembers a room that could not be indexed; beyond the limit it is not remembered, and tried again in the next pass.
    func fail(_ room: LaggingRoom) {
        state.withLock { state in
            if state.failed[room.id] != nil || state.failed.count < Self.failedLimit { state.failed[room.id] = room.seq }
        }
    }

    /// Whether the text has not been reported yet and is to be reported now.
    func takeReport(_ text: String) -> Bool {
        state.withLock { $0.reported.count < Self.reportLimit && $0.reported.insert(text).inserted }
    }
}

/// A room whose index by user is not that of its last event.
struct LaggingRoom {
    let id: RoomID
    let number: Int64
    let seq: Int
}

// Fills the index by user for rooms that lack it after it was emptied. A room that was locked, appended to or could not be read meanwhile
// is found again in a later pass.
//
// Rooms are examined in order of number, a range at a time. An index over the rooms that lag behind would make every bid rewrite it,
// because its condition has the room's `seq`.
extension PostgresEventLog {
    /// Numbers examined per step, and rooms indexed per step of `maintain` once the first pass is over.
    private static let numbersPerStep: Int64 = 1000
    private static let roomsPerStep = 16
    /// Numbers that are left out together if one of their rows cannot be read.
    private static let numbersPerDamage: Int64 = 10
    private static let roomsPerReport: Int64 = 50_000

    /// Makes the first pass over an index that was emptied, and remembers in the database how far it came.
    ///
    /// Throws nothing: what cannot be read is reported and left out, and `maintain` continues if the server goes away.
    /// - Parameter milliseconds: Time after which no further room is begun; nil to index all.
    /// - Returns: Whether the pass is over.
    @discardableResult
    func buildUserIndex(within milliseconds: Int64? = nil) -> Bool {
        let end = milliseconds.map { Session.monotonicMilliseconds() + $0 }
        do throws(EventLogError) {
            var (reached, last) = try userIndexProgress()
            userIndexWalk.position = reached
            while reached < last {
                if let end, Session.monotonicMilliseconds() >= end { return false }
                let start = reached
                reached = try indexNextRooms(through: last, limit: Int(Self.numbersPerStep), until: end)
                try using("record the progress of indexing") { session throws(SessionFailure) in
                    _ = try session.run([Call(UserStatements.recordProgress, reached)])
                }
                if reached == last || reached / Self.roomsPerReport > start / Self.roomsPerReport {
                    options.report("indexing users: room \(reached) of \(last)")
                }
            }
            return true
        } catch {
            reportOnce("the index by user is not complete yet", error)
            return false
        }
    }

    /// Empties the index by user, for a database in which its pages are damaged, so that it is made anew. Other nodes must be stopped:
    /// their appends would wait for the lock.
    /// - Throws: `EventLogError` if its tables cannot be emptied.
    func emptyUserIndex() throws(EventLogError) {
        try EventLogError.translating("empty the index by user", in: connector.store) { () throws(SessionFailure) in
            let session = try connector.connect(.longRunning)
            try session.transaction { () throws(SessionFailure) in
                try session.execute("SET LOCAL lock_timeout = \(connector.limits.migrationLockMilliseconds)")
                // Gives the tables new files, so that nothing of the damaged ones is read.
                try session.execute("TRUNCATE participation, win, archived_room")
                try session.execute("UPDATE room SET users_seq = 0 WHERE users_seq <> 0")
                try session.execute("UPDATE user_index SET walked = 0, last = (SELECT coalesce(max(number), 0) FROM room)")
            }
        }
    }

    /// Examines the next rooms, and indexes a few of those that lag behind. After the last room it begins again with the first one.
    ///
    /// An error that is not the whole log's is reported only: damaged pages of rooms that are not in use must not stop a node.
    /// - Throws: `.unavailable` only.
    func continueUserIndex() throws(EventLogError) {
        do throws(EventLogError) {
            let last = try using("find the last room") { session throws(SessionFailure) in
                try session.run([Call(UserStatements.lastRoom)])[0][0].long(0)
            }
            if userIndexWalk.position >= last { userIndexWalk.position = 0 }
            if last > 0 { _ = try indexNextRooms(through: last, limit: Self.roomsPerStep, until: nil) }
        } catch {
            try requireUsable()
            reportOnce("the index by user cannot be continued", error)
        }
    }

    /// Deletes some rows of a room that was archived. It has its own transactions, because appends wait for none of them.
    /// - Throws: `.unavailable` only.
    func deleteArchivedParticipations() throws(EventLogError) {
        do throws(EventLogError) {
            try using("delete the participations of an archived room") { session throws(SessionFailure) in
                let call = Call(UserStatements.deleteArchived, Self.deletedPerStep)
                _ = try session.run([Call(Statements.asynchronousCommit), call])
            }
        } catch {
            try requireUsable()
            reportOnce("rows of archived rooms stay in the index by user", error)
        }
    }

    /// Reports an error that the next call of `maintain` will meet too, every second, until an operator acts.
    private func reportOnce(_ text: String, _ error: EventLogError) {
        let line = "\(text)\(error.code == .corrupt ? " (\(UserChanges.repair))" : ""): \(error)"
        if userIndexWalk.takeReport(line) { options.report(line) }
    }

    private static let deletedPerStep = 500

    /// Indexes the rooms of the next range that lag behind, at most `limit`, and none after the monotonic time `deadline`.
    /// - Returns: The number of the last room examined.
    private func indexNextRooms(through last: Int64, limit: Int, until deadline: Int64?) throws(EventLogError) -> Int64 {
        let start = userIndexWalk.position
        let end = min(start + Self.numbersPerStep, last)
        var (rooms, examined) = try laggingRooms(after: start, through: end, limit: limit)
        var indexed = start
        for room in rooms where !userIndexWalk.hasFailed(room) {
            if let deadline, Session.monotonicMilliseconds() >= deadline {
                examined = indexed
                break
            }
            try index(room)
            indexed = room.number
        }
        userIndexWalk.position = examined
        return examined
    }

    /// The rooms of a range that lag behind. If a row in it cannot be read, only the start of the range is examined, or left out.
    private func laggingRooms(
        after start: Int64, through end: Int64, limit: Int
    ) throws(EventLogError) -> (rooms: [LaggingRoom], examined: Int64) {
        var end = end
        while true {
            do throws(EventLogError) {
                let rooms = try queryLaggingRooms(after: start, through: end, limit: limit)
                return (rooms, rooms.count < limit ? end : rooms.last?.number ?? end)
            } catch {
                let near = min(start + Self.numbersPerDamage, end)
                try requireUsable()
                if near == end {
                    options.report("rooms number \(start + 1) to \(end) stay out of the index by user: \(error)")
                    return ([], end)
                }
                end = near
            }
        }
    }

    private func queryLaggingRooms(after start: Int64, through end: Int64, limit: Int) throws(EventLogError) -> [LaggingRoom] {
        try using("find rooms without index") { session throws(SessionFailure) in
            try session.run([Call(UserStatements.lagging, start, end, limit)])[0].map { row throws(SessionFailure) in
                LaggingRoom(id: try row.identifier(0), number: try row.long(1), seq: try row.integer(2))
            }
        }
    }

    /// Replays a room and writes its rows anew. A room that cannot be read stays out of the index, as it stays out of the service.
    private func index(_ lagging: LaggingRoom) throws(EventLogError) {
        do throws(EventLogError) {
            guard let room = try UserIndexing.replay(lagging.id, from: self) else {
                throw EventLogError(.corrupt, "its history cannot be read")
            }
            try write(UserChanges(of: room), of: room)
        } catch {
            try requireUsable()
            options.report("\(lagging.id) stays out of the index by user: \(error)")
            userIndexWalk.fail(lagging)
        }
    }

    /// Writes nothing if the room is locked, or has been appended to since it was replayed: the next pass finds it again.
    private func write(_ rows: UserChanges, of room: Room) throws(EventLogError) {
        for call in UserStatements.build(rows, of: room) {
            try using("index the users of \(room.id)") { session throws(SessionFailure) in _ = try session.run([call]) }
        }
    }

    /// Throws `.unavailable` if the log as a whole cannot be used, so that an error is not that of one room.
    private func requireUsable() throws(EventLogError) {
        try guardOpen()
        try appender.probe()
    }

    private func userIndexProgress() throws(EventLogError) -> (walked: Int64, last: Int64) {
        try using("read the progress of indexing") { session throws(SessionFailure) in
            let row = try session.run([Call(UserStatements.progress)])[0][0]
            return (try row.long(0), try row.long(1))
        }
    }
}
