/// A paused round, with what a resume restores.
package struct Pause: Hashable, Sendable, Codable {
    /// The state that a resume restores.
    package let from: RoomState
    /// The instant of the pause.
    package let at: Timestamp
    /// Milliseconds from the pause to the deadline; nil if no countdown ran.
    package let remaining: Int64?
    /// Milliseconds from the pause to a Dutch price's next drop; nil without one.
    package let untilDrop: Int64?

    /// How long a paused round without a host waits for one before it is closed.
    package static let limitWithoutHost = Seconds(600)
}
