/// Effects that a machine requests when it leaves or enters a state. They are values; the caller performs them.
public struct Action<Definition: MachineDefinition>: Sendable {
    /// When the effects of an action must be performed.
    public enum Phase: Hashable, Sendable {
        /// Before the state is left.
        case willLeave
        /// Before the state is entered, after the previous one was left.
        case willEnter
        /// Once the machine is in the state.
        case didEnter
    }

    /// When the effects must be performed.
    public let phase: Phase
    /// The states whose entering or leaving triggers the action.
    public let origin: Origin<Definition.State>
    private let make: @Sendable (ActionInput<Definition>) -> [Definition.Effect]

    /// An action of one, several or any states, whose effects depend on the passage.
    public init(
        _ phase: Phase, _ origin: Origin<Definition.State>,
        _ effects: @escaping @Sendable (ActionInput<Definition>) -> [Definition.Effect]
    ) {
        self.phase = phase
        self.origin = origin
        make = effects
    }

    /// The effects of a passage.
    public func effects(of input: ActionInput<Definition>) -> [Definition.Effect] { make(input) }

    /// Before the state is left.
    public static func willLeave(_ state: Definition.State, _ effects: Definition.Effect...) -> Self {
        Self(.willLeave, [state]) { _ in effects }
    }

    /// Before the state is entered.
    public static func willEnter(_ state: Definition.State, _ effects: Definition.Effect...) -> Self {
        Self(.willEnter, [state]) { _ in effects }
    }

    /// Once the machine is in the state.
    public static func didEnter(_ state: Definition.State, _ effects: Definition.Effect...) -> Self {
        Self(.didEnter, [state]) { _ in effects }
    }
}

/// A transition in progress, as input for actions.
public struct ActionInput<Definition: MachineDefinition>: Sendable {
    /// The state that is left.
    public let from: Definition.State
    /// The state that is entered; the same for a transition to itself.
    public let to: Definition.State
    /// The event or the delay that caused it.
    public let trigger: Trigger<Definition.Event>
    /// When it happens; for a delay, the time at which it was due.
    public let at: MachineTimestamp
    /// The context supplied with the event.
    public let context: Definition.Context
}
