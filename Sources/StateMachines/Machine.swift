/// The definition of a machine: its states, its edges, and the actions of its states. It runs as a `Configuration`.
///
/// A definition holds functions and is written once; a configuration is plain data that can be saved. All a machine does is
/// compute: every method takes values and gives values, and what is to be done comes out as effects.
public struct Machine<Words: Vocabulary>: Sendable {
    /// Where the machine can be.
    public typealias State = Words.State
    /// What can happen to it.
    public typealias Event = Words.Event

    /// Where it starts.
    public let initial: State
    /// In the order they were registered.
    public let states: [State]
    /// Where the machine may stay for good.
    public let finalStates: [State]
    /// In order: of several that could be taken, the first that its guard lets through is.
    public let edges: [Edge<Words>]
    /// In order, among those that are due at the same time.
    public let actions: [Action<Words>]

    /// A machine from its parts; `table.findings` says what is wrong with them.
    public init(
        initial: State, states: [State], finalStates: [State] = [], edges: [Edge<Words>], actions: [Action<Words>] = []
    ) {
        self.initial = initial
        self.states = states
        self.finalStates = finalStates
        self.edges = edges
        self.actions = actions
    }

    /// The machine as a table to check and to draw, with every edge from several states spelt out.
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

    /// States that an edge names stay even if nobody registered them: the analysis is to find them.
    private func origins(of edge: Edge<Words>) -> [State] {
        switch edge.origin {
        case .states(let named): named
        case .any: states.filter(edge.origin.contains)
        }
    }
}

extension Machine where Words.State: CaseIterable {
    /// A machine whose states are all the cases of their type.
    public init(
        initial: State, finalStates: [State] = [], edges: [Edge<Words>], actions: [Action<Words>] = []
    ) {
        self.init(
            initial: initial, states: Array(State.allCases), finalStates: finalStates, edges: edges, actions: actions)
    }
}
