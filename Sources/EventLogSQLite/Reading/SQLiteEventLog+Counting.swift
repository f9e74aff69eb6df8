package import AuctionDomain
package import EventLog
import GRDB

extension SQLiteEventLog {
    /// See `EventLog.openRoomCount`.
    package func openRoomCount(of host: UserID) throws(EventLogError) -> Int {
        try reading("count the rooms of \(host)") { db in
            let count = try db.cachedStatement(sql: "SELECT count(*) FROM room WHERE host = ? AND NOT archived")
            return try Int.fetchOne(count, arguments: [host.description]) ?? 0
        }
    }
}
