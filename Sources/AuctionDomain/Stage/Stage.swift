/// The stage of a room: its seats, and the handshakes that lead to them. What its events make it.
public struct Stage: Hashable, Sendable, Codable {
    /// By number, from 1 to `StageLimits.seats`.
    public internal(set) var seats: [Seat]
    /// Those under way, oldest first: at most one per guest, and one that the host has a part in.
    public internal(set) var handshakes: [Handshake]
    /// The last ones that ended, oldest first.
    var ended: [EndedHandshake]

    /// An empty stage: every seat is open and free.
    public init() {
        seats = (1...StageLimits.seats).map(Seat.init)
        handshakes = []
        ended = []
    }

    /// The requests that wait for the host, oldest first.
    public var queue: [Handshake] { handshakes.filter { $0.state == .requested } }

    /// The one that the host has a part in: an invitation, or a request that was accepted.
    public var hostsHandshake: Handshake? { handshakes.first { $0.host != nil } }

    /// A handshake that is under way.
    public func handshake(_ id: StageID) -> Handshake? { handshakes.first { $0.id == id } }

    /// A handshake under way, or one of the last that ended: it is on stage then, or idle again.
    public func progress(of id: StageID) -> (handshake: Handshake, state: HandshakeState)? {
        if let handshake = handshake(id) { return (handshake, handshake.state) }
        return ended.last { $0.handshake.id == id }.map { ($0.handshake, $0.outcome == .seated ? .onStage : .idle) }
    }

    /// The handshake that somebody is the guest of.
    public func handshake(of guest: UserID) -> Handshake? { handshakes.first { $0.guest.id == guest } }

    /// Where somebody sits.
    public func seat(of user: UserID) -> Seat? { seats.first { $0.occupant?.person.id == user } }

    /// The lowest seat that takes somebody.
    public var freeSeat: Seat? { seats.first(where: \.isFree) }

    /// Who has been on stage longest in a role, by seat number among equals: whom the host's role falls to.
    /// - Parameter excluded: who is passed over, as the owner of the current item.
    public func longestSeated(role: StageRole, excluding excluded: Set<UserID> = []) -> Person? {
        seats.compactMap(\.occupant)
            .filter { $0.role == role && !excluded.contains($0.person.id) }
            .min { $0.since < $1.since }?
            .person
    }
}

/// What is remembered of a handshake that is over.
struct EndedHandshake: Hashable, Sendable, Codable {
    enum Outcome: String, Hashable, Sendable, Codable {
        case seated
        case declined
        case cancelled
        case failed
        case other
    }

    let handshake: Handshake
    let outcome: Outcome
    /// Who ended it; nil for the clock.
    let by: UserID?
}
