/// One transition between two states as plain data, for analysis and diagrams.
public struct Transition<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The state that is left.
    public let from: State
    /// The state that is entered.
    public let to: State
    /// The event or the delay that causes it.
    public let trigger: Trigger
    /// The actor that causes it, for diagrams: `host`, `the clock`; empty if there is no particular one.
    public let cause: String
    /// The guard as text, as in `a seat is free`; nil if there is none.
    public let condition: String?

    /// `cause` may be empty; `condition` is required if several transitions share a state and a trigger.
    public init(from: State, to: State, on trigger: Trigger, by cause: String, when condition: String? = nil) {
        self.from = from
        self.to = to
        self.trigger = trigger
        self.cause = cause
        self.condition = condition
    }
}
