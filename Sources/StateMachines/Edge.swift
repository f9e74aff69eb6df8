/// A transition that a machine can take: from one, several or any state to a state, on an event or after a delay.
public struct Edge<Definition: MachineDefinition>: Sendable {
    /// A guard over the context and the reasons of the machine.
    public typealias Condition = Guard<Definition.Context, Definition.Reason>

    /// The states in which it can be taken.
    public let origin: Origin<Definition.State>
    /// The state that it leads to.
    public let target: Definition.State
    /// The event or the delay that causes it.
    public let trigger: Trigger<Definition.Event>
    /// The actor that causes it, for diagrams, such as `host`; empty if there is no particular one.
    public let cause: String
    /// The guard; nil if the transition is always allowed.
    public let condition: Condition?
    /// Effects of the transition itself, after leaving the old state and before entering the new one.
    public let effects: [Definition.Effect]
    /// For a delay: how it is restored from a saved machine.
    public let restore: RestorePolicy

    /// On an event, from a state.
    public static func on(
        _ event: Definition.Event, from state: Definition.State, to target: Definition.State, by cause: String = "",
        if condition: Condition? = nil, doing effects: [Definition.Effect] = []
    ) -> Self {
        .on(event, from: .states([state]), to: target, by: cause, if: condition, doing: effects)
    }

    /// On an event, from several states or any: `from: [.idle, .waiting]`, `from: .any`.
    ///
    /// A transition from a state to itself leaves and enters the state and restarts its delays.
    public static func on(
        _ event: Definition.Event, from origin: Origin<Definition.State>, to target: Definition.State, by cause: String = "",
        if condition: Condition? = nil, doing effects: [Definition.Effect] = []
    ) -> Self {
        Self(
            origin: origin, target: target, trigger: .event(event), cause: cause, condition: condition, effects: effects,
            restore: .keepDueTime)
    }

    /// After a delay, counted from when a state was entered; at least one millisecond, so that time advances in every cycle.
    public static func after(
        _ delay: Duration, from state: Definition.State, to target: Definition.State, if condition: Condition? = nil,
        doing effects: [Definition.Effect] = [], onRestore restore: RestorePolicy = .keepDueTime
    ) -> Self {
        .after(delay, from: .states([state]), to: target, if: condition, doing: effects, onRestore: restore)
    }

    /// After a delay, counted from when one of several states was entered; at least one millisecond, so that time advances in every
    /// cycle.
    public static func after(
        _ delay: Duration, from origin: Origin<Definition.State>, to target: Definition.State, if condition: Condition? = nil,
        doing effects: [Definition.Effect] = [], onRestore restore: RestorePolicy = .keepDueTime
    ) -> Self {
        Self(
            origin: origin, target: target, trigger: .after(max(delay, .milliseconds(1))), cause: "the clock",
            condition: condition, effects: effects, restore: restore)
    }

    /// A cycle of states, each followed by the next after its own delay, the last by the first.
    public static func cycle(
        _ stops: [(state: Definition.State, delay: Duration)], onRestore restore: RestorePolicy = .keepDueTime
    ) -> [Self] {
        zip(stops, stops.dropFirst() + stops.prefix(1)).map { stop, next in
            .after(stop.delay, from: stop.state, to: next.state, onRestore: restore)
        }
    }
}
