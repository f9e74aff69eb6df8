public import AuctionDomain

/// An inconsistency that an audit found in a room's stored history.
public struct AuditFinding: Hashable, Sendable, CustomStringConvertible {
    /// Identifier of the audited room.
    public let room: RoomID
    /// Sequence number of the event concerned; nil if the finding concerns the room as a whole.
    public let seq: Int?
    /// Description for an operator, one line.
    public let text: String

    public init(room: RoomID, seq: Int?, _ text: String) {
        self.room = room
        self.seq = seq
        self.text = text
    }

    public var description: String {
        seq.map { "\(room): seq \($0): \(text)" } ?? "\(room): \(text)"
    }
}
