package import StateMachines

/// The registry of states: the only list of them.
package struct RoomStates: Sendable {
    /// All states, in the order of a round.
    package let all: [any RoomStateObject]
    /// The transitions of all states, checked when the registry is made.
    package let table: TransitionTable<RoomState, TransitionCause>
    // In the order of `all`. Few, so comparing them all takes less than hashing a name.
    private let names: [RoomState]
    private let allowed: [[RoomAction]]
    private let allowedSets: [RoomActions]
    // Indexed by the number of the action.
    private let namesAllowing: [UInt8: String]
    /// The names of the states without a round, for a refusal.
    package let namesWithoutRound: String

    /// - Throws: `UnsoundStates` if a state is registered twice, leads nowhere or cannot be reached.
    package init(_ all: [any RoomStateObject]) throws(UnsoundStates) {
        self.all = all
        let names = all.map(\.name)
        for (place, name) in names.enumerated() where names[..<place].contains(name) {
            throw UnsoundStates(findings: ["\(name) is registered twice"])
        }
        self.names = names
        let allowed = all.map { state in
            let incomingTransitions = all.flatMap(\.incomingTransitions).filter { $0.from.contains(state.name) }
            return state.allowedActions + incomingTransitions.compactMap(\.action)
        }
        self.allowed = allowed
        allowedSets = allowed.map(RoomActions.init)
        // Made once: every refusal because of the state has it, and each caller's allowed actions are found by asking for all of them.
        namesAllowing = Dictionary(
            uniqueKeysWithValues: RoomAction.allCases.map { action in
                let allowing = zip(names, allowed).filter { $1.contains(action) }
                return (action.number, allowing.map(\.0.rawValue).joined(separator: ", "))
            })
        namesWithoutRound = all.filter { !$0.isRound }.map(\.name.rawValue).joined(separator: " or ")
        table = TransitionTable(
            initial: .preparing, states: names, transitions: Self.transitions(of: all))
        guard table.findings.isEmpty else { throw UnsoundStates(findings: table.findings) }
    }

    /// The product's states, in the order of a round.
    package static let product: [any RoomStateObject] = [
        PreparingState(), ListingState(), AuctioningState(), PausedState(), ClosedState(),
    ]

    /// The object of a state; nil if the state is not registered.
    package subscript(name: RoomState) -> (any RoomStateObject)? { names.firstIndex(of: name).map { all[$0] } }

    /// The actions that state rules allow in a state: its own, then those of other states' incoming transitions; empty if not registered.
    package func allowedActions(in state: RoomState) -> [RoomAction] { names.firstIndex(of: state).map { allowed[$0] } ?? [] }

    /// The same as a set.
    func allowedSet(in state: RoomState) -> RoomActions {
        names.firstIndex(of: state).map { allowedSets[$0] } ?? RoomActions([])
    }

    /// The names of the states that allow an action, in the order of a round, for people: `preparing, closed`.
    package func namesAllowing(_ action: RoomAction) -> String { namesAllowing[action.number] ?? "" }

    /// The state that an action enters from `state` by an incoming transition, and that transition; nil if there is none.
    package func incomingTransition(from state: RoomState, on action: RoomAction) -> (any RoomStateObject, IncomingTransition)?
    {
        incomingTransition(from: state) { $0.action == action }
    }

    /// The state that the service enters from `state` for this cause by an incoming transition; nil if there is none.
    package func incomingTransition(from state: RoomState, because cause: TransitionCause) -> (
        any RoomStateObject, IncomingTransition
    )? {
        incomingTransition(from: state) { $0.action == nil && $0.cause == cause }
    }

    private func incomingTransition(
        from state: RoomState, where matches: (IncomingTransition) -> Bool
    ) -> (any RoomStateObject, IncomingTransition)? {
        for target in all {
            if let found = target.incomingTransitions.first(where: { $0.from.contains(state) && matches($0) }) {
                return (target, found)
            }
        }
        return nil
    }

    /// An incoming transition replaces the one that its origin declares for the same trigger, so a state can be inserted between two.
    private static func transitions(of all: [any RoomStateObject]) -> [Transition<RoomState, TransitionCause>] {
        let incomingTransitions = all.flatMap { state in
            state.incomingTransitions.flatMap { incomingTransition in
                incomingTransition.from.map {
                    Transition(from: $0, to: state.name, on: incomingTransition.cause, by: incomingTransition.by)
                }
            }
        }
        return all.flatMap { state in
            state.transitions.filter { own in !incomingTransitions.contains { $0.from == own.from && $0.trigger == own.trigger }
            }
                + incomingTransitions.filter { $0.to == state.name }
        }
    }
}

/// The registered states do not form a valid state machine.
package struct UnsoundStates: Error, Hashable, Sendable, CustomStringConvertible {
    /// One text per defect, such as an unreachable state; never empty.
    package let findings: [String]
    package var description: String { "the room's states are unsound: " + findings.joined(separator: "; ") }
}
