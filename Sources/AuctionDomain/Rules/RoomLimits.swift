/// The operator's bounds on what happens in one room.
public struct RoomLimits: Hashable, Sendable {
    /// How many messages a member may write within any second; 0: no limit.
    public var messagesPerSecond: Int
    /// How many bytes a room may store, as `RoomStorage` counts them, before it takes nothing more that an auction can do without;
    /// 0: no limit.
    public var roomBytes: Int
    /// The same for what one user makes a room store; 0: no limit.
    public var userRoomBytes: Int

    public static let defaultMessagesPerSecond = 2
    /// A round of 100,000 bids takes less than a quarter of it.
    public static let defaultRoomBytes = 268_435_456
    public static let defaultUserRoomBytes = 67_108_864
    /// The largest bound that can be set.
    public static let largestBytes = 1 << 40

    public init(
        messagesPerSecond: Int = defaultMessagesPerSecond, roomBytes: Int = defaultRoomBytes,
        userRoomBytes: Int = defaultUserRoomBytes
    ) {
        self.messagesPerSecond = messagesPerSecond
        self.roomBytes = roomBytes
        self.userRoomBytes = userRoomBytes
    }
}
