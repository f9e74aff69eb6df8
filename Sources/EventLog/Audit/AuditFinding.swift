package import AuctionDomain

/// An inconsistency that an audit found in a room's stored history.
package struct AuditFinding: Hashable, Sendable, CustomStringConvertible {
    /// Identifier of the audited room.
    package let room: RoomID
    /// Sequence number of the event concerned; nil if the finding concerns the room as a whole.
    package let seq: Int?
    /// Description for an operator, one line.
    package let text: String

    package init(room: RoomID, seq: Int?, _ text: String) { (self.room, self.seq, self.text) = (room, seq, text) }

    package var description: String { seq.map { "\(room): seq \($0): \(text)" } ?? "\(room): \(text)" }
}
