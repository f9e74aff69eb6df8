/// The stage of a room: its seats and the handshakes that lead to them. Derived from the room's events only.
package struct Stage: Hashable, Sendable, Codable {
    /// All seats, open or closed, in the order of their numbers from 1 to `StageLimits.seats`.
    package internal(set) var seats: [Seat]
    /// Handshakes in progress, oldest first: at most one per guest, and at most one in which the host takes part.
    package internal(set) var handshakes: [Handshake]
    /// The most recent handshakes that ended, oldest first, at most `StageLimits.rememberedHandshakes`.
    var ended: [EndedHandshake]

    /// An empty stage: every seat is open and free.
    package init() {
        seats = (1...StageLimits.seats).map(Seat.init)
        handshakes = []
        ended = []
    }

    /// The requests that wait for the host, oldest first.
    package var queue: [Handshake] { handshakes.filter { $0.state == .requested } }

    /// The handshake in which the host takes part, an invitation or an accepted request; nil if there is none.
    package var hostsHandshake: Handshake? { handshakes.first { $0.host != nil } }

    /// The handshake in progress with this identifier; nil if it ended or never existed.
    package func handshake(_ id: StageID) -> Handshake? { handshakes.first { $0.id == id } }

    /// A handshake and its state: in progress, or one of the most recent that ended, then `onStage` or `idle`; nil if unknown.
    package func progress(of id: StageID) -> (handshake: Handshake, state: HandshakeState)? {
        if let handshake = handshake(id) { return (handshake, handshake.state) }
        return ended.last { $0.handshake.id == id }.map { ($0.handshake, $0.outcome == .seated ? .onStage : .idle) }
    }

    /// The handshake in progress of this guest; nil if there is none.
    package func handshake(of guest: UserID) -> Handshake? { handshakes.first { $0.guest.id == guest } }

    /// The seat of this user; nil if they are not on stage.
    package func seat(of user: UserID) -> Seat? { seats.first { $0.occupant?.person.id == user } }

    /// The free seat with the lowest number; nil if none is free.
    package var freeSeat: Seat? { seats.first(where: \.isFree) }
}

/// A handshake that ended, kept so that clients may retry its last step.
struct EndedHandshake: Hashable, Sendable, Codable {
    enum Outcome: String, Hashable, Sendable, Codable {
        case seated
        case declined
        case cancelled
        case failed
        case other
    }

    var handshake: Handshake
    let outcome: Outcome
    /// The user who ended it; nil if the service did.
    let by: UserID?
}

/// The bounds of a stage.
package enum StageLimits {
    /// Number of seats; they are numbered from 1.
    package static let seats = 8
    /// The most requests that wait for the host in one room.
    package static let queuedRequests = 50
    /// How long each step of a handshake may take, in seconds.
    package static let timeoutSeconds = 30
    /// How many ended handshakes a room keeps, so that clients may retry their last step.
    package static let rememberedHandshakes = 32
}
