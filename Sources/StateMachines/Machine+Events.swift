extension Machine {
    /// The configuration at the start. Starting is not a transition and has no effects.
    public func start(at now: Moment) -> Configuration<State> {
        Configuration(state: initial, enteredAt: now, pending: delays(in: initial, from: now))
    }

    /// The edge that an event takes from a state.
    /// - Throws: `Refused` if no edge takes the event in this state, or if the guards refuse every such edge.
    public func edge(
        on event: Event, from state: State, given context: Words.Context
    ) throws(Refused<Words>) -> Edge<Words> {
        var reasons: [Words.Reason] = []
        for edge in edges where edge.trigger == .event(event) && edge.origin.contains(state) {
            guard let reason = edge.condition?.reason(against: context) else { return edge }
            reasons.append(reason)
        }
        throw reasons.isEmpty ? .unexpected(event, in: state) : .heldBack(event, in: state, reasons)
    }

    /// Takes an event.
    ///
    /// The event applies to the stored state: call `advance` first to take the delayed transitions that are due.
    /// - Throws: `Refused`; the configuration is then unchanged.
    @discardableResult
    public func fire(
        _ event: Event, on configuration: inout Configuration<State>, at now: Moment, given context: Words.Context
    ) throws(Refused<Words>) -> Step<Words> {
        let edge = try edge(on: event, from: configuration.state, given: context)
        return take(edge, on: &configuration, at: now, given: context)
    }

    /// Takes an edge: leaves the old state, enters the new one, and starts its delays.
    func take(
        _ edge: Edge<Words>, on configuration: inout Configuration<State>, at now: Moment, given context: Words.Context
    ) -> Step<Words> {
        let passage = Passage<Words>(
            from: configuration.state, to: edge.target, trigger: edge.trigger, at: now, context: context)
        configuration = Configuration(state: edge.target, enteredAt: now, pending: delays(in: edge.target, from: now))
        return Step(
            from: passage.from, to: passage.to, trigger: passage.trigger, at: now,
            before: effects(.willLeave, passage.from, passage) + edge.effects + effects(.willEnter, passage.to, passage),
            after: effects(.didEnter, passage.to, passage))
    }

    private func effects(
        _ occasion: Action<Words>.Occasion, _ state: State, _ passage: Passage<Words>
    ) -> [Words.Effect] {
        actions.filter { $0.occasion == occasion && $0.origin.contains(state) }.flatMap { $0.effects(of: passage) }
    }
}

extension Machine where Words.Context == Void {
    /// Takes an event; see `fire(_:on:at:given:)`.
    @discardableResult
    public func fire(
        _ event: Event, on configuration: inout Configuration<State>, at now: Moment
    ) throws(Refused<Words>) -> Step<Words> {
        try fire(event, on: &configuration, at: now, given: ())
    }

    /// The edge that an event takes from a state; see `edge(on:from:given:)`.
    public func edge(on event: Event, from state: State) throws(Refused<Words>) -> Edge<Words> {
        try edge(on: event, from: state, given: ())
    }
}
