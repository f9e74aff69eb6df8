/// The name of a state of a room. An open set: a new state needs only a new state object.
public struct RoomState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in events and responses, such as `auctioning`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

/// What triggers a change of state, as named in `state.changed` events.
public struct TransitionCause: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in events, such as `countdown`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The host started the auction, or the next round.
    public static let start = TransitionCause(rawValue: "start")
    /// The host ended the round.
    public static let end = TransitionCause(rawValue: "end")
    /// A countdown reached its deadline, or the last Dutch tick passed.
    public static let countdown = TransitionCause(rawValue: "countdown")
    /// A bid reached the buy-now price, or accepted a Dutch price.
    public static let bid = TransitionCause(rawValue: "bid")
    /// The host paused the round.
    public static let pause = TransitionCause(rawValue: "pause")
    /// The host resumed the round.
    public static let resume = TransitionCause(rawValue: "resume")
    /// The host cancelled the round.
    public static let cancel = TransitionCause(rawValue: "cancel")
    /// The host is absent and no member may succeed them, or the paused round's wait for a host expired.
    public static let hostGone = TransitionCause(rawValue: "hostGone")
}

/// Whether a room can be seen by all users or by its members only.
public enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
    case `public`
    case `private`
}
