extension TransitionTable {
    /// States that no path from the initial state reaches, in order of registration. Guards are assumed to allow every transition.
    public var unreachableStates: [State] {
        var reached: Set<State> = [initial]
        var frontier = [initial]
        while let state = frontier.popLast() {
            for transition in transitions where transition.from == state && reached.insert(transition.to).inserted {
                frontier.append(transition.to)
            }
        }
        return states.filter { !reached.contains($0) }
    }

    /// Non-final states without a transition to another state, in order of registration.
    public var deadEnds: [State] {
        states.filter { state in
            !finalStates.contains(state) && !transitions.contains { $0.from == state && $0.to != state }
        }
    }

    /// States that the table names but that are not registered, in order of appearance.
    public var unknownStates: [State] {
        var unknown: [State] = []
        let named = [initial] + finalStates + transitions.flatMap { [$0.from, $0.to] }
        for state in named where !states.contains(state) && !unknown.contains(state) { unknown.append(state) }
        return unknown
    }

    /// Every ambiguous choice: two or more unguarded transitions from one state on one trigger.
    public var nondeterminism: [Nondeterminism<State, Trigger>] {
        var found: [Nondeterminism<State, Trigger>] = []
        for transition in transitions where transition.condition == nil {
            let rivals = transitions.filter {
                $0.condition == nil && $0.from == transition.from && $0.trigger == transition.trigger
            }
            let choice = Nondeterminism(from: transition.from, trigger: transition.trigger, to: rivals.map(\.to))
            if rivals.count > 1 && !found.contains(choice) { found.append(choice) }
        }
        return found
    }

    /// All defects of the table; empty if there are none.
    public var analysis: [Finding<State, Trigger>] {
        unknownStates.map { .unknownState($0) }
            + unreachableStates.map { .unreachable($0, from: initial) }
            + deadEnds.map { .deadEnd($0) }
            + nondeterminism.map { .nondeterministic($0) }
    }

    /// The analysis as messages for developers.
    public var findings: [String] { analysis.map(\.description) }
}
