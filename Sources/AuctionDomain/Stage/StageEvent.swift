/// What happened on the stage.
public enum StageEvent: Hashable, Sendable {
    /// A guest is in the queue.
    case requested(StageID, guest: Person, role: StageRole)
    case invited(StageID, guest: Person, role: StageRole, by: Person)
    /// By the host: the guest is to confirm. By the guest: the host is to confirm.
    case accepted(StageID, guest: Person, role: StageRole, by: Person)
    /// Confirmed: the guest is on stage and has the role of the seat.
    case seated(Seating)
    case declined(StageID, guest: Person, by: Person)
    case cancelled(StageID, guest: Person, by: Person)
    case timedOut(StageID, guest: Person)
    /// Over for another reason.
    case ended(StageID, guest: Person, reason: StageEndReason, by: Person?)
    case seatClosed(Int, by: Person)
    case seatMuted(Int, muted: Bool, by: Person)
    case seatCleared(Int, by: Person)
    /// Somebody is no longer on stage.
    case left(Departure)

    /// Somebody takes a seat.
    public struct Seating: Hashable, Sendable {
        public let id: StageID
        public let guest: Person
        /// What the seat makes of the guest.
        public let role: StageRole
        /// From 1.
        public let seat: Int
        /// What the guest was before.
        public let previousRole: Role
        /// Who confirmed.
        public let by: Person

        public init(id: StageID, guest: Person, role: StageRole, seat: Int, previousRole: Role, by: Person) {
            self.id = id
            self.guest = guest
            self.role = role
            self.seat = seat
            self.previousRole = previousRole
            self.by = by
        }
    }

    /// Somebody gives a seat up.
    public struct Departure: Hashable, Sendable {
        /// Why somebody is no longer on stage.
        public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
            case evicted
            case steppedDown
            case leftRoom
            case becameHost
        }

        public let person: Person
        /// From 1.
        public let seat: Int
        /// What they are from now on.
        public let restoredRole: Role
        public let cause: Cause

        public init(person: Person, seat: Int, restoredRole: Role, cause: Cause) {
            self.person = person
            self.seat = seat
            self.restoredRole = restoredRole
            self.cause = cause
        }
    }
}

/// Why a handshake ended without anybody saying no.
public enum StageEndReason: String, Hashable, Sendable, Codable, CaseIterable {
    case disconnected
    case leftRoom
    /// One of the two began another one.
    case startedAnew
    /// One of the two could not go on.
    case error
    case hostChanged
}

extension StageEvent {
    /// The type that clients see: `stage.requested`.
    public var type: String {
        switch self {
        case .requested: "stage.requested"
        case .invited: "stage.invited"
        case .accepted: "stage.accepted"
        case .seated: "stage.seated"
        case .declined: "stage.declined"
        case .cancelled: "stage.cancelled"
        case .timedOut: "stage.timedOut"
        case .ended: "stage.ended"
        case .seatClosed: "stage.seatClosed"
        case .seatMuted: "stage.seatMuted"
        case .seatCleared: "stage.seatCleared"
        case .left: "stage.left"
        }
    }

    /// The role that somebody has because of this event; nil if it changes nobody's.
    public var roleChange: (person: Person, role: Role)? {
        switch self {
        case .seated(let seating): (seating.guest, seating.role.role)
        case .left(let departure): (departure.person, departure.restoredRole)
        default: nil
        }
    }
}
