package import AuctionDomain
package import EventLog

/// How a node hears of what others appended, and of what nobody ends. Notices make it early; polling alone suffices.
package enum Following {
    /// How far what is read here may be behind the log, beside the time that a look and a read take.
    package static let pollMilliseconds: Int64 = 50
    /// How often a node looks for what is overdue.
    package static let overdueMilliseconds: Int64 = 200
    /// How long something may be due before another node than the one that is to end it looks.
    package static let graceMilliseconds: Int64 = 250

    /// Those of these rooms that are in memory and behind the log. Of the others memory is confirmed.
    /// - Parameter instant: A reading of `ServiceClock.uptime`.
    package static func behind(
        _ named: [RoomID], in rooms: CommittedRooms, _ log: any SharedEventLog, at instant: Int64
    ) throws(EventLogError) -> [RoomMark] {
        let asked = named.filter { rooms[$0] != nil }
        guard !asked.isEmpty else { return [] }
        let heads = try log.heads(of: asked)
        return zip(asked, heads).compactMap { id, head in
            guard let room = rooms[id], !room.compared(with: head.seq, at: instant) else { return nil }
            return RoomMark(room: id, seq: head.seq)
        }
    }
}
