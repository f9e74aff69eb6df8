/// A machine that is nothing but a function: from a state and an input to the next state.
///
/// Its states may carry values, so there may be any number of them. Because the function looks at nothing else, the same
/// inputs give the same states: they can be replayed, and undone.
/// Source: G. H. Mealy, "A Method for Synthesizing Sequential Circuits", 1955.
public struct PureMachine<State: Sendable, Input: Sendable, Effect: Sendable, Reason: Error>: Sendable {
    private let function: @Sendable (State, Input) throws(Reason) -> (State, [Effect])

    /// A machine that may want things done, and may refuse an input.
    public init(_ function: @escaping @Sendable (State, Input) throws(Reason) -> (State, [Effect])) {
        self.function = function
    }

    /// The next state, and what is to be done.
    /// - Throws: why the input is refused.
    public func next(_ state: State, _ input: Input) throws(Reason) -> (state: State, effects: [Effect]) {
        let (next, effects) = try function(state, input)
        return (next, effects)
    }

    /// Where a row of inputs leads.
    /// - Throws: why the first refused one is.
    public func replay(_ inputs: some Sequence<Input>, from state: State) throws(Reason) -> State {
        var state = state
        for input in inputs { state = try next(state, input).state }
        return state
    }
}

extension PureMachine where Effect == Never {
    /// A machine that only moves.
    public init(_ function: @escaping @Sendable (State, Input) throws(Reason) -> State) {
        self.init { (state, input) throws(Reason) in (try function(state, input), []) }
    }
}
