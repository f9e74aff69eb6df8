/// One edge of a machine: where from, where to, what makes it happen, and who may cause it.
public struct Transition<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    public let from: State
    public let to: State
    public let trigger: Trigger
    /// Who or what causes it, for people: `host`, `the clock`.
    public let cause: String

    public init(from: State, to: State, on trigger: Trigger, by cause: String) {
        self.from = from
        self.to = to
        self.trigger = trigger
        self.cause = cause
    }
}

/// All transitions of a machine as a value that can be checked and drawn.
public struct TransitionTable<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Sendable {
    public let initial: State
    /// In the order they were registered.
    public let states: [State]
    public let transitions: [Transition<State, Trigger>]

    public init(initial: State, states: [State], transitions: [Transition<State, Trigger>]) {
        self.initial = initial
        self.states = states
        self.transitions = transitions
    }

    /// Whether some transition leads from one to the other.
    public func allows(from: State, to: State) -> Bool {
        transitions.contains { $0.from == from && $0.to == to }
    }

    /// States that no path from the initial state reaches, in order.
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

    /// States that nothing leads out of, in order.
    public var deadEnds: [State] {
        states.filter { state in !transitions.contains { $0.from == state } }
    }

    /// States that a transition names but nobody registered, in order of appearance.
    public var unknownStates: [State] {
        var unknown: [State] = []
        for state in transitions.flatMap({ [$0.from, $0.to] }) where !states.contains(state) && !unknown.contains(state) {
            unknown.append(state)
        }
        return unknown
    }

    /// Everything that is wrong with the table, in words; empty for a sound one.
    public var findings: [String] {
        unknownStates.map { "\($0) is the end of a transition but is not registered" }
            + unreachableStates.map { "\($0) cannot be reached from \(initial)" }
            + deadEnds.map { "nothing leads out of \($0)" }
    }
}
