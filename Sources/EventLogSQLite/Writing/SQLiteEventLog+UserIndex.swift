import AuctionDomain
package import EventLog
import Synchronization

// Builds the index by user for rooms that are not in it, after it was made anew.
extension SQLiteEventLog {
    private static let roomsPerReport = 10_000

    /// Brings the tables of a log up to date, as opening it does, but fails if the index by user could not be completed. Rooms that
    /// cannot be read stay out of it, and are reported only.
    /// - Throws: What opening throws, or the code of what was reported.
    package static func migrate(
        _ path: String, rebuildsUserIndex: Bool = false, report: (String) -> Void = { _ in }
    ) throws(EventLogError) {
        let log = try SQLiteEventLog(path: path, rebuildsUserIndex: rebuildsUserIndex, report: report)
        defer { log.close() }
        guard let failure = log.userIndexFailure.withLock({ $0 }) else { return }
        throw EventLogError(failure.code, "the index by user of \(path) is not complete; \(UserChanges.repair)")
    }

    /// Replays every room that is not in the index by user, and writes its rows. Call it before anything is appended.
    ///
    /// A room that cannot be read stays out of the index, and is tried again at the next start.
    /// - Throws: The error of a write; errors of reading are reported only, and `userIndexFailure` is that of the list of rooms.
    func buildUserIndex(_ report: (String) -> Void) throws(EventLogError) {
        var (last, examined, failures) = (Int64(0), 0, 0)
        while let numbers = unindexedRooms(after: last, report), let end = numbers.last {
            var indexed = IndexedRooms()
            for number in numbers {
                do throws(EventLogError) {
                    indexed.add(try usersOfRoom(number), of: number)
                } catch {
                    failures += 1
                    if failures <= 10 { report("room number \(number) stays out of the index by user: \(error)") }
                }
                if indexed.rowCount >= limits.rowsPerIndexing { try write(&indexed) }
            }
            try write(&indexed)
            last = end
            examined += numbers.count
            if examined % Self.roomsPerReport < numbers.count { report("indexing users: \(examined) rooms so far") }
        }
        if failures > 0 { report("\(failures) rooms are not in the index by user: `auction-room verify` shows why") }
    }

    /// Rows of rooms to be written in one transaction.
    private struct IndexedRooms {
        var rooms: [(number: Int64, users: UserChanges)] = []
        var rowCount = 0

        mutating func add(_ users: UserChanges, of number: Int64) {
            rooms.append((number, users))
            rowCount += users.participations.count + users.wins.count
        }
    }

    /// The next numbers of rooms without index; nil if they cannot be read.
    private func unindexedRooms(after last: Int64, _ report: (String) -> Void) -> [Int64]? {
        do throws(EventLogError) {
            return try reading("find rooms without index") { db in
                var rows = try db.rows(
                    "SELECT room FROM unindexed WHERE room > ? ORDER BY room LIMIT ?", last, limits.roomsPerIndexing)
                return try rows.map { row throws(SQLiteError) in try row.long(0) }
            }
        } catch {
            report("the index by user stays incomplete: \(error)")
            userIndexFailure.withLock { $0 = error }
            return nil
        }
    }

    /// The rows that follow from a room's events; none if there is no room with that number.
    private func usersOfRoom(_ number: Int64) throws(EventLogError) -> UserChanges {
        let id = try reading("find room number \(number)") { db -> RoomID? in
            var rows = try db.rows(.kept("SELECT id FROM room WHERE number = ?"), number)
            return try rows.first { row throws(SQLiteError) in try row.identifier(0) }
        }
        guard let id else { return UserChanges() }
        guard let room = try UserIndexing.replay(id, from: self) else {
            throw EventLogError(.corrupt, "the history of \(id) cannot be read")
        }
        return UserChanges(of: room)
    }

    private func write(_ indexed: inout IndexedRooms) throws(EventLogError) {
        if indexed.rooms.isEmpty { return }
        let (rooms, rowCount) = (indexed.rooms, indexed.rowCount)
        try writing("index the users of \(rooms.count) rooms (\(UserChanges.repair))") {
            // Each row is in another place of the table, and of its index by room.
            try writer.write(pages: 2 + rooms.count + 2 * rowCount) { statements in
                for (number, users) in rooms { try statements.users.build(users, room: number) }
            }
        }
        // Otherwise the write-ahead log would grow with all rooms.
        try checkpoint()
        indexed = IndexedRooms()
    }
}
