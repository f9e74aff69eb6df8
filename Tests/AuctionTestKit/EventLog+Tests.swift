package import AuctionDomain
package import EventLog

extension EventLog {
    /// The identifiers of `pendingRooms`.
    package func openRooms() throws(EventLogError) -> [RoomID] { try pendingRooms().map(\.room) }
}

extension LogAudit {
    /// All findings of one room, whatever pictures its events name.
    package static func findings(of room: RoomID, in archive: any LogArchive) throws(EventLogError) -> [AuditFinding] {
        var named = NamedPictures()
        return try findings(of: room, in: archive, named: &named)
    }
}
