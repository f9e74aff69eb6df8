/// The words that a machine is written in. Conform an enum without cases and nest the types in it:
///
/// ```swift
/// enum Door: Vocabulary {
///     enum State: CaseIterable { case closed, open }
///     enum Event { case push, pull }
/// }
/// let door = Machine<Door>(initial: .closed, edges: [.on(.push, from: .closed, to: .open)])
/// ```
public protocol Vocabulary: Sendable {
    /// Where a machine can be.
    associatedtype State: Hashable & Sendable
    /// What can happen to it.
    associatedtype Event: Hashable & Sendable
    /// What guards and actions may look at; comes in as a value with every event. Nothing by default.
    associatedtype Context: Sendable = Void
    /// What is to be done, as a value: a machine does nothing itself. Nothing by default.
    associatedtype Effect: Hashable & Sendable = Never
    /// Why a guard holds a transition back. No reason, and so no guard, by default.
    associatedtype Reason: Hashable & Sendable = Never
}

/// What sets off a transition of a machine.
public enum Trigger<Event: Hashable & Sendable>: Hashable, Sendable {
    /// Something happened.
    case event(Event)
    /// The machine has been in the state for so long.
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
