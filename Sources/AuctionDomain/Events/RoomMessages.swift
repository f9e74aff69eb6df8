/// The latest messages of a room, as far as removing one and limiting members' rates need them.
package struct RoomMessages: Hashable, Sendable, Codable {
    /// A message without its text, which only the log keeps.
    package struct Entry: Hashable, Sendable, Codable {
        /// Identifier of the message.
        package let id: MessageID
        /// The member who sent it.
        package let author: UserID
        /// Acceptance instant, for the rate limit.
        package let at: Timestamp
        /// The seq of its event, which has the text.
        package let seq: Int
    }

    /// Number of the latest messages that are kept and can be removed.
    package static let limit = 256
    /// Milliseconds over which a member's messages are counted. At most `limit` messages are counted: if the whole room sends
    /// more than that within the window, the rate limit is less strict.
    package static let rateWindow: Int64 = 1000

    /// At most `limit` messages, oldest first.
    package private(set) var recent: [Entry] = []

    package init() {}

    /// False for a message that was removed, or is not among the `limit` latest.
    package func contains(_ id: MessageID) -> Bool { self[id] != nil }

    /// Nil for a message that was removed, or is not among the `limit` latest.
    package subscript(_ id: MessageID) -> Entry? { recent.last { $0.id == id } }

    /// Number of the author's kept messages that are later than `instant`.
    package func count(by author: UserID, after instant: Timestamp) -> Int {
        recent.reversed().prefix { $0.at > instant }.count { $0.author == author }
    }

    mutating func append(_ message: Message, in event: Event) {
        if recent.count == Self.limit { recent.removeFirst() }
        recent.append(Entry(id: message.id, author: message.author.id, at: event.at, seq: event.seq))
    }

    mutating func remove(_ id: MessageID) { recent.removeAll { $0.id == id } }
}
