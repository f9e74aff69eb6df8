/// A running machine as plain data: its state, when it was entered, and the pending delayed transitions.
///
/// Due times are absolute, so a configuration has the same meaning whenever and on whichever node it is restored.
public struct Configuration<State: Hashable & Sendable>: Hashable, Sendable {
    /// The current state.
    public internal(set) var state: State
    /// When the current state was entered.
    public internal(set) var enteredAt: MachineTimestamp
    /// The delayed transitions out of the state, earliest first.
    public internal(set) var pending: [Pending<State>]

    /// When the next delayed transition is due; nil if none is pending.
    public var dueAt: MachineTimestamp? { pending.first?.dueAt }

    /// The configuration with the time of saving, to be stored while the machine does not run.
    public func saved(at now: MachineTimestamp) -> Saved<State> { Saved(configuration: self, savedAt: now) }
}

extension Configuration: Codable where State: Codable {}

/// A delayed transition that is not due yet.
public struct Pending<State: Hashable & Sendable>: Hashable, Sendable {
    /// The state that it leads to.
    public let target: State
    /// The whole delay.
    public let delay: Duration
    /// When it is due, in absolute time.
    public internal(set) var dueAt: MachineTimestamp
}

extension Pending: Codable where State: Codable {}

/// A configuration and when it was saved.
public struct Saved<State: Hashable & Sendable>: Hashable, Sendable {
    /// The configuration at the time of saving.
    public let configuration: Configuration<State>
    /// When it was saved.
    public let savedAt: MachineTimestamp
}

extension Saved: Codable where State: Codable {}

/// How a delay that was pending when a machine was saved is restored.
public enum RestorePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The due time is kept: transitions that became due in the meantime happen at once.
    case keepDueTime
    /// The whole delay starts again at the time of restoring.
    case restartDelay
    /// The due time moves by the time between saving and restoring, so the remaining delay is unchanged.
    case shiftByTimeAway
}
