public import AuctionDomain

/// Something in a log that is not as it must be.
public struct AuditFinding: Hashable, Sendable, CustomStringConvertible {
    public let room: RoomID
    /// The event it is about; nil: the room as a whole.
    public let seq: Int?
    /// For an operator, in one line.
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
