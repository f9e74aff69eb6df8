package import AuctionDomain
package import EventLog

// The rooms of rows of the log's lists. Call these on a reader thread, as the work of `read`.
extension RoomService {
    /// The room of a row, if it is in memory and as recent as the row; else nil.
    package func residentRoom(of row: RoomRow) -> Room? {
        // Without other nodes memory lags behind the log at most for a moment after a commit.
        guard let room = rooms[row.room]?.view.room, !isShared || room.seq >= row.head.seq else { return nil }
        return room
    }

    /// The room of a row, replayed from the log.
    /// - Returns: nil if the room's history cannot be read.
    package func loadedRoom(of row: RoomRow, from log: any EventLog) throws(EventLogError) -> Room? {
        do throws(EventLogError) {
            return try RoomLoader.load(
                row.room, from: log, responsesSince: Timestamp(milliseconds: .max), responsesPerOwner: 0)?.room.room
        } catch  where error.code == .corrupt {
            return nil
        }
    }
}
