/// What a room remembers of what was said in it: enough to remove a message, and to hold a member to the rate limit.
public struct RoomMessages: Hashable, Sendable, Codable {
    public struct Entry: Hashable, Sendable, Codable {
        public let id: MessageID
        public let author: UserID
        public let at: Timestamp
    }

    /// So many of the latest messages can be removed.
    public static let limit = 256
    /// The milliseconds over which a member's messages are counted. Counting reaches back `limit` messages at most: where
    /// a whole room writes more than that in a second, its members are held to the rate less strictly.
    static let rateWindow: Int64 = 1000

    /// Oldest first.
    public private(set) var recent: [Entry] = []

    public init() {}

    public func contains(_ id: MessageID) -> Bool { recent.contains { $0.id == id } }

    /// How many of somebody's messages are younger than `instant`.
    public func count(by author: UserID, after instant: Timestamp) -> Int {
        recent.reversed().prefix { $0.at > instant }.count { $0.author == author }
    }

    mutating func append(_ message: Message, at instant: Timestamp) {
        if recent.count == Self.limit { recent.removeFirst() }
        recent.append(Entry(id: message.id, author: message.author.id, at: instant))
    }

    mutating func remove(_ id: MessageID) { recent.removeAll { $0.id == id } }
}
