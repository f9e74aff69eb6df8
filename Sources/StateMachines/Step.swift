/// A transition that was taken, and the effects to perform.
public struct Step<Words: Vocabulary>: Hashable, Sendable {
    /// The state that was left.
    public let from: Words.State
    /// The state that was entered.
    public let to: Words.State
    /// The event or the delay that caused it.
    public let trigger: Trigger<Words.Event>
    /// When it happened; for a delay, the time at which it was due.
    public let at: Moment
    /// Effects to perform before the new state is published: of leaving, of the edge, of entering, in this order.
    public let before: [Words.Effect]
    /// Effects to perform once the machine is in the new state.
    public let after: [Words.Effect]

    /// All effects in order.
    public var effects: [Words.Effect] { before + after }
}

/// Why a machine did not take an event; its state is then unchanged.
public enum Refused<Words: Vocabulary>: Error, Hashable {
    /// No edge takes this event in this state.
    case unexpected(Words.Event, in: Words.State)
    /// Guards refused every edge for this event: their reasons, in the order of the edges.
    case heldBack(Words.Event, in: Words.State, [Words.Reason])

    /// The reasons of the guards; empty if there was no edge for the event.
    public var reasons: [Words.Reason] {
        switch self {
        case .unexpected: []
        case .heldBack(_, _, let reasons): reasons
        }
    }
}
