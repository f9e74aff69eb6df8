/// One seat of the stage.
package struct Seat: Hashable, Sendable, Codable {
    /// The member on a seat.
    package struct Occupant: Hashable, Sendable, Codable {
        /// The member's identity when they were seated.
        package internal(set) var person: Person
        /// The role that the seat gives them.
        package let role: StageRole
        /// The role that is restored when they leave the seat.
        package internal(set) var previousRole: Role
        /// When they were seated.
        package let since: Timestamp
    }

    /// 1 … `StageLimits.seats`.
    package let number: Int
    /// The member on this seat; nil if it is empty.
    package internal(set) var occupant: Occupant?
    /// Whether the seat stays empty until the host clears it.
    package internal(set) var isClosed: Bool
    /// Whether the seat is muted; stays set when the occupant leaves, and goes along when they move to a seat that is not muted.
    package internal(set) var isMuted: Bool

    /// Whether a guest can be seated here: empty and not closed.
    package var isFree: Bool { occupant == nil && !isClosed }

    init(number: Int) {
        self.number = number
        isClosed = false
        isMuted = false
    }
}
