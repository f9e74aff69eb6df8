/// A defect of a transition table.
public enum Finding<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The table names a state that is not registered.
    case unknownState(State)
    /// No path leads from the initial state to this state.
    case unreachable(State, from: State)
    /// No transition leads to another state, and the state is not final.
    case deadEnd(State)
    /// Several transitions can be taken on the same trigger.
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
    /// The state in which the transitions compete.
    public let from: State
    /// The trigger that they share.
    public let trigger: Trigger
    /// The states that they lead to, in the order of the table.
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
