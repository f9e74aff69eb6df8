/// Something that is wrong with a transition table.
public enum Finding<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The table speaks of a state that nobody registered.
    case unknownState(State)
    /// No path leads to the state.
    case unreachable(State, from: State)
    /// Nothing leads out of the state, and it is not a final one.
    case deadEnd(State)
    /// Which transition is taken is left to chance.
    case nondeterministic(Nondeterminism<State, Trigger>)
}

extension Finding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownState(let state): "\(state) is the end of a transition but is not registered"
        case .unreachable(let state, let initial): "\(state) cannot be reached from \(initial)"
        case .deadEnd(let state): "nothing leads out of \(state)"
        case .nondeterministic(let choice): choice.description
        }
    }
}

/// Two or more unguarded transitions from one state on one trigger.
public struct Nondeterminism<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The state that several ways lead out of.
    public let from: State
    /// What sets them all off.
    public let trigger: Trigger
    /// Where they lead, in the order of the table.
    public let to: [State]

    public init(from: State, trigger: Trigger, to: [State]) {
        self.from = from
        self.trigger = trigger
        self.to = to
    }
}

extension Nondeterminism: CustomStringConvertible {
    public var description: String {
        "\(trigger) in \(from) leads to \(to.map { "\($0)" }.joined(separator: " and to "))"
    }
}
