/// A round that stands still, and what it needs to run on.
public struct Pause: Hashable, Sendable, Codable {
    /// The state it goes back to.
    public let from: RoomState
    public let at: Timestamp
    /// Milliseconds that were left of the countdown; nil if none ran.
    public let remaining: Int64?
    /// Milliseconds that were left until a Dutch price would have dropped.
    public let untilDrop: Int64?

    /// How long a round waits for a host before it is closed.
    public static let limitWithoutHost = Seconds(600)
}
