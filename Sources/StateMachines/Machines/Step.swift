/// A transition that was taken, and the effects to perform.
public struct Step<Definition: MachineDefinition>: Hashable, Sendable {
    /// The state that was left.
    public let from: Definition.State
    /// The state that was entered.
    public let to: Definition.State
    /// The event or the delay that caused it.
    public let trigger: Trigger<Definition.Event>
    /// When it happened; for a delay, the time at which it was due.
    public let at: MachineTimestamp
    /// Effects to perform before the new state is published: of leaving, of the edge, of entering, in this order.
    public let before: [Definition.Effect]
    /// Effects to perform once the machine is in the new state.
    public let after: [Definition.Effect]

    /// All effects in order.
    public var effects: [Definition.Effect] { before + after }
}

/// Why a machine did not take an event; its state is then unchanged.
public enum Refused<Definition: MachineDefinition>: Error, Hashable {
    /// No edge takes this event in this state.
    case unexpected(Definition.Event, in: Definition.State)
    /// Guards refused every edge for this event: their reasons, in the order of the edges.
    case rejectedByGuards(Definition.Event, in: Definition.State, [Definition.Reason])

    /// The reasons of the guards; empty if there was no edge for the event.
    public var reasons: [Definition.Reason] {
        switch self {
        case .unexpected: []
        case .rejectedByGuards(_, _, let reasons): reasons
        }
    }
}
