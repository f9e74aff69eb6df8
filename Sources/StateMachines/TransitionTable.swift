/// All transitions of a machine as plain data, for analysis and diagrams.
///
/// `Machine.table` builds one from its edges; programs that implement states as types of their own can build one directly.
public struct TransitionTable<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The state in which the machine starts.
    public let initial: State
    /// In the order they were registered.
    public let states: [State]
    /// States that need no outgoing transition.
    public let finalStates: [State]
    /// In the order they were registered.
    public let transitions: [Transition<State, Trigger>]

    /// A table without any check; `findings` lists its defects.
    public init(
        initial: State, states: [State], finalStates: [State] = [], transitions: [Transition<State, Trigger>]
    ) {
        self.initial = initial
        self.states = states
        self.finalStates = finalStates
        self.transitions = transitions
    }

    /// Whether a transition leads from one state to the other, on any trigger.
    public func allows(from: State, to: State) -> Bool {
        transitions.contains { $0.from == from && $0.to == to }
    }
}
