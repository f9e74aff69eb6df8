package import AuctionDomain

/// Replays rooms that are not in a log's index by user yet.
package enum UserIndexing {
    /// The room as the log has it; nil if its history cannot be read, or there is no such room.
    /// - Throws: `EventLogError` if the log itself cannot be read.
    package static func replay(_ id: RoomID, from log: any EventLog) throws(EventLogError) -> Room? {
        do throws(EventLogError) {
            guard let history = try log.load(id, responsesSince: Timestamp(milliseconds: .max)) else { return nil }
            return try RoomReplay.room(id, from: history).room
        } catch {
            // Also if reading it at once took too long.
            return try replayAll(id, from: log)
        }
    }

    /// Without the snapshot, which may be damaged.
    private static func replayAll(_ id: RoomID, from log: any EventLog) throws(EventLogError) -> Room? {
        var room: Room?
        while true {
            do {
                let page = try log.events(of: id, after: room?.seq ?? 0, limit: 1000)
                if page.isEmpty { return room }
                for stored in page {
                    guard try room.apply(EventCodec.decode(stored, after: room), of: id) else { return nil }
                }
            } catch let error as EventLogError where error.code != .corrupt {
                throw error
            } catch {
                return nil
            }
        }
    }
}
