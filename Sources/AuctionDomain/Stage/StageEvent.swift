/// An event of the stage, as stored in the room's log.
package enum StageEvent: Hashable, Sendable {
    /// A guest joined the queue of requests.
    case requested(StageID, guest: Person, role: StageRole)
    case invited(StageID, guest: Person, role: StageRole, by: Person)
    /// One side accepted; the other side must confirm next. `by` tells whether the host or the guest accepted.
    case accepted(StageID, guest: Person, role: StageRole, by: Person)
    /// The last side confirmed, or the host seated a guest who had asked: the guest is on stage and has the role of the seat.
    case seated(Seating)
    case declined(StageID, guest: Person, by: Person)
    case cancelled(StageID, guest: Person, by: Person)
    case timedOut(StageID, guest: Person)
    /// The handshake ended without a decline, a cancellation or a timeout; `by` is nil if the service ended it.
    case ended(StageID, guest: Person, reason: StageEndReason, by: Person?)
    case seatClosed(Int, by: Person)
    case seatMuted(Int, muted: Bool, by: Person)
    case seatCleared(Int, by: Person)
    /// An occupant has another seat, with the same role; `by` is theirs or the host's.
    case moved(Person, from: Int, to: Int, by: Person)
    /// An occupant left their seat.
    case left(Departure)

    /// A guest takes a seat.
    package struct Seating: Hashable, Sendable {
        /// Identifier of the handshake that ended with this seat.
        package let id: StageID
        /// The new occupant.
        package let guest: Person
        /// The role that the seat gives to the guest.
        package let role: StageRole
        /// The number of the seat, from 1.
        package let seat: Int
        /// The guest's role before, restored when they leave the seat.
        package let previousRole: Role
        /// The user who took the last step: the guest or the host.
        package let by: Person

        package init(id: StageID, guest: Person, role: StageRole, seat: Int, previousRole: Role, by: Person) {
            self.id = id
            self.guest = guest
            self.role = role
            self.seat = seat
            self.previousRole = previousRole
            self.by = by
        }
    }

    /// An occupant leaves a seat.
    package struct Departure: Hashable, Sendable {
        /// Why an occupant left the stage.
        package enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
            case evicted
            case steppedDown
            case leftRoom
            case becameHost
        }

        /// The former occupant.
        package let person: Person
        /// The number of the seat, from 1.
        package let seat: Int
        /// Their role from now on.
        package let restoredRole: Role
        /// Why they left.
        package let cause: Cause

        package init(person: Person, seat: Int, restoredRole: Role, cause: Cause) {
            self.person = person
            self.seat = seat
            self.restoredRole = restoredRole
            self.cause = cause
        }
    }
}

/// Why a handshake ended although neither side declined or cancelled it and it did not time out.
package enum StageEndReason: String, Hashable, Sendable, Codable, CaseIterable {
    case disconnected
    case leftRoom
    /// One side began another handshake.
    case startedAnew
    /// One side reported that it cannot continue.
    case error
    case hostChanged
}

extension StageEvent {
    /// The event type in the API and in the log, such as `stage.requested`.
    package var type: String {
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
        case .moved: "stage.moved"
        case .left: "stage.left"
        }
    }

    /// The member whose role this event changes, and the new role; nil if it changes no role.
    package var roleChange: (person: Person, role: Role)? {
        switch self {
        case .seated(let seating): (seating.guest, seating.role.role)
        case .left(let departure): (departure.person, departure.restoredRole)
        default: nil
        }
    }

    /// Whom it concerns, and its size.
    var content: EventContent {
        switch self {
        case .requested(_, let guest, _): EventContent(guest)
        case .invited(_, let guest, _, let by), .accepted(_, let guest, _, let by), .declined(_, let guest, let by),
            .cancelled(_, let guest, let by):
            EventContent(by, guest)
        case .seated(let seating): EventContent(seating.by, seating.guest, changing: roleChange?.person)
        case .ended(_, let guest, _, let by): EventContent(by, guest)
        case .seatClosed(_, let by), .seatMuted(_, _, let by), .seatCleared(_, let by): EventContent(by)
        case .timedOut(_, let guest): EventContent(nil, guest)
        case .moved(let occupant, _, _, let by): EventContent(by, occupant)
        case .left(let departure): EventContent(nil, departure.person, changing: roleChange?.person)
        }
    }
}
