/// All transitions of a machine as a value that can be checked and drawn.
///
/// A table runs nothing. `Machine` makes one of its edges; a program whose states are objects of their own can put one
/// together from what they say.
public struct TransitionTable<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// Where the machine starts.
    public let initial: State
    /// In the order they were registered.
    public let states: [State]
    /// Where a machine may stay for good: nothing need lead out of them.
    public let finalStates: [State]
    /// In the order they were registered.
    public let transitions: [Transition<State, Trigger>]

    /// A table as it is given: `findings` says what is wrong with it.
    public init(
        initial: State, states: [State], finalStates: [State] = [], transitions: [Transition<State, Trigger>]
    ) {
        self.initial = initial
        self.states = states
        self.finalStates = finalStates
        self.transitions = transitions
    }

    /// Whether some transition leads from one to the other.
    public func allows(from: State, to: State) -> Bool {
        transitions.contains { $0.from == from && $0.to == to }
    }
}
