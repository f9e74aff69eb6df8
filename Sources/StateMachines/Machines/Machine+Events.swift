extension Machine {
    /// The configuration at the start. Starting is not a transition and has no effects.
    public func start(at now: MachineTimestamp) -> Configuration<State> {
        Configuration(state: initial, enteredAt: now, pending: delays(in: initial, from: now))
    }

    /// The edge that an event takes from a state.
    /// - Throws: `Refused` if no edge takes the event in this state, or if the guards refuse every such edge.
    public func edge(
        on event: Event, from state: State, given context: Definition.Context
    ) throws(Refused<Definition>) -> Edge<Definition> {
        var reasons: [Definition.Reason] = []
        for edge in edges where edge.trigger == .event(event) && edge.origin.contains(state) {
            guard let reason = edge.condition?.reason(against: context) else { return edge }
            reasons.append(reason)
        }
        throw reasons.isEmpty ? .unexpected(event, in: state) : .rejectedByGuards(event, in: state, reasons)
    }

    /// Takes an event.
    ///
    /// The event applies to the stored state: call `advance` first to take the delayed transitions that are due.
    /// - Throws: `Refused`; the configuration is then unchanged.
    @discardableResult
    public func fire(
        _ event: Event, on configuration: inout Configuration<State>, at now: MachineTimestamp,
        given context: Definition.Context
    ) throws(Refused<Definition>) -> Step<Definition> {
        let edge = try edge(on: event, from: configuration.state, given: context)
        return take(edge, on: &configuration, at: now, given: context)
    }

    /// Takes an edge: leaves the old state, enters the new one, and starts its delays.
    func take(
        _ edge: Edge<Definition>, on configuration: inout Configuration<State>, at now: MachineTimestamp,
        given context: Definition.Context
    ) -> Step<Definition> {
        let input = ActionInput<Definition>(
            from: configuration.state, to: edge.target, trigger: edge.trigger, at: now, context: context)
        configuration = Configuration(state: edge.target, enteredAt: now, pending: delays(in: edge.target, from: now))
        return Step(
            from: input.from, to: input.to, trigger: input.trigger, at: now,
            before: effects(.willLeave, input.from, input) + edge.effects + effects(.willEnter, input.to, input),
            after: effects(.didEnter, input.to, input))
    }

    private func effects(
        _ phase: Action<Definition>.Phase, _ state: State, _ input: ActionInput<Definition>
    ) -> [Definition.Effect] {
        actions.filter { $0.phase == phase && $0.origin.contains(state) }.flatMap { $0.effects(of: input) }
    }
}

extension Machine where Definition.Context == Void {
    /// Takes an event; see `fire(_:on:at:given:)`.
    @discardableResult
    public func fire(
        _ event: Event, on configuration: inout Configuration<State>, at now: MachineTimestamp
    ) throws(Refused<Definition>) -> Step<Definition> {
        try fire(event, on: &configuration, at: now, given: ())
    }

    /// The edge that an event takes from a state; see `edge(on:from:given:)`.
    public func edge(on event: Event, from state: State) throws(Refused<Definition>) -> Edge<Definition> {
        try edge(on: event, from: state, given: ())
    }
}
