package import AuctionDomain
package import EventLog

extension RoomService {
    /// The room of a row of the log's lists: from memory, if that is as recent as the row, else replayed from the log. Call it on a
    /// reader thread, as the work of `read`.
    /// - Returns: nil if the room's history cannot be read.
    package func room(of row: RoomRow, from log: any EventLog) throws(EventLogError) -> Room? {
        // Without other nodes memory lags behind the log at most for a moment after a commit.
        if let room = rooms[row.room]?.view.room, !isShared || room.seq >= row.head.seq { return room }
        do throws(EventLogError) {
            return try RoomLoader.load(
                row.room, from: log, responsesSince: Timestamp(milliseconds: .max), responsesPerOwner: 0)?.room.room
        } catch  where error.code == .corrupt {
            return nil
        }
    }
}
