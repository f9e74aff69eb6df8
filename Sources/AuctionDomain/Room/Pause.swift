/// A paused round, with what a resume restores.
public struct Pause: Hashable, Sendable, Codable {
    /// The state that a resume restores.
    public let from: RoomState
    /// The instant of the pause.
    public let at: Timestamp
    /// Milliseconds from the pause to the deadline; nil if no countdown ran.
    public let remaining: Int64?
    /// Milliseconds from the pause to a Dutch price's next drop; nil without one.
    public let untilDrop: Int64?

    /// How long a paused round without a host waits for one before it is closed.
    public static let limitWithoutHost = Seconds(600)
}
