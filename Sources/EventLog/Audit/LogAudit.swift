package import AuctionDomain

/// Audits the rooms of a stored log.
package enum LogAudit {
    /// Events per read, which bounds memory for long histories.
    private static let page = 1000

    /// All findings of one room; empty if it is consistent.
    /// - Parameter named: receives the pictures that its events name.
    /// - Throws: `EventLogError` if the log itself cannot be read.
    package static func findings(
        of room: RoomID, in archive: any LogArchive, named: inout NamedPictures
    ) throws(EventLogError) -> [AuditFinding] {
        guard let record = try archive.record(of: room) else {
            return [AuditFinding(room: room, seq: nil, "there is no such room")]
        }
        var (users, damage): (UserChanges?, [AuditFinding]) = (nil, [])
        do throws(EventLogError) {
            users = try archive.users(of: room)
        } catch  where error.code == .corrupt {
            let text = "the index by user cannot be read (\(UserChanges.repair)): \(error.message)"
            damage = [AuditFinding(room: room, seq: nil, text)]
        }
        var audit = RoomAudit(of: room, record, users: users)
        try forEachEvent(of: room, in: archive, upTo: record.lastSeq) { stored in
            if let event = audit.take(stored) { named.take(event, of: room) }
        }
        return audit.allFindings() + damage
    }

    /// Calls `visit` for every event of a room up to `lastSeq`, in order, reading them page by page.
    /// - Returns: The number of events visited.
    @discardableResult
    package static func forEachEvent(
        of room: RoomID, in archive: any LogArchive, upTo lastSeq: Int = .max, _ visit: (StoredEvent) -> Void
    ) throws(EventLogError) -> Int {
        var (after, count) = (0, 0)
        while after < lastSeq {
            let events = try archive.events(of: room, after: after, limit: page)
            for event in events where event.seq <= lastSeq {
                visit(event)
                count += 1
            }
            // Stops at a damaged history whose `seq` does not increase, instead of looping forever.
            guard let last = events.map(\.seq).max(), last > after, events.count == page else { break }
            after = last
        }
        return count
    }
}
