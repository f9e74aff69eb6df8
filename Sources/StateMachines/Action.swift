/// What a machine says is to be done when it comes to or leaves a state: effects, as values. The caller does them.
public struct Action<Words: Vocabulary>: Sendable {
    /// When an action is due.
    public enum Occasion: Hashable, Sendable {
        /// Before the state is left.
        case willLeave
        /// Before the state is entered, after the other one was left.
        case willEnter
        /// Once the machine is in the state.
        case didEnter
    }

    /// When the effects are due.
    public let occasion: Occasion
    /// The states that it belongs to.
    public let origin: Origin<Words.State>
    private let make: @Sendable (Passage<Words>) -> [Words.Effect]

    /// An action of one, several or any states that looks at the passage.
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

/// A machine on its way from one state to another: what actions look at.
public struct Passage<Words: Vocabulary>: Sendable {
    /// The state that is left.
    public let from: Words.State
    /// The state that is entered; the same for a transition to itself.
    public let to: Words.State
    /// What set it off.
    public let trigger: Trigger<Words.Event>
    /// When; for a delay, the time it was due.
    public let at: Moment
    /// What came in with the event.
    public let context: Words.Context
}
