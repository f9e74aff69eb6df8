/// A transition that was taken, and what is to be done about it.
public struct Step<Words: Vocabulary>: Hashable, Sendable {
    /// The state that was left.
    public let from: Words.State
    /// The state that was entered.
    public let to: Words.State
    /// What set it off.
    public let trigger: Trigger<Words.Event>
    /// When; for a delay, the time it was due.
    public let at: Moment
    /// Due before the new state is made known: of leaving, of the edge, of what is about to be entered.
    public let before: [Words.Effect]
    /// Due once the machine is in the new state.
    public let after: [Words.Effect]

    /// All effects in order.
    public var effects: [Words.Effect] { before + after }
}

/// Why a machine did not take an event. It is where it was.
public enum Refused<Words: Vocabulary>: Error, Hashable {
    /// No edge takes this event in this state.
    case unexpected(Words.Event, in: Words.State)
    /// Guards held every such edge back: their reasons, in the order of the edges.
    case heldBack(Words.Event, in: Words.State, [Words.Reason])

    /// What the guards said; empty where there was no edge to guard.
    public var reasons: [Words.Reason] {
        switch self {
        case .unexpected: []
        case .heldBack(_, _, let reasons): reasons
        }
    }
}
