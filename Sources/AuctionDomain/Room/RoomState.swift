/// The name of a state of a room. An open set: a new state needs only a new state object.
package struct RoomState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in events and responses, such as `auctioning`.
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}

/// What triggers a change of state, as named in `state.changed` events.
package struct TransitionCause: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in events, such as `countdown`.
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// The host started the auction, or the next round.
    package static let start = TransitionCause(rawValue: "start")
    /// The host ended the round.
    package static let end = TransitionCause(rawValue: "end")
    /// A countdown reached its deadline, or the last Dutch tick passed.
    package static let countdown = TransitionCause(rawValue: "countdown")
    /// A bid reached the buy-now price, or accepted a Dutch price.
    package static let bid = TransitionCause(rawValue: "bid")
    /// The host paused the round.
    package static let pause = TransitionCause(rawValue: "pause")
    /// The host resumed the round.
    package static let resume = TransitionCause(rawValue: "resume")
    /// The host cancelled the round.
    package static let cancel = TransitionCause(rawValue: "cancel")
    /// The sale goes on to its next lot.
    package static let sale = TransitionCause(rawValue: "sale")
    /// The host is absent and no member may succeed them, or the paused round's wait for a host expired.
    package static let hostGone = TransitionCause(rawValue: "hostGone")
}

/// Whether a room can be seen by all users or by its members only.
package enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
    case `public`
    case `private`
}
