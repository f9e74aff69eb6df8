/// The operator's bounds on what happens in one room; rules hold people to them.
public struct RoomLimits: Hashable, Sendable {
    /// How many messages a member may write within any second; 0: no limit.
    public var messagesPerSecond: Int

    public static let defaultMessagesPerSecond = 2

    public init(messagesPerSecond: Int = defaultMessagesPerSecond) {
        self.messagesPerSecond = messagesPerSecond
    }
}
