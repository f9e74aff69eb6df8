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

    /// What a comparison of rooms in memory with the log has found.
    package struct Comparison: Sendable {
        /// Rooms that lag behind the log.
        package fileprivate(set) var lagging: [RoomWatermark] = []
        /// Rooms that are not in the log any more: another node has pruned them.
        package fileprivate(set) var pruned: [RoomID] = []
    }

    /// Compares rooms in memory with the log. For those that are found in neither list this confirms that memory is current.
    package static func compare(
        _ named: [RoomID], in rooms: CommittedRooms, _ log: any SharedEventLog, at instant: Int64
    ) throws(EventLogError) -> Comparison {
        var result = Comparison()
        let asked = named.filter { rooms[$0] != nil }
        guard !asked.isEmpty else { return result }
        for (id, head) in zip(asked, try log.heads(of: asked)) {
            guard let room = rooms[id] else { continue }
            if head == .none {
                result.pruned.append(id)
            } else if !room.compared(with: head.seq, at: instant) {
                result.lagging.append(RoomWatermark(room: id, seq: head.seq))
            }
        }
        return result
    }
}
