internal import StateMachines

/// The negotiation between a guest and the host that leads to a seat on the stage.
package struct Handshake: Hashable, Sendable, Codable {
    /// The side that began the handshake.
    package enum Origin: String, Hashable, Sendable, Codable, CaseIterable {
        /// The guest asked; then the host accepts and the guest confirms.
        case request
        /// The host asked; then the guest accepts and the host confirms.
        case invitation
    }

    /// Identifier of the handshake, unique across rooms.
    package let id: StageID
    /// The user who is to take a seat.
    package private(set) var guest: Person
    /// The role that the seat will give to the guest.
    package let role: StageRole
    /// Determines which side takes which step.
    package let origin: Origin
    /// The host who invited or accepted; nil while a request is queued.
    package internal(set) var host: Person?
    var configuration: Configuration<HandshakeState>

    /// The current state, which determines the next step.
    package var state: HandshakeState { configuration.state }

    /// When the handshake times out; nil in a state without a timeout.
    package var dueAt: Timestamp? { configuration.dueAt.map { Timestamp(milliseconds: $0.milliseconds) } }

    /// A queued request if `host` is nil, else an invitation by that host.
    init(id: StageID, guest: Person, role: StageRole, invitedBy host: Person?, at instant: Timestamp) {
        self.id = id
        self.guest = guest
        self.role = role
        self.host = host
        origin = host == nil ? .request : .invitation
        configuration = HandshakeState.machine.start(at: instant.machineTimestamp)
        follow(host == nil ? .request : .invite, at: instant)
    }

    /// Updates the nickname of a user who takes part in it.
    mutating func rename(_ person: Person) {
        if guest.id == person.id { guest = person }
        if host?.id == person.id { host = person }
    }

    /// Replays a step that was accepted before; a step that the state does not allow changes nothing.
    mutating func follow(_ event: HandshakeDefinition.Event, at instant: Timestamp) {
        do {
            try HandshakeState.machine.fire(event, on: &configuration, at: instant.machineTimestamp, given: .decided)
        } catch {
            // Only an inconsistent log leads here, and a replay has no caller to refuse.
        }
    }

    /// The sides that the caller is on; empty for a third user.
    func sides(of caller: Person, host: Person) -> Set<HandshakeSide> {
        var sides: Set<HandshakeSide> = []
        if caller.id == guest.id { sides.insert(.guest) }
        if caller.id == host.id { sides.insert(.host) }
        return sides
    }
}

extension Timestamp {
    /// The same instant in the type of the StateMachines library.
    var machineTimestamp: MachineTimestamp { MachineTimestamp(milliseconds: milliseconds) }
}
