/// One seat of the stage.
public struct Seat: Hashable, Sendable, Codable {
    /// The member on a seat.
    public struct Occupant: Hashable, Sendable, Codable {
        /// The member's identity when they were seated.
        public let person: Person
        /// The role that the seat gives them.
        public let role: StageRole
        /// The role that is restored when they leave the seat.
        public let previousRole: Role
        /// When they were seated.
        public let since: Timestamp
    }

    /// 1 … `StageLimits.seats`.
    public let number: Int
    /// The member on this seat; nil if it is empty.
    public internal(set) var occupant: Occupant?
    /// Whether the seat stays empty until the host clears it.
    public internal(set) var isClosed: Bool
    /// Whether the seat is muted; stays set when the occupant changes.
    public internal(set) var isMuted: Bool

    /// Whether a guest can be seated here: empty and not closed.
    public var isFree: Bool { occupant == nil && !isClosed }

    init(number: Int) {
        self.number = number
        isClosed = false
        isMuted = false
    }
}
