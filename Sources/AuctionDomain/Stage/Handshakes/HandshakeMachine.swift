package import StateMachines

/// The state of a handshake. Every state but the first and the last waits for one side, and times out.
package enum HandshakeState: String, Hashable, Sendable, Codable, CaseIterable {
    /// No handshake is in progress: the initial state, and the final state of every handshake that did not lead to a seat.
    case idle
    /// The guest's request is queued; the host may accept.
    case requested
    /// The host accepted the request; the guest must confirm.
    case accepted
    /// The host invited; the guest may accept.
    case invited
    /// The guest accepted the invitation; the host must confirm.
    case agreed
    /// The guest has a seat.
    case onStage
}

/// One of the two sides of a handshake.
package enum HandshakeSide: String, Hashable, Sendable {
    case host
    case guest
}

/// The types of the handshake's state machine.
package enum HandshakeDefinition: MachineDefinition {
    /// The machine's states.
    package typealias State = HandshakeState

    /// A step of one side, or an event that ends the handshake.
    package enum Event: String, Hashable, Sendable {
        case request
        case invite
        case accept
        case confirm
        /// The host seats a guest who has asked for it.
        case seat
        case decline
        case cancel
        /// An error, a disconnect, or the start of another handshake by one side.
        case end
        /// The guest leaves the seat.
        case leave
    }

    /// The input of the guards.
    package struct Context: Hashable, Sendable {
        /// The sides that the caller is on; empty for a third user.
        package let sides: Set<HandshakeSide>
        /// Whether a seat is neither occupied nor closed.
        package let hasFreeSeat: Bool

        package init(sides: Set<HandshakeSide>, hasFreeSeat: Bool) {
            self.sides = sides
            self.hasFreeSeat = hasFreeSeat
        }

        /// For replaying steps that were accepted before: satisfies every guard.
        static let decided = Context(sides: [.host, .guest], hasFreeSeat: true)
    }

    /// Why a guard refuses a step.
    package enum Reason: Hashable, Sendable {
        /// Only this side may take the step.
        case only(HandshakeSide)
        case neitherHostNorGuest
        case noFreeSeat
    }
}

extension HandshakeState {
    /// The states that wait for a step of one side.
    package static let waiting: [HandshakeState] = [.requested, .accepted, .invited, .agreed]

    /// The transitions and timeouts of a handshake.
    package static let machine = Machine<HandshakeDefinition>(
        initial: .idle,
        edges: [
            .on(.request, from: .idle, to: .requested, by: "guest", if: .only(.guest)),
            .on(.accept, from: .requested, to: .accepted, by: "host", if: .seating(by: .host)),
            .on(.confirm, from: .accepted, to: .onStage, by: "guest", if: .seating(by: .guest)),
            .on(.seat, from: .states([.requested, .accepted]), to: .onStage, by: "host", if: .seating(by: .host)),
            .on(.invite, from: .idle, to: .invited, by: "host", if: .seating(by: .host)),
            .on(.accept, from: .invited, to: .agreed, by: "guest", if: .only(.guest)),
            .on(.confirm, from: .agreed, to: .onStage, by: "host", if: .seating(by: .host)),
            .on(.decline, from: .states(waiting), to: .idle, by: "host or guest", if: .either),
            .on(.cancel, from: .states(waiting), to: .idle, by: "host or guest", if: .either),
            .on(.end, from: .states(waiting), to: .idle),
            .after(.seconds(StageLimits.timeoutSeconds), from: .states(waiting), to: .idle),
            .on(.leave, from: .onStage, to: .idle, by: "host or guest"),
        ])
}

extension Guard<HandshakeDefinition.Context, HandshakeDefinition.Reason> {
    fileprivate static func only(_ side: HandshakeSide) -> Self {
        Guard("the \(side.rawValue)") { $0.sides.contains(side) ? nil : .only(side) }
    }

    fileprivate static func seating(by side: HandshakeSide) -> Self {
        Guard("the \(side.rawValue), a seat is free") { context in
            guard context.sides.contains(side) else { return .only(side) }
            return context.hasFreeSeat ? nil : .noFreeSeat
        }
    }

    fileprivate static var either: Self {
        Guard("one of the two") { $0.sides.isEmpty ? .neitherHostNorGuest : nil }
    }
}
