/// The operator's bounds on what happens in one room.
package struct RoomLimits: Hashable, Sendable {
    /// Messages that a member may send to the room within any second; 0: no limit.
    package var messagesPerSecond: Int
    /// Bytes, as `RoomStorage` counts them, above which a room refuses whatever an auction can do without; 0: no limit.
    package var roomBytes: Int
    /// The same bound for the bytes that one user makes a room store; 0: no limit.
    package var userRoomBytes: Int
    /// Lots that a room takes, those that were sold or withdrawn included; 0: no limit.
    package var lotsPerRoom: Int

    /// The defaults: 256 MiB a room, in which a round of 100,000 bids takes less than a quarter, and 64 MiB a user.
    package init(
        messagesPerSecond: Int = 2, roomBytes: Int = 256 << 20, userRoomBytes: Int = 64 << 20, lotsPerRoom: Int = 10_000
    ) {
        self.messagesPerSecond = messagesPerSecond
        self.roomBytes = roomBytes
        self.userRoomBytes = userRoomBytes
        self.lotsPerRoom = lotsPerRoom
    }
}
