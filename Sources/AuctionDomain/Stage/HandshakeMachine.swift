public import StateMachines

/// Where a handshake stands. Every state but the first and the last waits for one side, and times out.
public enum HandshakeState: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is going on: where both sides begin, and where everything that goes wrong leads back to.
    case idle
    /// The guest is queued; the host may accept.
    case requested
    /// The host accepted and the guest has been told; the guest is to confirm.
    case accepted
    /// The host invited; the guest may accept.
    case invited
    /// The guest accepted the invitation; the host is to confirm.
    case agreed
    /// The guest has a seat.
    case onStage
}

/// One of the two who shake hands.
public enum HandshakeSide: String, Hashable, Sendable {
    case host
    case guest
}

/// The words of the handshake's machine. Source: product.md, section 8; the states of seed 003.
public enum HandshakeWords: Vocabulary {
    public typealias State = HandshakeState

    /// A step of one side, or what befalls a handshake.
    public enum Event: String, Hashable, Sendable {
        case request
        case invite
        case accept
        case confirm
        case decline
        case cancel
        /// An error, a disconnect, a new start of one side.
        case end
        /// The seat is given up.
        case leave
    }

    /// What the guards look at.
    public struct Context: Hashable, Sendable {
        /// Which sides the caller is.
        public let sides: Set<HandshakeSide>
        /// Whether some seat would take the guest.
        public let hasFreeSeat: Bool

        public init(sides: Set<HandshakeSide>, hasFreeSeat: Bool) {
            self.sides = sides
            self.hasFreeSeat = hasFreeSeat
        }

        /// For what has been decided before: nothing holds it back.
        static let decided = Context(sides: [.host, .guest], hasFreeSeat: true)
    }

    /// Why a step is held back.
    public enum Reason: Hashable, Sendable {
        /// The step belongs to this side.
        case only(HandshakeSide)
        case neitherHostNorGuest
        case noFreeSeat
    }
}

extension HandshakeState {
    /// The states that wait for somebody.
    public static let waiting: [HandshakeState] = [.requested, .accepted, .invited, .agreed]

    /// The machine of the handshake.
    public static let machine = Machine<HandshakeWords>(
        initial: .idle,
        edges: [
            .on(.request, from: .idle, to: .requested, by: "guest", if: .only(.guest)),
            .on(.accept, from: .requested, to: .accepted, by: "host", if: .seating(by: .host)),
            .on(.confirm, from: .accepted, to: .onStage, by: "guest", if: .seating(by: .guest)),
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

extension Guard<HandshakeWords.Context, HandshakeWords.Reason> {
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
