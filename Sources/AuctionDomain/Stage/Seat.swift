/// One seat of the stage.
public struct Seat: Hashable, Sendable, Codable {
    /// Somebody on a seat.
    public struct Occupant: Hashable, Sendable, Codable {
        public let person: Person
        /// What the seat made of them.
        public let role: StageRole
        /// What they get back when they leave it.
        public let previousRole: Role
        /// When they sat down.
        public let since: Timestamp
    }

    /// From 1.
    public let number: Int
    /// Who sits here.
    public internal(set) var occupant: Occupant?
    /// Takes nobody until the host clears it.
    public internal(set) var isClosed: Bool
    /// Of the seat, whoever sits on it.
    public internal(set) var isMuted: Bool

    /// Whether it takes somebody.
    public var isFree: Bool { occupant == nil && !isClosed }

    init(number: Int) {
        self.number = number
        isClosed = false
        isMuted = false
    }
}
