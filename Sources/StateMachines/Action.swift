/// Effects that a machine requests when it leaves or enters a state. They are values; the caller performs them.
public struct Action<Words: Vocabulary>: Sendable {
    /// When the effects of an action must be performed.
    public enum Occasion: Hashable, Sendable {
        /// Before the state is left.
        case willLeave
        /// Before the state is entered, after the previous one was left.
        case willEnter
        /// Once the machine is in the state.
        case didEnter
    }

    /// When the effects must be performed.
    public let occasion: Occasion
    /// The states whose entering or leaving triggers the action.
    public let origin: Origin<Words.State>
    private let make: @Sendable (Passage<Words>) -> [Words.Effect]

    /// An action of one, several or any states, whose effects depend on the passage.
    public init(
        _ occasion: Occasion, _ origin: Origin<Words.State>, _ effects: @escaping @Sendable (Passage<Words>) -> [Words.Effect]
    ) {
        self.occasion = occasion
        self.origin = origin
        make = effects
    }

    /// The effects of a passage.
    public func effects(of passage: Passage<Words>) -> [Words.Effect] { make(passage) }

    /// Before the state is left.
    public static func willLeave(_ state: Words.State, _ effects: Words.Effect...) -> Self {
        Self(.willLeave, [state]) { _ in effects }
    }

    /// Before the state is entered.
    public static func willEnter(_ state: Words.State, _ effects: Words.Effect...) -> Self {
        Self(.willEnter, [state]) { _ in effects }
    }

    /// Once the machine is in the state.
    public static func didEnter(_ state: Words.State, _ effects: Words.Effect...) -> Self {
        Self(.didEnter, [state]) { _ in effects }
    }
}

/// A transition in progress, as input for actions.
public struct Passage<Words: Vocabulary>: Sendable {
    /// The state that is left.
    public let from: Words.State
    /// The state that is entered; the same for a transition to itself.
    public let to: Words.State
    /// The event or the delay that caused it.
    public let trigger: Trigger<Words.Event>
    /// When it happens; for a delay, the time at which it was due.
    public let at: Moment
    /// The context supplied with the event.
    public let context: Words.Context
}
