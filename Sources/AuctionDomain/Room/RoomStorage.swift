/// Bytes that a room's events take in the log, in total and per user who caused them.
///
/// Computed from the events alone, so every node and every replay counts the same. The count is an upper bound of the stored
/// bytes; see `EventBody.storedBytes`.
package struct RoomStorage: Hashable, Sendable {
    /// Bytes of all events of the room.
    package private(set) var bytes = 0
    private var byUser = UserTable<Int>()

    package init() {}

    /// Bytes of the events that the user caused; 0 for an unknown user.
    package func bytes(of user: UserID) -> Int { byUser[user] ?? 0 }

    /// Counts an event.
    /// - Returns: The user whose command caused it; nil: the service.
    @discardableResult
    mutating func add(_ body: EventBody) -> Person? {
        let content = body.content
        bytes += content.storedBytes
        if let user = content.cause?.id { byUser.change(user, from: 0) { $0 += content.storedBytes } }
        return content.cause
    }
}

extension RoomStorage: Codable {
    private struct Stored: Codable {
        let bytes: Int
        let users: [Share]
    }

    private struct Share: Codable {
        let user: UserID
        let bytes: Int
    }

    /// Decodes the total and the users' shares; throws if either is missing.
    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        bytes = stored.bytes
        for share in stored.users { byUser[share.user] = share.bytes }
    }

    package func encode(to encoder: any Encoder) throws {
        let users = byUser.sorted.map { Share(user: $0.user, bytes: $0.value) }
        try Stored(bytes: bytes, users: users).encode(to: encoder)
    }
}
