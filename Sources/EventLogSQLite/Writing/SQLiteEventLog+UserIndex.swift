import AuctionDomain
import EventLog
import GRDB

// Builds the index by user for rooms of before schema version 4.
extension SQLiteEventLog {
    /// Replays every room that is not in the index by user, and writes its rows. Call it before anything is appended.
    ///
    /// A room whose history cannot be read stays out of the index, as it stays out of the service.
    func buildUserIndex() throws(EventLogError) {
        let missing = try reading("find rooms without index") { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT number, id FROM room WHERE NOT users_indexed ORDER BY number")
            var missing: [(number: Int64, id: RoomID)] = []
            while let row = try rows.next() { missing.append((try row.long(0), try row.identifier(1))) }
            return missing
        }
        for (number, id) in missing {
            guard let room = try UserIndexing.replay(id, from: self) else { continue }
            let rows = UserChanges(of: room)
            try writing("index the users of \(id)") {
                try writer.write(pages: 2 + rows.participations.count) { try $0.users.build(rows, room: number) }
            }
        }
    }
}
