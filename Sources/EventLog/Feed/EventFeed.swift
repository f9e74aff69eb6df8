package import AuctionDomain

/// A position in the order of all rooms' events, between two of them.
///
/// A feed's numbers belong to one log: a copy has others. The hash makes sure that the event before the position is still the one that it
/// was: after a backup that is older than the position was restored, another event may have its number.
package struct FeedPosition: Hashable, Sendable {
    /// Number of the event before this position; 0 at the beginning. Numbers increase; some may be missing.
    package let number: Int64
    /// `EventHash.headHash` of that event; 0 at the beginning.
    package let hash: UInt64
    /// Identifies the latest pruning of the log when the position was read; 0 if there was none, or at the feed's end.
    ///
    /// What was pruned until then is nothing that a reader from this position could miss. Positions are equal without regard to it.
    package let pruning: UInt64

    package init(number: Int64, hash: UInt64, pruning: UInt64 = 0) {
        (self.number, self.hash, self.pruning) = (number, hash, pruning)
    }

    /// The position before all events.
    package static let beginning = FeedPosition(number: 0, hash: 0)

    package static func == (left: FeedPosition, right: FeedPosition) -> Bool {
        left.number == right.number && left.hash == right.hash
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(hash)
    }
}

/// One event in the order of all rooms.
package struct FeedEvent: Hashable, Sendable {
    /// The event's room.
    package let room: RoomID
    /// The position after the event.
    package let position: FeedPosition
    /// The event without its private bytes, which the feed never reads.
    package let event: StoredEvent

    package init(room: RoomID, number: Int64, event: StoredEvent, pruning: UInt64 = 0) {
        (self.room, self.event) = (room, event)
        position = FeedPosition(number: number, hash: event.hash.headHash, pruning: pruning)
    }
}

/// Which events a reading of the feed returns.
package struct FeedQuery: Hashable, Sendable {
    /// They follow this position.
    package var position: FeedPosition
    /// Most events that are returned, and that are examined at once.
    package var limit: Int
    /// Events of other types are examined, and not returned; nil: all are returned.
    package var types: Set<String>?
    /// Whether the reader passes over events that were pruned; if not, a position before one of them is gone.
    package var overPruned = false
    /// Whether all that this node has committed is found; if not, what was there when the end of the feed was read last.
    package var isFresh = true

    package init(after position: FeedPosition, limit: Int) { (self.position, self.limit) = (position, max(limit, 0)) }
}

/// What a reading of the feed has found.
package enum FeedScan: Hashable, Sendable {
    /// In order. `end` is the position after the last event that was examined; `isAtEnd` says that none followed.
    case events([FeedEvent], end: FeedPosition, isAtEnd: Bool)
    /// As `FeedPage.gone`.
    case gone
}

/// Events that follow a position.
package enum FeedPage: Hashable, Sendable {
    /// In order; empty at the end.
    case events([FeedEvent])
    /// The event before the position is not the one that it was, or is not there any more; or one after it was pruned, which a reader from
    /// this position has not got.
    case gone
}

/// All rooms' events in one order, in which each room's events are in theirs.
///
/// An event that is committed later than the reading of a page never stands before the page's end, whichever node commits it: a reader
/// that goes on from the last event it got misses none.
package protocol EventFeed: Sendable {
    /// Number that identifies the log's order; a copy of the log has another one.
    func feedID() throws(EventLogError) -> UInt64

    /// The position after everything that this node committed so many nanoseconds before the call; what others did may follow some seconds
    /// later if there are many rooms.
    func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition

    /// The events after a position.
    func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan

    /// The position after the last event that was pruned; `beginning` if none was.
    func prunedEnd() throws(EventLogError) -> FeedPosition
}

extension EventFeed {
    /// The position after everything that this node committed before the call.
    package func feedEnd() throws(EventLogError) -> FeedPosition { try feedEnd(asOf: 0) }

    /// The events after a position, at most `limit`.
    /// - Parameter overPruned: See `FeedQuery.overPruned`.
    package func feed(
        after position: FeedPosition, limit: Int, overPruned: Bool = false
    ) throws(EventLogError) -> FeedPage {
        var query = FeedQuery(after: position, limit: limit)
        query.overPruned = overPruned
        guard case .events(let events, _, _) = try scanFeed(query) else { return .gone }
        return .events(events)
    }

    /// Default for logs of which nothing is pruned.
    package func prunedEnd() throws(EventLogError) -> FeedPosition { .beginning }
}

/// Kinds of records that copies of a log leave out.
package enum InternalRecords {
    /// The number of the feed, and how far it was pruned.
    package static let feed = "feed"
    /// The numbers of rooms that were pruned, and have left rows.
    package static let pruned = "pruned"

    /// Whether copies leave the record out.
    package static func contain(_ record: StoredRecord) -> Bool { [feed, pruned].contains(record.kind) }
}

extension EventFeed where Self: RecordStore {
    /// Reads the number that identifies the feed, which is `candidate` if it has none yet.
    package func feedID(orCreate candidate: UInt64) throws(EventLogError) -> UInt64 {
        if let id = try storedFeedID() { return id }
        let isCreated = try write([.put(InternalRecords.feed, "id", Array(candidate.hexadecimal.utf8), if: .none)])
        if isCreated { return candidate }
        guard let id = try storedFeedID() else { throw EventLogError(.corrupt, "the number of the feed is missing") }
        return id
    }

    private func storedFeedID() throws(EventLogError) -> UInt64? {
        guard let record = try record(InternalRecords.feed, "id") else { return nil }
        guard let id = UInt64(String(decoding: record.content, as: UTF8.self), radix: 16) else {
            throw EventLogError(.corrupt, "the number of the feed cannot be read")
        }
        return id
    }
}
