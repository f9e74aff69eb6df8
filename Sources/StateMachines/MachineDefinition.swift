/// The types of a machine definition. Conform an enum without cases and nest the types in it:
///
/// ```swift
/// enum Door: MachineDefinition {
///     enum State: CaseIterable { case closed, open }
///     enum Event { case push, pull }
/// }
/// let door = Machine<Door>(initial: .closed, edges: [.on(.push, from: .closed, to: .open)])
/// ```
public protocol MachineDefinition: Sendable {
    /// A state of the machine.
    associatedtype State: Hashable & Sendable
    /// An event that the machine can take.
    associatedtype Event: Hashable & Sendable
    /// Input of guards and actions, passed with every event. `Void` by default.
    associatedtype Context: Sendable = Void
    /// A side effect as a value, which the caller performs. None by default.
    associatedtype Effect: Hashable & Sendable = Never
    /// Why a guard refuses a transition. `Never` by default: such a machine has no guards.
    associatedtype Reason: Hashable & Sendable = Never
}

/// The cause of a transition of a machine.
public enum Trigger<Event: Hashable & Sendable>: Hashable, Sendable {
    /// An event was received.
    case event(Event)
    /// The machine has been in the state for this duration.
    case after(Duration)
}

extension Trigger: CustomStringConvertible {
    public var description: String {
        switch self {
        case .event(let event): "\(event)"
        case .after(let delay): "after \(delay)"
        }
    }
}
