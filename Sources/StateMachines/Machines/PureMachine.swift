/// A machine defined by one function from a state and an input to the next state.
///
/// States may carry values, so their number is unlimited. The function is pure: the same inputs give the same states, so they can be
/// replayed and undone.
/// Source: G. H. Mealy, "A Method for Synthesizing Sequential Circuits", 1955.
public struct PureMachine<State: Sendable, Input: Sendable, Effect: Sendable, Reason: Error>: Sendable {
    private let function: @Sendable (State, Input) throws(Reason) -> (State, [Effect])

    /// A machine whose function may return effects and may refuse an input.
    public init(_ function: @escaping @Sendable (State, Input) throws(Reason) -> (State, [Effect])) {
        self.function = function
    }

    /// The next state and the effects to perform.
    /// - Throws: why the input is refused.
    public func next(_ state: State, _ input: Input) throws(Reason) -> (state: State, effects: [Effect]) {
        let (next, effects) = try function(state, input)
        return (next, effects)
    }

    /// The state after a sequence of inputs; effects are discarded.
    /// - Throws: the reason of the first input that is refused.
    public func replay(_ inputs: some Sequence<Input>, from state: State) throws(Reason) -> State {
        var state = state
        for input in inputs { state = try next(state, input).state }
        return state
    }
}

extension PureMachine where Effect == Never {
    /// A machine without effects.
    public init(_ function: @escaping @Sendable (State, Input) throws(Reason) -> State) {
        self.init { (state, input) throws(Reason) in (try function(state, input), []) }
    }
}
