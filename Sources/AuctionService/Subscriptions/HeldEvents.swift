package import AuctionDomain
internal import DequeModule
package import EventLog

/// Published events that an event loop holds back from the live streams of their rooms while it has much to send. Those of one room are
/// then published together, so that a loop which sends less than is published sends several events at once, and what waits is bounded:
/// per room one publication, or `limit` events.
///
/// A stream receives the same events as without it, as if they had just become durable. While anything is held, later events of rooms with
/// live streams have to be added too. A value without I/O.
package struct HeldEvents: Sendable {
    private let limit: Int
    private var events: [RoomID: [StoredEvent]] = [:]
    /// The rooms of `events`; the one that has waited longest is first.
    private var rooms: Deque<RoomID> = []

    /// Nothing is held.
    /// - Parameter limit: Maximum number of events of one room, unless one publication has more.
    package init(limit: Int) { self.limit = limit }

    /// Whether nothing is held.
    package var isEmpty: Bool { events.isEmpty }

    /// Holds events of one publication, which are in order and without gaps. If they do not follow directly, or with them there would be
    /// too many, those that were held are dropped: streams then find a gap, and read what is missing from memory or the log.
    package mutating func add(_ published: [StoredEvent], of room: RoomID) {
        guard let first = published.first, let last = published.last else { return }
        guard let heldSeq = events[room]?.last?.seq, let heldCount = events[room]?.count else {
            events[room] = published
            rooms.append(room)
            return
        }
        // Otherwise it was overtaken: it is among those that are held, or read because of the gap before them.
        guard last.seq > heldSeq else { return }
        if first.seq == heldSeq + 1, heldCount + published.count <= limit {
            events[room]?.append(contentsOf: published)
        } else {
            events[room] = published
        }
    }

    /// Removes the events of the room that has waited longest; nil if nothing is held.
    package mutating func next() -> (room: RoomID, events: [StoredEvent])? {
        guard let room = rooms.popFirst() else { return nil }
        return (room, events.removeValue(forKey: room) ?? [])
    }
}
