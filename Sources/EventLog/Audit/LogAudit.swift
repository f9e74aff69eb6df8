public import AuctionDomain

/// Audits rooms as they stand in a log.
public enum LogAudit {
    /// Events read at a time, so that a long history needs little memory.
    private static let page = 1000

    /// Everything that is wrong with one room.
    /// - Throws: `EventLogError` if the log itself cannot be read.
    public static func findings(of room: RoomID, in archive: any LogArchive) throws(EventLogError) -> [AuditFinding] {
        guard let record = try archive.record(of: room) else {
            return [AuditFinding(room: room, seq: nil, "there is no such room")]
        }
        var audit = RoomAudit(of: room, record)
        try forEachEvent(of: room, in: archive, upTo: record.lastSeq) { audit.take($0) }
        return audit.conclusion()
    }

    /// Visits the events of a room in order, in pages.
    /// - Returns: how many there were.
    @discardableResult
    public static func forEachEvent(
        of room: RoomID, in archive: any LogArchive, upTo lastSeq: Int = .max, _ visit: (StoredEvent) -> Void
    ) throws(EventLogError) -> Int {
        var (after, count) = (0, 0)
        while after < lastSeq {
            let events = try archive.events(of: room, after: after, limit: page)
            for event in events where event.seq <= lastSeq {
                visit(event)
                count += 1
            }
            // A history that runs backwards must not be read for ever.
            guard let last = events.map(\.seq).max(), last > after, events.count == page else { break }
            after = last
        }
        return count
    }
}
