/// The definition of a machine: its states, its edges, and the actions of its states. It runs as a `Configuration`.
///
/// A definition holds functions and does not change; a configuration is plain data that can be saved. Methods are pure: they take
/// and return values, and side effects are returned as values for the caller to perform.
public struct Machine<Definition: MachineDefinition>: Sendable {
    /// A state of the machine.
    public typealias State = Definition.State
    /// An event that the machine can take.
    public typealias Event = Definition.Event

    /// The state in which it starts.
    public let initial: State
    /// In the order they were registered.
    public let states: [State]
    /// States that need no outgoing transition.
    public let finalStates: [State]
    /// In order of precedence: the first edge whose guard allows it is taken.
    public let edges: [Edge<Definition>]
    /// In the order in which those of the same occasion are performed.
    public let actions: [Action<Definition>]

    /// A machine from its parts; `table.findings` lists their defects.
    public init(
        initial: State, states: [State], finalStates: [State] = [], edges: [Edge<Definition>],
        actions: [Action<Definition>] = []
    ) {
        self.initial = initial
        self.states = states
        self.finalStates = finalStates
        self.edges = edges
        self.actions = actions
    }

    /// The machine as a table for analysis and diagrams, with one transition per state of origin.
    public var table: TransitionTable<State, Trigger<Event>> {
        TransitionTable(
            initial: initial, states: states, finalStates: finalStates,
            transitions: edges.flatMap { edge in
                origins(of: edge).map { state in
                    Transition(
                        from: state, to: edge.target, on: edge.trigger, by: edge.cause, when: edge.condition?.condition)
                }
            })
    }

    /// States that an edge names are kept even if they are not registered, so that the analysis reports them.
    private func origins(of edge: Edge<Definition>) -> [State] {
        switch edge.origin {
        case .states(let named): named
        case .any: states.filter(edge.origin.contains)
        }
    }
}

extension Machine where Definition.State: CaseIterable {
    /// A machine whose states are all the cases of their type.
    public init(
        initial: State, finalStates: [State] = [], edges: [Edge<Definition>], actions: [Action<Definition>] = []
    ) {
        self.init(
            initial: initial, states: Array(State.allCases), finalStates: finalStates, edges: edges, actions: actions)
    }
}
