/// The name of a state that a room can be in. Open: a state is added by adding its state object.
public struct RoomState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

/// What makes a room change its state, as `state.changed` names it.
public struct TransitionCause: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The host said start.
    public static let start = TransitionCause(rawValue: "start")
    /// The host said end.
    public static let end = TransitionCause(rawValue: "end")
    /// A countdown ran out, or the last Dutch tick passed.
    public static let countdown = TransitionCause(rawValue: "countdown")
    /// A bid reached the buy-now price, or took a Dutch price.
    public static let bid = TransitionCause(rawValue: "bid")
    public static let pause = TransitionCause(rawValue: "pause")
    public static let resume = TransitionCause(rawValue: "resume")
    public static let cancel = TransitionCause(rawValue: "cancel")
    /// The host is gone and nobody takes their place.
    public static let hostGone = TransitionCause(rawValue: "hostGone")
}

/// Who can see a room.
public enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
    case `public`
    case `private`
}
