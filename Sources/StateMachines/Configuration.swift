/// A running machine as plain data: where it is, since when, and what is due.
///
/// Due times are absolute, so a configuration means the same wherever and whenever it is read back.
public struct Configuration<State: Hashable & Sendable>: Hashable, Sendable {
    /// Where the machine is.
    public internal(set) var state: State
    /// Since when.
    public internal(set) var enteredAt: Moment
    /// The delayed transitions out of the state, earliest first.
    public internal(set) var pending: [Pending<State>]

    /// When something happens by itself; nil if nothing does.
    public var dueAt: Moment? { pending.first?.dueAt }

    /// What to write down when the machine stops for a while.
    public func saved(at now: Moment) -> Saved<State> { Saved(configuration: self, savedAt: now) }
}

extension Configuration: Codable where State: Codable {}

/// A delayed transition that waits for its time.
public struct Pending<State: Hashable & Sendable>: Hashable, Sendable {
    /// Where it leads.
    public let target: State
    /// The whole delay.
    public let delay: Duration
    /// When it happens, in absolute time.
    public internal(set) var dueAt: Moment
}

extension Pending: Codable where State: Codable {}

/// A configuration and when it was written down.
public struct Saved<State: Hashable & Sendable>: Hashable, Sendable {
    /// The machine as it was.
    public let configuration: Configuration<State>
    /// When that was.
    public let savedAt: Moment
}

extension Saved: Codable where State: Codable {}

/// What becomes of a delay that was running when a machine was saved.
public enum RestorePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The due time stands: what fell due in the meantime happens at once.
    case keepDueTime
    /// The whole delay again, from now.
    case restartDelay
    /// Time stood still while the machine was away: what was left of the delay is left.
    case shiftByTimeAway
}
