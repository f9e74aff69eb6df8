/// The types of events that stored events are selected by; all others stand in `EventBody.type` alone.
enum EventType {
    static let roomOpened = "room.opened"
    static let hostReturned = "host.returned"
    static let bidPlaced = "bid.placed"
    static let itemSold = "item.sold"
    static let systemMessage = "message.system"
    static let memberLinked = "member.linked"
    static let memberErased = "member.erased"
    /// How the types of all events begin that change members.
    static let members = "member."
}

extension StoredEvent {
    /// Whether it is a placed bid.
    package var isPlacedBid: Bool { type == EventType.bidPlaced }
    /// Whether it is the return of the host.
    package var isHostReturn: Bool { type == EventType.hostReturned }
    /// Whether a nickname is replaced in the events before it.
    package var erasesNickname: Bool {
        // Asked of every event that is published: most types differ in their length.
        type.utf8.count == EventType.memberErased.utf8.count && type == EventType.memberErased
    }
    /// Whether it changes members, so that a room which is not public may be visible to other users after it.
    package var changesMembers: Bool { type.hasPrefix(EventType.members) }
}
