/// A transition that a machine can take: from one, several or any state to a state, on an event or after a delay.
public struct Edge<Words: Vocabulary>: Sendable {
    /// A guard in the words of the machine.
    public typealias Condition = Guard<Words.Context, Words.Reason>

    /// The states that it leads out of.
    public let origin: Origin<Words.State>
    /// The state that it leads to.
    public let target: Words.State
    /// The event or the delay that sets it off.
    public let trigger: Trigger<Words.Event>
    /// Who or what causes it, for people; empty where nobody in particular does.
    public let cause: String
    /// What must hold; nil if nothing need.
    public let condition: Condition?
    /// What the transition itself brings about, between leaving and entering.
    public let effects: [Words.Effect]
    /// For a delay: what becomes of it when a saved machine is restored.
    public let restore: RestorePolicy

    /// On an event, from a state.
    public static func on(
        _ event: Words.Event, from state: Words.State, to target: Words.State, by cause: String = "",
        if condition: Condition? = nil, doing effects: [Words.Effect] = []
    ) -> Self {
        .on(event, from: .states([state]), to: target, by: cause, if: condition, doing: effects)
    }

    /// On an event, from several states or any: `from: [.idle, .waiting]`, `from: .any`.
    ///
    /// A transition from a state to itself leaves and enters it, and its delays start anew.
    public static func on(
        _ event: Words.Event, from origin: Origin<Words.State>, to target: Words.State, by cause: String = "",
        if condition: Condition? = nil, doing effects: [Words.Effect] = []
    ) -> Self {
        Self(
            origin: origin, target: target, trigger: .event(event), cause: cause, condition: condition, effects: effects,
            restore: .keepDueTime)
    }

    /// After a delay, counted from when a state was entered.
    /// - Parameter delay: at least a millisecond; less counts as that, so that time passes in every cycle.
    public static func after(
        _ delay: Duration, from state: Words.State, to target: Words.State, if condition: Condition? = nil,
        doing effects: [Words.Effect] = [], onRestore restore: RestorePolicy = .keepDueTime
    ) -> Self {
        .after(delay, from: .states([state]), to: target, if: condition, doing: effects, onRestore: restore)
    }

    /// After a delay, counted from when one of several states was entered.
    /// - Parameter delay: at least a millisecond; less counts as that, so that time passes in every cycle.
    public static func after(
        _ delay: Duration, from origin: Origin<Words.State>, to target: Words.State, if condition: Condition? = nil,
        doing effects: [Words.Effect] = [], onRestore restore: RestorePolicy = .keepDueTime
    ) -> Self {
        Self(
            origin: origin, target: target, trigger: .after(max(delay, .milliseconds(1))), cause: "the clock",
            condition: condition, effects: effects, restore: restore)
    }

    /// States that follow each other by themselves, each after its own delay, the first after the last.
    public static func cycle(
        _ stops: [(state: Words.State, delay: Duration)], onRestore restore: RestorePolicy = .keepDueTime
    ) -> [Self] {
        zip(stops, stops.dropFirst() + stops.prefix(1)).map { stop, next in
            .after(stop.delay, from: stop.state, to: next.state, onRestore: restore)
        }
    }
}
