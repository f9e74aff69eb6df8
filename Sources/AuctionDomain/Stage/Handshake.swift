internal import StateMachines

/// What a guest and the host say to each other before the guest is on stage.
public struct Handshake: Hashable, Sendable, Codable {
    /// Who began it.
    public enum Origin: String, Hashable, Sendable, Codable, CaseIterable {
        /// The guest asked; the host accepts, the guest confirms.
        case request
        /// The host asked; the guest accepts, the host confirms.
        case invitation
    }

    public let id: StageID
    public let guest: Person
    /// What the seat will make of the guest.
    public let role: StageRole
    /// Which side the next steps belong to depends on it.
    public let origin: Origin
    /// The host who has a part in it; nil while a request is queued.
    public internal(set) var host: Person?
    var configuration: Configuration<HandshakeState>

    /// Which step it waits for.
    public var state: HandshakeState { configuration.state }

    /// When it times out.
    public var dueAt: Timestamp? { configuration.dueAt.map { Timestamp(milliseconds: $0.milliseconds) } }

    /// A request that is queued, or an invitation by a host.
    init(id: StageID, guest: Person, role: StageRole, invitedBy host: Person?, at instant: Timestamp) {
        self.id = id
        self.guest = guest
        self.role = role
        self.host = host
        origin = host == nil ? .request : .invitation
        configuration = HandshakeState.machine.start(at: instant.moment)
        follow(host == nil ? .request : .invite, at: instant)
    }

    /// Moves on as was decided before; a step that does not fit changes nothing.
    mutating func follow(_ event: HandshakeWords.Event, at instant: Timestamp) {
        do {
            try HandshakeState.machine.fire(event, on: &configuration, at: instant.moment, given: .decided)
        } catch {
            // Only a log that nobody decided gets here, and a replay has nobody to refuse it to.
        }
    }

    /// The caller's part in it; empty for anybody else.
    func sides(of caller: Person, host: Person) -> Set<HandshakeSide> {
        var sides: Set<HandshakeSide> = []
        if caller.id == guest.id { sides.insert(.guest) }
        if caller.id == host.id { sides.insert(.host) }
        return sides
    }
}

extension Timestamp {
    /// The same instant as the library of machines has it.
    var moment: Moment { Moment(milliseconds: milliseconds) }
}
