/// One edge of a machine as a value to check and to draw: where from, where to, on what, and who may cause it.
public struct Transition<State: Hashable & Sendable, Trigger: Hashable & Sendable>: Hashable, Sendable {
    /// The state that it leads out of.
    public let from: State
    /// The state that it leads to.
    public let to: State
    /// What sets it off.
    public let trigger: Trigger
    /// Who or what causes it, for people: `host`, `the clock`; empty where nobody in particular does.
    public let cause: String
    /// The guard in words, as in `a seat is free`; nil for a transition that nothing holds back.
    public let condition: String?

    /// - Parameters:
    ///   - cause: who or what causes it, for people.
    ///   - condition: what must hold, in words; transitions that share a state and a trigger need one each.
    public init(from: State, to: State, on trigger: Trigger, by cause: String, when condition: String? = nil) {
        self.from = from
        self.to = to
        self.trigger = trigger
        self.cause = cause
        self.condition = condition
    }
}
