package import AuctionDomain
package import EventLog

/// How a node finds events that other nodes appended, and expired deadlines that no node handles. Notices speed this up; polling
/// alone suffices.
package enum Replication {
    /// Interval of the comparison with the log. A room in memory lags by at most this plus the duration of a comparison and a read.
    package static let pollMilliseconds: Int64 = 50
    /// Interval of the search for expired deadlines, in milliseconds.
    package static let expiryPollMilliseconds: Int64 = 200
    /// How long a deadline may have expired before a node other than the responsible one handles it, in milliseconds.
    package static let graceMilliseconds: Int64 = 250

    /// The rooms in memory that lag behind the log. For the others this confirms that memory is current.
    package static func lagging(
        _ named: [RoomID], in rooms: CommittedRooms, _ log: any SharedEventLog, at instant: Int64
    ) throws(EventLogError) -> [RoomWatermark] {
        let asked = named.filter { rooms[$0] != nil }
        guard !asked.isEmpty else { return [] }
        let heads = try log.heads(of: asked)
        return zip(asked, heads).compactMap { id, head in
            guard let room = rooms[id], !room.compared(with: head.seq, at: instant) else { return nil }
            return RoomWatermark(room: id, seq: head.seq)
        }
    }
}
