/// The operator's bounds on what happens in one room.
public struct RoomLimits: Hashable, Sendable {
    /// Messages that a member may send within any second; 0: no limit.
    public var messagesPerSecond: Int
    /// Bytes, as `RoomStorage` counts them, above which a room refuses whatever an auction can do without; 0: no limit.
    public var roomBytes: Int
    /// The same bound for the bytes that one user makes a room store; 0: no limit.
    public var userRoomBytes: Int

    /// Per member and room.
    public static let defaultMessagesPerSecond = 2
    /// 256 MiB; a round of 100,000 bids takes less than a quarter of it.
    public static let defaultRoomBytes = 268_435_456
    /// 64 MiB.
    public static let defaultUserRoomBytes = 67_108_864
    /// The largest bound that can be configured: 1 TiB.
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
